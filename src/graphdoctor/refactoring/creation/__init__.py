"""Make once: hoist out of a loop, move to `__init__`, or cache what each call makes again."""
