"""The forgery bench: honest and hostile patches of two small projects, and what becomes of each."""
