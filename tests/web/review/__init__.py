"""The review room over real sockets."""
