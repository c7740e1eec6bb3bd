"""What AutoGraph converts, and what it cannot."""
