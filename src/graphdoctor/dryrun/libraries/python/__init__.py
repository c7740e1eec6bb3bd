"""Python itself: built-in functions, containers, the standard library, command lines and settings."""
