"""Tests rules in Python: a Havannah that knows bridges alone is found out, with a small game: python examples/check_rules.py"""

from typing import Any

import stonework as sw

CORNERS = {"a1", "a4", "d7", "g7", "g4", "d1"}
NEAR = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)]


def bridges_only(question: dict[str, Any]) -> dict[str, Any]:
    """The rules under test, on size 4: a flood from every corner."""
    board = sw.Havannah(question["size"], swap=question.get("swap", False))
    for at, move in enumerate(question["moves"]):
        if move not in board.legal_moves:
            return {"error": sw.oracle([question])[0]["error"] | {"at": at}}
        board.push(move)
    for side in ("white", "black"):
        own = {str(cell) for cell in board.stones(side)}
        for corner in own & CORNERS:
            chain = new = {corner}
            while new := {chr(ord(c[0]) + y) + str(int(c[1]) + x) for c in new for y, x in NEAR} & own - chain:
                chain = chain | new
            if len(chain & CORNERS) > 1:
                return {"to_move": board.turn, "outcome": side}
    return {"to_move": board.turn, "outcome": None}


found = sw.conform(bridges_only, sizes=[4], games=20)["counterexample"]
assert found is not None
print(f"found: {found['what']}", "moves:", *found["moves"])
