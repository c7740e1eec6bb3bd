"""Control flow: branches, loops, guards and exceptions, in Python and as AutoGraph stages them."""
