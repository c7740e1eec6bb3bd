"""Explanations and diagnoses → pages of the same kind as a report's."""
