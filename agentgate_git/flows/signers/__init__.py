"""Keys and signatures: who signed a commit or a line, and signing a line oneself."""
