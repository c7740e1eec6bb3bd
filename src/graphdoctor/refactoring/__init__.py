"""Syntax → edits: what the fixes of rules change in the text. It reads the text, and evaluates nothing."""
