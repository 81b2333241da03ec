"""What we remember: records in git notes, keyed to the tree."""
