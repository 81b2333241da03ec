"""What runs in the project's own interpreter: stdlib only, Python 3.8+, imports nothing of ours."""
