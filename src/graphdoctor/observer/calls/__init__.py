"""What the program calls: graph functions, `fit` and its like; and the switches that keep calls eager."""
