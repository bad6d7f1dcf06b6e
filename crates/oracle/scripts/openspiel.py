"""Compares Stonework's Havannah with OpenSpiel's on random games.

    pip install open_spiel
    cargo build --release
    python3 crates/oracle/scripts/openspiel.py --games 100000 --oracle "target/release/stonework oracle"

OpenSpiel plays uniformly random games on sizes 2 to 10, a quarter of them with its swap; the oracle replays
each and must agree on the winner and on the move with which the game ends. Exits 1 at the first disagreement.
"""

import argparse
import json
import queue
import random
import shlex
import subprocess
import sys
import threading
import time

import pyspiel

WINNER = {(1.0, -1.0): "white", (-1.0, 1.0): "black", (0.0, 0.0): "draw"}


def cell(action, size):
    """OpenSpiel's action is x + y·(2·size − 1), x the row and y the slanted column, both from 0."""
    column, row = divmod(action, 2 * size - 1)
    return f"{chr(ord('a') + row)}{column + 1}"


def random_game(game, size, swap, rng):
    """Moves in hgui notation and the winner."""
    state, actions, moves = game.new_initial_state(), [], []
    while not state.is_terminal():
        action = rng.choice(state.legal_actions())
        # To swap is to play the first stone's cell again; it is made likelier than chance.
        if swap and len(moves) == 1 and rng.random() < 0.5:
            action = actions[0]
        moves.append("swap" if len(moves) == 1 and action == actions[0] else cell(action, size))
        actions.append(action)
        state.apply_action(action)
    return moves, WINNER[tuple(state.returns())]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=9000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--oracle", default="target/release/stonework oracle")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    oracle = subprocess.Popen(shlex.split(options.oracle), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    expected, start = queue.Queue(), time.time()

    def ask():
        for number in range(options.games):
            size, swap = 2 + number % 9, number % 4 == 3
            game = pyspiel.load_game("havannah", {"board_size": size, "swap": swap})
            moves, winner = random_game(game, size, swap, rng)
            question = {"id": number, "game": "havannah", "size": size, "swap": swap, "moves": moves}
            expected.put((question, winner))
            oracle.stdin.write(json.dumps(question) + "\n")
        oracle.stdin.close()

    threading.Thread(target=ask, daemon=True).start()
    plies = 0
    for _ in range(options.games):
        question, winner = expected.get()
        answer = json.loads(oracle.stdout.readline())
        if answer["id"] != question["id"] or not answer["ok"] or answer["outcome"] != winner:
            print(f"OpenSpiel: {winner}\nStonework: {json.dumps(answer)}\n{json.dumps(question)}")
            return 1
        plies += len(question["moves"])
    seconds = time.time() - start
    print(f"{options.games} games, {plies} moves on sizes 2 to 10 agree (seed {options.seed}, {seconds:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
