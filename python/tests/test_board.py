"""Boards: moves, ends, copies, names, pictures as text."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import stonework as sw

from .conftest import play_randomly


def test_the_end_of_a_game_has_kinds_cells_and_plies() -> None:
    board = sw.Havannah(5)
    board.push_all("d4 e5 d5 c4 e6 d6 f6 g6 f5 e3")
    assert board.outcome() is None
    assert board.threats("white") == ["e4"]
    board.push("e4")
    end = board.outcome()
    assert end is not None
    assert (end.winner, end.kinds, end.plies) == ("white", ("ring",), 11)
    assert set(end.cells[0]) == {"d4", "d5", "e6", "f6", "f5", "e4"}
    assert board.standing == "white wins by ring" and not board.legal_moves
    assert hash(end) == hash(board.copy().outcome()) and end == board.copy().outcome()


def test_every_kind_at_once_is_told_with_its_cells() -> None:
    counts = dict[int, int]()
    for seed in range(400):
        board = play_randomly(sw.Havannah(4), seed)
        end = board.outcome()
        assert end is not None and len(end.kinds) == len(end.cells)
        counts[len(end.kinds)] = counts.get(len(end.kinds), 0) + 1
        stones = {} if end.winner is None else set(board.stones(end.winner))
        assert all(set(cells) <= stones for cells in end.cells) and (end.winner is None) == (not end.kinds)
    assert counts[1] > 300 and counts[2] > 0


def test_strings_moves_and_numbers_name_the_same_move(board: sw.Board) -> None:
    while not board.is_over and board.ply < 60:
        legal = list(board.legal_moves)
        assert [move.action for move in legal] == board.legal_actions()
        assert len(board.legal_moves) == len(legal) == int(board.legal_mask().sum())
        move = legal[board.ply * 7 % len(legal)]
        text, action = move.text, move.action
        assert action is not None
        boards = [board.copy() for _ in range(4)]
        for one, form in zip(boards, (text, move, action, np.int64(action)), strict=True):
            assert form in one.legal_moves and one.parse(form) == move
            one.push(form)
        assert boards[0] == boards[1] == boards[2] == boards[3]
        board.push(move)
        assert board.moves[-1].text == text and board.moves[-1].action == action


def test_the_legal_moves_are_made_when_they_are_asked_for() -> None:
    board = sw.Havannah(4)
    view = board.legal_moves
    assert len(view) == 37 and "d4" in view
    board.push("d4")
    assert len(view) == 36 and "d4" not in view and bool(view)
    assert view[0] == next(iter(view)) and view[-1] == list(view)[-1]


def test_moves_are_equal_to_their_names() -> None:
    move = sw.Havannah(4).parse("b2")
    assert move == "b2" == move and hash(move) == hash("b2") and str(move) == "b2"
    assert {move: 1}["b2"] == 1 and move != "b3" and move != 3 and sorted([sw.Move("b"), sw.Move("a")])[0] == "a"  # type: ignore[index]
    assert pickle.loads(pickle.dumps(move)) == move and repr(move) == "Move('b2')"


def test_pop_takes_every_move_back(board: sw.Board) -> None:
    states = [board.copy()]
    play_randomly(board, 3, 120)
    moves = board.moves
    states = [board.at(ply) for ply in range(board.ply + 1)]
    while board.ply:
        assert board == states[board.ply]
        assert board.pop() == moves[board.ply]
    assert board == states[0]
    with pytest.raises(IndexError, match="no move to take back"):
        board.pop()
    with pytest.raises(IndexError, match="no move to take back"):
        board.undo()


def test_copies_and_pickles_are_equal_and_separate(board: sw.Board) -> None:
    play_randomly(board, 5, 9)
    copies = [board.copy(), copy.copy(board), copy.deepcopy(board)]
    copies += [pickle.loads(pickle.dumps(board, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for one in copies:
        assert one == board and hash(one) == hash(board) and one.moves == board.moves
        assert one.notation == board.notation and one.legal_actions() == board.legal_actions()
        assert str(one) == str(board) and one.position == board.position
        one.pop()
        assert one != board and one.ply == board.ply - 1
    assert board != object() and board != board.position


def test_positions_are_read_back(board: sw.Board) -> None:
    play_randomly(board, 8, 7)
    again = sw.Board(board.game, position=board.position)
    assert again.key() == board.key() and again.turn == board.turn and list(again.legal_moves) == list(board.legal_moves)
    # The text of a position of Cachex does not have the earlier boards, which a repetition would be counted with.
    assert again == board or board.game == "cachex"


def test_notations_name_the_same_game() -> None:
    board = play_randomly(sw.Havannah(6), 1)
    for name in ("hgui", "grid", "rogers", "web"):
        other = board.in_notation(name)
        assert other == board and other.notation == name
        again = sw.Havannah(6, notation=name)
        again.push_all([move.text for move in other.moves])
        assert again == board
    with pytest.raises(ValueError, match="klingon"):
        board.in_notation("klingon")


def test_symmetric_positions_share_the_canonical_key() -> None:
    keys = set()
    for corner in ("a1", "a4", "d1", "d7", "g4", "g7"):
        board = sw.Havannah(4)
        board.push(corner)
        keys.add(board.canonical())
    assert len(keys) == 1


def test_only_moves_stop_the_threat() -> None:
    board = sw.Havannah(4)
    board.push_all("a1 g4 a2 g5 a3")
    assert board.turn == "black" and board.threats("white") == ["a4"]
    assert board.only_moves() == ["a4"]
    board.push("g6")
    assert "a4" in board.only_moves()
    fresh = sw.Havannah(4)
    assert fresh.only_moves() == list(fresh.legal_moves)


@pytest.mark.parametrize(
    ("make", "depth", "count"),
    [
        (lambda: sw.Havannah(2), 3, 7 * 6 * 5),
        (lambda: sw.Havannah(3), 3, 19 * 18 * 17),
        (lambda: sw.Havannah(10), 2, 271 * 270),
        (lambda: sw.Havannah(4, swap=True), 2, 37 * 37),
        (lambda: sw.Cachex(4), 2, 12 * 16 + 4 * 15),
    ],
)
def test_perft_counts(make: object, depth: int, count: int) -> None:
    board = make()  # type: ignore[operator]
    slow = 0

    def walk(left: int) -> None:
        nonlocal slow
        if left == 0:
            slow += 1
            return
        for action in board.legal_actions():
            board.push(action)
            walk(left - 1)
            board.undo()

    walk(min(depth, 2))
    assert board.perft(min(depth, 2)) == slow
    if board.game == "havannah":
        assert board.perft(depth) == count
    with pytest.raises(ValueError, match="65"):
        board.perft(65)


def test_layers_speak() -> None:
    board = sw.Havannah(4)
    board.push_all("a1 b1 a2 b2 a3 b3")
    (threats,) = board.layers("threats")
    assert threats["findings"][0]["text"] == "White wins at once on a4."
    with pytest.raises(ValueError, match="no layer `nothing`"):
        board.layers("nothing")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sw.Board("chess"), "no game `chess`: there is havannah, cachex, cover"),
        (lambda: sw.Havannah(99), "no board of size 99: sizes are 2 to 20"),
        (lambda: sw.Havannah(-1), "no board of size -1: sizes are 2 to 20"),
        (lambda: sw.Cachex(2), "no board of size 2"),
        (lambda: sw.Cover(11), "no board of size 11"),
        (lambda: sw.Board("cachex", 5, swap=True), "no swap in Cachex"),
        (lambda: sw.Board("cachex", 5, actions="open_spiel"), "OpenSpiel has Havannah alone"),
        (lambda: sw.Havannah(4, actions="x"), "no action numbers `x`"),
        (lambda: sw.Havannah(position="nonsense"), "nonsense"),
        (lambda: sw.game("havannah(4"), "is no game"),
        (lambda: sw.game("havannah(four)"), "`four` is no option"),
        (lambda: sw.game("havannah("), "is no game"),
        (lambda: sw.game("havannah(4))"), "`4\\)` is no option"),
        (lambda: sw.game("havannah(4,5)"), "`5` is no option"),
        (lambda: sw.Havannah(4).push("z9"), "z9"),
        (lambda: sw.Havannah(4).push(38), "no move has the number 38"),
        (lambda: sw.Havannah(4).push(-1), "no move has the number -1"),
        (lambda: sw.Havannah(4).push("swap"), "swap"),
        (lambda: sw.Havannah(4).push_all("a1 a1"), r"move 2 \(a1\)"),
        (lambda: sw.Havannah(4).at(1), "0 to 0"),
        (lambda: sw.Havannah(4).threats("green"), "`green` is no side: `white` or `black`"),
        (lambda: sw.Havannah(4).planes("green"), "`green` is no side"),
        (lambda: sw.Havannah(4).planes(dtype="int99"), "no planes of `int99`"),
        (lambda: sw.batch([]), "at least one"),
        (lambda: sw.batch([sw.Havannah(4), sw.Havannah(5)]), "board 1 has planes"),
    ],
)
def test_errors_are_value_errors_with_the_value(call: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()  # type: ignore[operator]


def test_a_refused_move_changes_nothing(board: sw.Board) -> None:
    play_randomly(board, 2, 6)
    before = board.copy()
    for bad in ("zz", "", "a1 a2", 10**9, -5):
        with pytest.raises(ValueError):
            board.push(bad)
        with pytest.raises(ValueError):
            board.push_all([board.legal_moves[0], bad])
        assert board == before and board.ply == before.ply
        assert bad not in board.legal_moves
    with pytest.raises(TypeError):
        board.push(1.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        board.push(None)  # type: ignore[arg-type]


def test_texts_of_games() -> None:
    assert sw.game("havannah(8,swap)").size == 8 and sw.game("cover").game == "cover"
    assert [one["name"] for one in sw.games()] == ["havannah", "cachex", "cover"]
    board = sw.game("cachex(5)")
    board.push("0,0")
    assert str(board).count("r") == 1 and "cachex 5, 1 moves" in repr(board)
    assert board._repr_svg_().startswith("<svg") and "steal" in repr(board.legal_moves)


def test_cachex_captures_and_repeats() -> None:
    board = sw.Cachex(5)
    board.push_all(["1,1", "2,1", "4,4", "2,0", "3,0"])
    assert board.stones("blue") == [] and len(board.stones("red")) == 3
    assert board.state()["captured"][-1] == ["2,0", "2,1"]
