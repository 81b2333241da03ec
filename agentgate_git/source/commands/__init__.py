"""Commands in scripts and pipelines: which of them run tests, and what becomes of their exit status."""
