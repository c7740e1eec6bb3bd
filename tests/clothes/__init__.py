"""The same program in other clothes: transformations of its text that leave what it does as it is."""
