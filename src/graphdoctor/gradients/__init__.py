"""Tape or graph → why this gradient is None.

`probe/` runs inside the observed program: the standard library and the program's own TensorFlow only.
`explain.py` is what a user calls.
"""
