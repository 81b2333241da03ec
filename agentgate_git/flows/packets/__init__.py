"""Packets: running the tests of a tree, and deriving again what a stored packet claims."""
