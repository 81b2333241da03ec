"""The sealed run, piece by piece: plan, seal, credit, and what is kept of it."""
