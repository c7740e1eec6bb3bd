"""The same program in other variants: transformations of its text that leave what it does as it is."""
