"""Tables: profiles, the built-in table, ACPC dealers, watching, playing, hand histories, reviews."""
