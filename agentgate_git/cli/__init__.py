"""How a person asks."""
