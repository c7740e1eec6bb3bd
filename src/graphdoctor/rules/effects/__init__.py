"""Python that runs once, while a function is traced, and not in each call."""
