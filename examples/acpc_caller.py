"""A player of the ACPC protocol in a dozen lines, which knows nothing of this project: it checks and calls."""

import socket
import sys

connection = socket.create_connection((sys.argv[-2], int(sys.argv[-1])))
wire = connection.makefile("rw", newline="")
wire.write("VERSION:2.0.0\r\n")
wire.flush()
for line in wire:
    state = line.strip()  # MATCHSTATE:position:hand:betting:cards
    wire.write(f"{state}:c\r\n")
    wire.flush()
