"""Anchor-free detection of bright cells on a coarse grid."""
