"""What git says: `process` is the one door."""
