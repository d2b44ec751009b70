"""Short links for your own programs."""
