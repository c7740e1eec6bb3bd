"""What the functions, classes and methods of Python and its libraries do with abstract values."""
