"""What things are: frozen records and names, no behaviour that looks at the world."""
