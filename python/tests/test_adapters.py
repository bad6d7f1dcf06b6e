"""The adapters, held by the other libraries' own suites. A test is skipped, with a reason, where the library is not installed."""

from __future__ import annotations

import os
import random
import warnings
from typing import Any

import numpy as np
import pytest

import stonework as sw

GAMES = [("havannah", 3, False), ("havannah", 4, True), ("cachex", 4, False), ("cover", 1, False)]
NO_OPEN_SPIEL = "open_spiel is not installed: pip install 'stonework[openspiel]'"


@pytest.mark.parametrize(("game", "size", "swap"), GAMES)
def test_pettingzoo_api_and_seeds(game: str, size: int, swap: bool) -> None:
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed: pip install 'stonework[pettingzoo]'")
    from pettingzoo.test import api_test, seed_test

    import stonework.pettingzoo as zoo

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(zoo.env(game, size, swap=swap), num_cycles=300)
        seed_test(lambda: zoo.env(game, size, swap=swap), num_cycles=50)


def test_pettingzoo_rewards_and_pictures() -> None:
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed: pip install 'stonework[pettingzoo]'")
    import stonework.pettingzoo as zoo

    env = zoo.raw_env("havannah", 3, render_mode="svg")
    env.reset(seed=1)
    for text in "a1 b1 a2 b2 a3".split():
        assert env.observe(env.agent_selection)["action_mask"].any()
        env.step(env.board.parse(text).action)
    assert env.rewards == {"player_0": 1, "player_1": -1} and all(env.terminations.values())
    picture = env.render()
    assert picture is not None and picture.startswith("<svg")
    with pytest.raises(ValueError, match="no render mode `human`"):
        zoo.raw_env(render_mode="human")


@pytest.mark.parametrize(("game", "size", "swap"), GAMES)
@pytest.mark.parametrize("side", [0, 1, None])
def test_gymnasium_check_env(game: str, size: int, swap: bool, side: int | None) -> None:
    pytest.importorskip("gymnasium", reason="gymnasium is not installed: pip install 'stonework[gymnasium]'")
    from gymnasium.utils.env_checker import check_env

    from stonework.gymnasium import Env

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(Env(game, size, swap=swap, side=side, render_mode="ansi"))


def test_gymnasium_learner_beats_random_moves() -> None:
    pytest.importorskip("gymnasium", reason="gymnasium is not installed: pip install 'stonework[gymnasium]'")
    from stonework.gymnasium import Env

    env, player = Env("havannah", 3, side=None), sw.Engine("mcts", simulations=60)
    total = 0.0
    for game in range(12):
        env.reset(seed=game)
        over = False
        while not over:
            move = player.play(env.board)
            assert move is not None
            _, reward, over, truncated, _ = env.step(move.action)
            assert not truncated
        total += reward
    assert total >= 8
    env.reset()
    assert env.step(env.action_space.n - 1)[1:3] == (-1.0, True)
    strong = Env("havannah", 3, side=1, opponent=sw.Engine("mcts", simulations=60))
    strong.reset(seed=1)
    assert strong.board.ply == 1
    with pytest.raises(ValueError, match="no game goes on: reset the environment first"):
        env.step(0)
    resigns = sw.Engine("mcts:resign_at=1000000,resign_after=1", simulations=20)
    weak = Env("havannah", 4, side=1, opponent=resigns)
    weak.reset(seed=1)
    assert weak.step(0)[1:4] == (1.0, True, False)
    with pytest.raises(ValueError, match="no game goes on"):
        weak.step(0)


def test_gymnasium_after_the_end_and_after_an_exception() -> None:
    pytest.importorskip("gymnasium", reason="gymnasium is not installed: pip install 'stonework[gymnasium]'")
    from stonework.gymnasium import Env

    class Opponent:
        """Plays a move, then raises, then plays, then resigns."""

        def __init__(self) -> None:
            self.calls = 0

        def play(self, board: sw.Board) -> sw.Move | None:
            self.calls += 1
            if self.calls == 2:
                raise KeyboardInterrupt
            return board.legal_moves[0] if self.calls < 4 else None

    env = Env("havannah", 4, opponent=Opponent())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no game goes on"):
        env.step(3)
    env.reset(seed=1)
    env.step(20)
    before = env.board.copy()
    # The learner's stone stayed on the board, and the next step played for the opponent.
    with pytest.raises(KeyboardInterrupt):
        env.step(21)
    assert env.board.moves == before.moves
    for action in (1.5, None, "1", np.float64(2)):
        with pytest.raises(TypeError):
            env.step(action)
    assert env.board.moves == before.moves
    assert env.step(np.int64(21))[1:4] == (0.0, False, False) and env.board.ply == 4
    assert env.step(22)[1:4] == (1.0, True, False)
    # A further step played for the opponent that had resigned.
    with pytest.raises(ValueError, match="no game goes on"):
        env.step(23)
    assert env.board.ply == 5


