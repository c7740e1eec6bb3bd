"""What the user names → the function to explain, and its example arguments."""
