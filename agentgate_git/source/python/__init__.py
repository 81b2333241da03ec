"""Facts of Python files, through `ast`."""
