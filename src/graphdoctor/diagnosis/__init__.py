"""The preflight behind `diagnose`: a few steps of any trainer, and all that they show."""
