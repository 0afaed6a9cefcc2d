"""The floor: small helpers that know nothing of poker."""
