"""Steps many boards at once with random moves, and counts how the games end.

    python examples/self_play.py [STEPS]
"""

from __future__ import annotations

import sys

import numpy as np

import stonework as sw


def count(steps: int, size: int = 4, boards: int = 256) -> tuple[int, int]:
    """Finished games, and games won by the side that moves first."""
    vector = sw.Vector("havannah", size, boards, seed=1)
    games = first = 0
    for _ in range(steps):
        movers = vector.players()
        rewards, done = vector.step(vector.random_actions())
        games += int(np.count_nonzero(done))
        first += int(np.count_nonzero((rewards > 0) & (movers == 0)))
    return games, first


if __name__ == "__main__":
    games, first = count(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
    print(f"{games} games, {100 * first / games:.1f} % won by the first side")
