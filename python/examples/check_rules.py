"""Tests rules that are written in Python: a Havannah that knows bridges alone is found out, with a small game.

    python examples/check_rules.py
"""

from __future__ import annotations

from typing import Any

import stonework as sw


def bridges_only(question: dict[str, Any]) -> dict[str, Any]:
    """The rules under test: a flood from every corner."""
    board = sw.Havannah(question["size"], swap=question.get("swap", False))
    stones: dict[str, set[str]] = {"white": set(), "black": set()}
    for at, move in enumerate(question["moves"]):
        if move not in board.legal_moves:
            return {"error": sw.oracle([question])[0]["error"] | {"at": at}}
        board.push(move)
        stones["white"], stones["black"] = set(board.stones("white")), set(board.stones("black"))
    n = 2 * question["size"] - 1
    corners = [f"a{1}", f"a{(n + 1) // 2}", f"{chr(96 + (n + 1) // 2)}{n}", f"{chr(96 + (n + 1) // 2)}1"]
    corners += [f"{chr(96 + n)}{(n + 1) // 2}", f"{chr(96 + n)}{n}"]
    for side, own in stones.items():
        for corner in own.intersection(corners):
            seen, edge = {corner}, [corner]
            while edge:
                letter, number = ord((cell := edge.pop())[0]), int(cell[1:])
                near = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)]
                names = {f"{chr(letter + y)}{number + x}" for y, x in near} & own - seen
                seen |= names
                edge += names
            if len(seen.intersection(corners)) > 1:
                return {"to_move": board.turn, "outcome": side}
    return {"to_move": board.turn, "outcome": None}


if __name__ == "__main__":
    report = sw.conform(bridges_only, sizes=[4], games=20)
    found = report["counterexample"]
    assert found is not None
    print(f"found: {found['what']}")
    print("moves:", *found["moves"])
