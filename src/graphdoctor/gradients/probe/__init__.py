"""Inside the observed program: which operations lie between a target and its sources, and where they break.

Only the standard library and the program's own TensorFlow are imported here, as in `observer/`.
Nothing keeps a tensor, a variable, a tape or a graph alive: operations are remembered by number.
"""
