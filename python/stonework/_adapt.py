"""What the adapters to other libraries share."""

from __future__ import annotations

from ._stonework import Board, Outcome, games


def board(game: str, size: int | None, swap: bool, actions: str | None = None) -> Board:
    """A board of a game; of the usual size unless a size is given."""
    usual = {str(one["name"]): int(one["usual_size"]) for one in games()}
    return Board(game, usual.get(game) if size is None else size, swap=swap, actions=actions)


def most_plies(start: Board) -> int:
    """The number of moves after which a game has ended, or is called a draw."""
    if start.game == "havannah":
        return 3 * start.size * (start.size - 1) + 2
    return 1000


def reward(end: Outcome, board: Board, player: int) -> int:
    """1 for the winner, −1 for the loser, 0 for a draw."""
    if end.winner is None:
        return 0
    return 1 if end.winner == board.sides[player] else -1
