"""What code says: the bytes of one file in, facts out."""
