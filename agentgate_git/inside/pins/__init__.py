"""The folder that a pinned run has first on its import path; the project sees what is in it by these names only."""