def test_pettingzoo_takes_whole_numbers_alone() -> None:
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed: pip install 'stonework[pettingzoo]'")
    import stonework.pettingzoo as zoo

    env = zoo.raw_env("havannah", 3)
    env.reset()
    for action in (1.7, "1"):
        with pytest.raises(TypeError):
            env.step(action)
    assert env.board.ply == 0
    env.step(np.int64(1))
    assert env.board.moves == [env.board.parse(1)]


@pytest.mark.parametrize("name", [
    "stonework_havannah(board_size=3)", "stonework_havannah(board_size=4,swap=True)",
    "stonework_cachex(board_size=4)", "stonework_cover(board_size=1)",
])
def test_open_spiel_random_sim(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason=NO_OPEN_SPIEL)
    import stonework.openspiel  # noqa: F401

    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=5, serialize=True, verbose=False)


def random_games_agree(games: int, seed: int) -> int:
    """Plays random games on both sides; returns the plies."""
    import pyspiel

    from stonework.openspiel import from_open_spiel, to_open_spiel

    rng, plies = random.Random(seed), 0
    sizes = [(4, False), (4, True), (5, True), (6, False), (8, True)]
    loaded = {one: pyspiel.load_game(f"havannah(board_size={one[0]},swap={one[1]})") for one in sizes}
    for number in range(games):
        # Nine games of ten are on the smallest boards.
        size, swap = sizes[number % 2] if number % 10 else sizes[number // 10 % 5]
        state: Any = loaded[size, swap].new_initial_state()
        board = sw.Havannah(size, swap=swap, actions="open_spiel")
        while not state.is_terminal():
            legal = state.legal_actions()
            if number % 50 == 0:
                assert sorted(board.legal_actions()) == legal
                assert [board.parse(action) for action in legal if board.parse(action) != "swap"] == [
                    state.action_to_string(state.current_player(), action)
                    for action in legal if board.parse(action) != "swap"
                ]
                theirs = np.array(state.observation_tensor(0)).reshape(3, 2 * size - 1, 2 * size - 1)
                np.testing.assert_array_equal(board.planes("white")[:3], theirs)
                assert board.player == state.current_player()
            action = rng.choice(legal)
            state.apply_action(action)
            board.push(action)
            plies += 1
        end = board.outcome()
        assert end is not None
        assert state.returns() == ([0, 0] if end.winner is None else [1, -1] if end.winner == "white" else [-1, 1])
        if number % 50 == 0:
            again = from_open_spiel(state)
            assert again == board and again.moves == board.moves
            assert str(to_open_spiel(board)) == str(state)
    return plies


def test_open_spiel_random_games_agree() -> None:
    pytest.importorskip("pyspiel", reason=NO_OPEN_SPIEL)
    assert random_games_agree(1000, 7) > 20_000


@pytest.mark.skipif("STONEWORK_LONG" not in os.environ, reason="minutes: set STONEWORK_LONG=1")
def test_open_spiel_hundred_thousand_random_games_agree() -> None:
    pytest.importorskip("pyspiel", reason=NO_OPEN_SPIEL)
    plies = random_games_agree(100_000, 11)
    print(f"100000 games, {plies} plies")


def test_open_spiel_refusals() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason=NO_OPEN_SPIEL)
    from stonework.openspiel import from_open_spiel, to_open_spiel

    with pytest.raises(ValueError, match="a state of tic_tac_toe"):
        from_open_spiel(pyspiel.load_game("tic_tac_toe").new_initial_state())
    with pytest.raises(ValueError, match="only Havannah from the empty board"):
        to_open_spiel(sw.Cachex(4))
