"""Which operations lie between a target and its sources, and where the way between them breaks.

Nothing here keeps a tensor, a variable, a tape or a graph alive: operations are remembered by number.
"""
