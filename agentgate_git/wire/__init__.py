"""How things are written down: bytes to model and back."""
