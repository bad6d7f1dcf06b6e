"""A player on a port of stonework-server that plays a random free cell of Havannah.

    python3 port_player.py 127.0.0.1 4040 my-name
"""
import random
import socket
import sys

host, port, name = sys.argv[1], int(sys.argv[2]), sys.argv[3]
connection = socket.create_connection((host, port)).makefile("rw", newline="\n")


def say(line):
    connection.write(line + "\n")
    connection.flush()


def cells(size):
    """The names of all cells in the notation of the port: A1 is bottom left, letters run along the north-east diagonals."""
    return {f"{chr(65 + x)}{y + 1}" for x in range(2 * size - 1) for y in range(2 * size - 1) if abs(x - y) < size}


for line in connection:
    word, *rest = line.split()
    if word == "stonework":
        size = int(rest[3])
        say(f"player {name}")
    elif word == "game":
        print(line.strip())
        free = cells(size)
    elif word == "turn":
        say(f"Put {random.choice(sorted(free))}")
    elif word in ("ok", "move") and rest[1] == "Put":
        free.discard(rest[2])
    elif word == "over":
        print(line.strip())
    elif word == "record":
        say("again")
