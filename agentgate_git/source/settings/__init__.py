"""Settings that select or soften tests: one module per family of files, all from the neutral tree."""
