"""What several tests share."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import stonework as sw

ROOT = Path(__file__).resolve().parents[2]
"""The repository."""

GAMES: dict[str, Callable[[], sw.Board]] = {
    "havannah 3": lambda: sw.Havannah(3),
    "havannah 4, swap": lambda: sw.Havannah(4, swap=True),
    "havannah 4, open_spiel": lambda: sw.Havannah(4, swap=True, actions="open_spiel"),
    "havannah 8": lambda: sw.Havannah(8),
    "cachex 3": lambda: sw.Cachex(3),
    "cachex 6": lambda: sw.Cachex(6),
    "cover 1": lambda: sw.Cover(1),
    "cover 2": lambda: sw.Cover(2),
}


@pytest.fixture(params=list(GAMES))
def board(request: pytest.FixtureRequest) -> sw.Board:
    """A board of each game, at its first position."""
    return GAMES[request.param]()


def play_randomly(board: sw.Board, seed: int, most: int = 400) -> sw.Board:
    """Plays random moves to the end, at most ``most``."""
    rng = random.Random(seed)
    for _ in range(most):
        if board.is_over:
            break
        board.push(rng.choice(board.legal_actions()))
    return board
