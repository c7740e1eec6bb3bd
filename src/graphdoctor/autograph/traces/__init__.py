"""A function and example arguments → one trace, watched."""
