"""Helpers for the project's own tests; never shipped."""
