"""What stands in a user's clone or a server's: hooks, configuration, and what is wrong with them."""
