"""Federated next-character prediction with a personal bias per phone."""
