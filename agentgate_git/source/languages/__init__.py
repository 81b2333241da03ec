"""Languages other than Python: a query file each, a small adapter each, one engine for all."""
