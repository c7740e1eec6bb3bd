"""What a run says is held against counters of another make."""
