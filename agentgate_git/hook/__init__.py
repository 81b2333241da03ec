"""How git and pre-commit ask."""
