"""The steps of a training: from where they are asked for, and how long each lasts, up to a number of them."""
