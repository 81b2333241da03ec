"""Reading a change set and judging it: which files, how much of each, and what was found before."""
