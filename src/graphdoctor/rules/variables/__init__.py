"""Variables, layers and optimizers made or kept in the wrong place."""
