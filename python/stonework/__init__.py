"""Havannah, Cachex and Cover: rules, engines, proofs, records and pictures.

Play a game:

>>> import stonework as sw
>>> board = sw.Havannah(4)
>>> board.push_all("a1 b1 a2 b2 a3 b3")
>>> board.threats("white")
[Move('a4')]
>>> board.push("a4")
>>> board.outcome()
Outcome(winner='white', kinds=["bridge"], plies=7)

Let an engine search:

>>> engine = sw.Engine("mcts", simulations=200)
>>> board.pop()
Move('a4')
>>> engine.analyse(board).best
Move('a4')

Step many boards at once:

>>> vector = sw.Vector("havannah", 4, count=16)
>>> rewards, done = vector.step(vector.random_actions())
>>> vector.planes().shape
(16, 5, 7, 7)

Errors are ``ValueError`` with the offending value and the limit. The adapters to other libraries are the modules
``stonework.pettingzoo``, ``stonework.gymnasium`` and ``stonework.openspiel``; each needs the library that it adapts to.

What the package does not do: it draws no window, speaks to no server, and trains no network.
"""

from __future__ import annotations

import json as _json
from collections.abc import Iterable as _Iterable
from os import PathLike as _PathLike
from typing import Any as _Any

from ._pictures import Heat, gif, pdf, png, scrub, Scrub, svg, tex
from ._stonework import (
    Board,
    Engine,
    Gtp,
    LegalMoves,
    MatchResult,
    Move,
    Outcome,
    Patterns,
    Proof,
    Record,
    RecordNode,
    Report,
    ReportLine,
    Table,
    Value,
    Vector,
    Watch,
    ask as _ask,
    batch,
    conform,
    games,
    play_match,
    players,
)

__version__ = "0.2.0"

__all__ = [
    "Board",
    "Cachex",
    "Cover",
    "Engine",
    "Gtp",
    "Havannah",
    "Heat",
    "LegalMoves",
    "MatchResult",
    "Move",
    "Outcome",
    "Patterns",
    "Proof",
    "Record",
    "RecordNode",
    "Report",
    "ReportLine",
    "Scrub",
    "Table",
    "Value",
    "Vector",
    "Watch",
    "batch",
    "conform",
    "game",
    "games",
    "gif",
    "oracle",
    "pdf",
    "play_match",
    "players",
    "png",
    "read",
    "scrub",
    "svg",
    "tex",
]


def Havannah(
    size: int = 10,
    *,
    swap: bool = False,
    position: str | None = None,
    notation: str | None = None,
    actions: str | None = None,
) -> Board:
    """A board of Havannah.

    Args:
        size: cells on a side, 2 to 20; the size of the position if one is given.
        swap: the right to swap after the first stone.
        position: a position as text, as ``board.position`` has it.
        notation: the notation of moves: ``hgui``, ``grid``, ``rogers`` or ``web``.
        actions: the action numbers: ``stonework``, or ``open_spiel`` for those of OpenSpiel.

    Raises:
        ValueError: with the offending value and the limits.
    """
    given = None if position is not None else size
    return Board("havannah", given, swap=swap, position=position, notation=notation, actions=actions)


def Cachex(size: int = 8, *, position: str | None = None) -> Board:
    """A board of Cachex.

    Args:
        size: cells on a side, 3 to 15; the size of the position if one is given.
        position: a position as text, as ``board.position`` has it, or the rows of a board.

    Raises:
        ValueError: with the offending value and the limits.
    """
    return Board("cachex", None if position is not None else size, position=position)


def Cover(size: int = 4, *, position: str | None = None) -> Board:
    """A board of Cover.

    Args:
        size: the X of Cover-X, 1 to 10.
        position: a position as text, as ``board.position`` has it, or ``[...]x[...]``.

    Raises:
        ValueError: with the offending value and the limits.
    """
    own = position is not None and not position.startswith("[")
    return Board("cover", None if own else size, position=position)


def game(text: str) -> Board:
    """A board from a text: ``havannah(8,swap)``, ``cachex(9)``, ``cover``.

    Raises:
        ValueError: for a game, size or option that does not exist.
    """
    name, bracket, rest = text.strip().partition("(")
    if bracket and not rest.endswith(")"):
        raise ValueError(f"`{text[:40]}` is no game: NAME, NAME(SIZE) or NAME(SIZE,swap)")
    words = [word.strip() for word in rest.removesuffix(")").split(",") if word.strip()]
    known = {str(one["name"]): int(one["usual_size"]) for one in games()}
    size, swap, sized = known.get(name), False, False
    for word in words:
        if word == "swap":
            swap = True
        elif word.isascii() and word.isdigit() and not sized:
            size, sized = int(word[:18]), True
        else:
            raise ValueError(f"`{word[:40]}` is no option of a game: a size or swap")
    return Board(name, size, swap=swap)


def read(path: str | _PathLike[str], game: str | None = None) -> Record:
    """The first record of an SGF file. ``Record.open_all`` reads all of them.

    Raises:
        OSError: if the file cannot be opened.
        ValueError: for a file that is no record, with the place.
    """
    records = Record.open_all(path, game)
    if not records:
        raise ValueError(f"{path}: no game")
    return records[0]


def oracle(questions: _Iterable[dict[str, _Any] | str]) -> list[dict[str, _Any]]:
    """The answers of the JSON oracle, in this process.

    Args:
        questions: dictionaries, or lines of JSON: ``{"game": "havannah", "size": 4, "moves": ["a1"]}``.

    Returns:
        a dictionary for each question, with ``ok`` and the facts or the ``error``. Every question has an answer.
    """
    lines = (one if isinstance(one, str) else _json.dumps(one) for one in questions)
    return [_json.loads(_ask(line)) for line in lines]
