"""Training that takes longer than its model: reported by a run's account of time."""
