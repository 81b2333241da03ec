"""Who wrote a commit, and what a human of the base adopted."""
