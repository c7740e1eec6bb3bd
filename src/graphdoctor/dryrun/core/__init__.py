"""The interpreter: its state, and Python's statements, expressions, names and calls on abstract values."""
