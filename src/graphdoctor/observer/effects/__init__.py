"""What Python does while a function is traced, and a graph does not repeat."""
