"""What a Python file does to runs of tests as a whole."""
