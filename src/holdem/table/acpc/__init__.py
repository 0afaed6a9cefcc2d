"""The protocol of the Annual Computer Poker Competition: client, dealer and proxy (docs/acpc.md)."""
