"""A game of one's own, by the registry that gives it to the command line, has the classes of the package."""

from __future__ import annotations

import pytest

own = pytest.importorskip("tic_tac_toe", reason="tic_tac_toe is not installed: pip install ./python/own_game")


def board(*moves: str):
    result = own.Board("tic-tac-toe", 3)
    for move in moves:
        result.push(move)
    return result


def test_a_game_of_ones_own_plays() -> None:
    game = board("5", "1", "3", "7", "4")
    assert (game.turn, game.ply, str(game.moves[-1]), len(game.legal_moves)) == ("o", 5, "4", 4)
    assert game.position == "o.xxx.o.."
    with pytest.raises(ValueError, match="cell 5 is not free"):
        game.push("5")
    with pytest.raises(ValueError, match="no move has the number 9"):
        game.push(9)
    assert str(game.pop()) == "4"
    assert game == board("5", "1", "3", "7")
    assert [str(move) for move in game.only_moves()] == ["4"]
    assert game.perft(2) == 5 * 4


def test_engines_matches_and_the_games_of_stonework() -> None:
    names = {game["name"] for game in own.games()}
    assert {"tic-tac-toe", "havannah", "cachex", "cover"} <= names
    engine = own.Engine("minimax", nodes=1_000_000)
    assert str(engine.play(board("5", "1", "3"))) == "7"
    result = own.play_match(["minimax:nodes=1000000", "simple"], game="tic-tac-toe", size=3, rounds=2, opening=0)
    assert len(result.games) == 4
    assert own.Board("havannah", 4).planes().shape == (5, 7, 7)


def test_what_such_a_game_does_not_have_is_refused() -> None:
    for call in (lambda: board().planes(), lambda: board().planes_shape, lambda: own.batch([board()])):
        with pytest.raises(ValueError, match="the game tic-tac-toe has no planes"):
            call()
    with pytest.raises(ValueError, match="does not tell its stones"):
        board().stones("x")
    with pytest.raises(ValueError, match="no boards at once"):
        own.Vector("tic-tac-toe", 3)
