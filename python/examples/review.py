"""Reviews a game with an engine: the value after each move, and the move that lost most.

    python examples/review.py [GAME.sgf]
"""

from __future__ import annotations

import sys

import stonework as sw

GAME = "(;FF[4]GM[Havannah]SZ[4];W[d4];B[c3];W[d5];B[c4];W[e6];B[d6];W[e7];B[e5];W[c2];B[f6];W[b1])"


def review(record: sw.Record, simulations: int = 2000) -> tuple[int, sw.Move, int]:
    """The ply of the greatest loss, the better move there, and the loss in thousandths of a result."""
    engine, end, worst = sw.Engine("mcts", simulations=simulations), record.replay(), (0, sw.Move(""), -1)
    reports = [engine.analyse(end.at(ply)) for ply in range(end.ply)]
    for ply, (before, after) in enumerate(zip(reports, reports[1:])):
        # A proven win is worth no more than a sure one here.
        loss = max(-1000, min(1000, before.value)) + max(-1000, min(1000, after.value))
        if before.best is not None and loss > worst[2]:
            worst = (ply, before.best, loss)
    return worst


if __name__ == "__main__":
    record = sw.read(sys.argv[1]) if len(sys.argv) > 1 else sw.Record.parse(GAME)
    ply, better, loss = review(record)
    played = record.replay().moves[ply]
    print(f"move {ply + 1}, {played}, lost {loss / 1000:.2f} of a game; {better} was better")
