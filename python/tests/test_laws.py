"""Laws of boards on games that hypothesis makes: lists of numbers, each taken modulo the legal moves."""

from __future__ import annotations

import pickle

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import stonework as sw

from .conftest import GAMES
from .test_planes import slow_planes

games = st.sampled_from(list(GAMES))
choices = st.lists(st.integers(0, 10_000), max_size=70)
settings.register_profile("stonework", max_examples=120, deadline=None, derandomize=True)
settings.load_profile("stonework")


def played(name: str, numbers: list[int]) -> sw.Board:
    """A board after the chosen moves."""
    board = GAMES[name]()
    for number in numbers:
        legal = board.legal_actions()
        if not legal:
            break
        board.push(legal[number % len(legal)])
    return board


@given(games, choices)
def test_pop_is_the_inverse_of_push(name: str, numbers: list[int]) -> None:
    board = played(name, numbers)
    if board.is_over:
        board.pop()
    before = board.copy()
    for action in board.legal_actions():
        board.push(action)
        assert board.ply == before.ply + 1 and board.pop().action == action
        assert board == before and board.key() == before.key()
    assert board.legal_actions() == before.legal_actions() and str(board) == str(before)


@given(games, choices)
def test_pickles_are_equal(name: str, numbers: list[int]) -> None:
    board = played(name, numbers)
    again = pickle.loads(pickle.dumps(board))
    assert again == board and hash(again) == hash(board) and again.moves == board.moves
    assert again.outcome() == board.outcome() and again.position == board.position


@given(st.sampled_from(["hgui", "grid", "rogers", "web"]), st.sampled_from([2, 3, 5, 8, 10, 12]), choices)
def test_names_are_read_back_in_every_notation(notation: str, size: int, numbers: list[int]) -> None:
    board = sw.Havannah(size, swap=True, notation=notation)
    for number in numbers:
        legal = board.legal_moves
        if not legal:
            break
        move = legal[number % len(legal)]
        assert board.parse(move.text) == move and board.parse(move.text).action == move.action
        assert board.parse(move.action or 0).text == move.text or move.action is None
        board.push(move.text)
    again = sw.Havannah(size, swap=True)
    again.push_all([move.text for move in board.in_notation("hgui").moves])
    assert again == board


@given(games, choices, st.booleans())
def test_planes_are_the_slow_planes(name: str, numbers: list[int], first: bool) -> None:
    board = played(name, numbers)
    side = board.sides[0 if first else 1]
    np.testing.assert_array_equal(board.planes(side), slow_planes(board, side))


@given(games, choices)
def test_records_are_replayed(name: str, numbers: list[int]) -> None:
    board = played(name, numbers)
    again = sw.Record.parse(board.record()).replay()
    assert again.moves == board.in_notation(again.notation or board.notation).moves if again.notation else again == board
    # A record of Havannah does not say whether a swap that nobody made was allowed.
    assert again.stones(board.sides[0]) == board.stones(board.sides[0])
    assert (again.outcome() is None) == (board.outcome() is None)


@given(games, choices)
def test_threats_win_and_only_moves_do_not_lose(name: str, numbers: list[int]) -> None:
    board = played(name, numbers)
    if board.is_over:
        return
    mover, legal = board.turn, list(board.legal_moves)
    threats, only = board.threats(), board.only_moves()
    for move in legal:
        board.push(move)
        end = board.outcome()
        assert (end is not None and end.winner == mover) == (move in threats)
        loses = end is not None and end.winner not in (None, mover)
        if end is None and board.turn != mover:
            loses = bool(board.threats())
        assert loses == (move not in only)
        board.undo()


@given(st.text(max_size=12), games, choices)
def test_no_text_breaks_a_board(text: str, name: str, numbers: list[int]) -> None:
    board = played(name, numbers)
    before = board.copy()
    legal = board.is_legal(text)
    assert legal == (text in board.legal_moves)
    try:
        board.push(text)
    except ValueError:
        assert board == before and not legal
    else:
        assert legal and board.ply == before.ply + 1
    sw.oracle([text])


@given(st.binary(max_size=60))
def test_no_bytes_break_the_readers(data: bytes) -> None:
    for prefix in (b"", b"(;SZ[4];W[", b"(;GM[Cachex]SZ[3];R["):
        try:
            sw.Record.parse(prefix + data).replay()
        except ValueError:
            pass
    for read in (sw.Patterns, sw.game, lambda text: sw.Havannah(position=text), lambda text: sw.Cover(2, position=text),
                 lambda text: sw.Cachex(4, position=text), sw.Engine, lambda text: sw.Engine(text, nodes=1).play(sw.Cover(1))):
        try:
            read(data.decode("latin-1"))
        except ValueError:
            pass
