"""Rewrite loops, branches and other syntax in a form that a graph can hold."""
