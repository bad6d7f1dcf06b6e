"""Planes, masks and vectors of boards against slow versions in numpy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import stonework as sw

from .conftest import play_randomly


def place(board: sw.Board, cell: str) -> tuple[int, int]:
    """The row and column of a cell by its name."""
    if board.game == "havannah":
        return int(cell[1:]) - 1, ord(cell[0]) - ord("a")
    if board.game == "cachex":
        row, _, column = cell.partition(",")
        return int(row), int(column)
    return ord(cell[0]) - ord("A"), int(cell[1:]) - 1


def slow_planes(board: sw.Board, side: str) -> NDArray[np.float32]:
    """The layout of ``Board.planes``, from names alone."""
    planes = np.zeros(board.planes_shape, np.float32)
    other = next(one for one in board.sides if one != side)
    for plane, of in ((0, side), (1, other)):
        for cell in board.stones(of):
            planes[plane][place(board, cell)] = 1
    rows, columns = planes.shape[1:]
    stones = planes[0] + planes[1]
    if board.game == "havannah":
        size = board.size
        for y in range(rows):
            for x in range(columns):
                planes[2, y, x] = abs(y - x) < size and not stones[y, x]
    elif board.game == "cachex":
        planes[2] = stones == 0
    else:
        # A location (a, b) covers two points; locations touch if they share one. s = a + b and d = b - a.
        def points(a: int, b: int) -> set[tuple[int, int]]:
            d, s = b - a, a + b + 2
            return {(d, s - 1), (d, s + 1)} if s % 2 == 0 else {(d - 1, s), (d + 1, s)}

        taken = set[tuple[int, int]]()
        for a, b in zip(*np.nonzero(stones), strict=True):
            taken |= points(int(a), int(b))
        for a in range(rows):
            for b in range(columns):
                planes[2, a, b] = not points(a, b) & taken
        goal = rows - 1 if side == board.sides[0] else 0
        planes[4, goal, goal] = 1
    planes[3] = board.turn == side
    if board.game != "cover":
        planes[4] = any(move in board.legal_moves for move in ("swap", "steal"))
    return planes


def test_planes_are_the_slow_planes(board: sw.Board) -> None:
    play = [board.copy()]
    for seed in range(3):
        played = play_randomly(board.copy(), seed, 80)
        play += [played.at(ply) for ply in range(0, played.ply + 1, 3)] + [played]
    for one in play:
        for side in one.sides:
            slow = slow_planes(one, side)
            fast = one.planes(side)
            assert fast.dtype == np.float32 and fast.shape == one.planes_shape
            np.testing.assert_array_equal(fast, slow)
            bytes_ = one.planes(side, "uint8")
            assert bytes_.dtype == np.uint8
            np.testing.assert_array_equal(bytes_, slow)
        np.testing.assert_array_equal(one.planes(), one.planes(one.turn))
    together = sw.batch(play, play[0].sides[0])
    np.testing.assert_array_equal(together, np.stack([one.planes(one.sides[0]) for one in play]))


def test_the_mask_marks_the_legal_actions(board: sw.Board) -> None:
    play_randomly(board, 4, 20)
    mask = board.legal_mask()
    # The array shows the memory that Rust has filled: nothing was copied.
    assert mask.base is not None and not mask.flags.owndata
    assert mask.dtype == np.bool_ and mask.shape == (board.action_count,)
    assert mask.flags.c_contiguous and mask.flags.writeable
    assert sorted(board.legal_actions()) == list(np.flatnonzero(mask))


@pytest.mark.parametrize(("game", "size", "swap"), [
    ("havannah", 3, False), ("havannah", 4, True), ("havannah", 8, False), ("cachex", 4, False), ("cover", 1, False),
])
def test_a_vector_is_boards_one_by_one(game: str, size: int, swap: bool) -> None:
    vector = sw.Vector(game, size, 7, swap=swap, seed=3)
    boards = [sw.Board(game, size, swap=swap) for _ in range(7)]
    assert vector.action_count == boards[0].action_count and vector.planes_shape == boards[0].planes_shape
    masks, planes = np.empty((7, vector.action_count), np.bool_), np.empty((7, *vector.planes_shape), np.float32)
    ended = 0
    for _ in range(150):
        np.testing.assert_array_equal(vector.masks(), np.stack([board.legal_mask() for board in boards]))
        np.testing.assert_array_equal(vector.planes(), sw.batch(boards))
        assert vector.masks(out=masks) is masks and vector.planes(out=planes) is planes
        np.testing.assert_array_equal(planes, sw.batch(boards))
        assert list(vector.players()) == [board.player for board in boards]
        actions = vector.random_actions()
        assert masks[np.arange(7), actions].all()
        rewards, done = vector.step(actions)
        for at, board in enumerate(boards):
            mover = board.turn
            board.push(int(actions[at]))
            end = board.outcome()
            reward = 0 if end is None or end.winner is None else 1 if end.winner == mover else -1
            assert (rewards[at], done[at]) == (reward, end is not None)
            if end is not None:
                ended += 1
                boards[at] = sw.Board(game, size, swap=swap)
    assert ended > 0
    vector.reset()
    np.testing.assert_array_equal(vector.planes(), sw.batch([sw.Board(game, size, swap=swap)] * 7))


def test_a_vector_refuses_without_a_step() -> None:
    vector = sw.Vector("havannah", 4, 3)
    before = vector.planes()
    with pytest.raises(ValueError, match="board 2: action 37 is not legal, and no board was stepped"):
        vector.step(np.array([0, 1, 37]))
    with pytest.raises(ValueError, match="board 0: action -1"):
        vector.step(np.array([-1, 1, 2]))
    with pytest.raises(ValueError, match=r"actions: an array of shape \[3\]"):
        vector.step(np.array([0, 1]))
    with pytest.raises(ValueError, match="out: an array of shape"):
        vector.masks(out=np.empty((3, 5), np.bool_))
    # In Fortran order the numbers of a slice lie elsewhere: they were written to the wrong places.
    for out in (np.asfortranarray(before), np.empty((3, 5, 7, 14), np.float32)[..., ::2]):
        with pytest.raises(ValueError, match=r"out: an array of shape \[3, 5, 7, 7\], contiguous in C order"):
            vector.planes(out=out)
    with pytest.raises(ValueError, match="contiguous in C order"):
        vector.masks(out=np.empty((3, vector.action_count), np.bool_, order="F"))
    with pytest.raises(ValueError, match="0 boards: 1 to"):
        sw.Vector("havannah", 4, 0)
    with pytest.raises(ValueError, match="boards: 1 to"):
        sw.Vector("havannah", 4, 2**40)
    with pytest.raises(ValueError, match="no board of size 1"):
        sw.Vector("havannah", 1)
    np.testing.assert_array_equal(vector.planes(), before)


def test_random_actions_are_uniform() -> None:
    vector = sw.Vector("havannah", 2, 70_000, seed=9)
    counts = np.bincount(vector.random_actions(), minlength=8)
    assert counts[7] == 0 and np.all(abs(counts[:7] - 10_000) < 600)
