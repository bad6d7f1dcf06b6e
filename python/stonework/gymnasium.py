"""One side of a game as a Gymnasium environment: ``stonework.gymnasium.Env("havannah", 4)``. Needs ``stonework[gymnasium]``."""

from __future__ import annotations

import operator
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from . import _adapt
from ._stonework import Board, Engine

__all__ = ["Env"]


class Env(gymnasium.Env[dict[str, Any], Any]):
    """One side of a game; an engine or random moves are the other side.

    An observation is a dictionary: ``observation``, float32, the planes of ``Board.planes`` from the learner's side;
    ``action_mask``, int8, 1 for the legal actions. The reward is 1 for a win, −1 for a loss, and 0 otherwise. An illegal action
    loses the game. After the end of a game, and after an exception in ``reset``, ``step`` asks for a ``reset``; after an exception
    in ``step``, such as Ctrl-C in the opponent's search, the game is as it was before the step.

    Args:
        game, size, swap: the game; the usual size unless given.
        opponent: an engine; random legal moves unless given.
        side: the learner's side: 0 moves first, 1 second, ``None`` is drawn anew for each game.
        render_mode: ``ansi`` for text, or none.

    Raises:
        ValueError: for a game, size, side or mode that does not exist.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: str = "havannah",
        size: int | None = None,
        *,
        swap: bool = False,
        opponent: Engine | None = None,
        side: int | None = 0,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"no render mode `{render_mode}`: ansi")
        if side not in (None, 0, 1):
            raise ValueError(f"no side {side}: 0, 1 or None")
        self.render_mode = render_mode
        self._start = _adapt.board(game, size, swap)
        self.board: Board = self._start.copy()
        """The present game."""
        self.opponent, self._side, self._learner = opponent, side, side or 0
        self._most = _adapt.most_plies(self._start)
        self._resigned, self._goes_on = False, False
        actions = self._start.action_count
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, self._start.planes_shape, np.float32),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(actions)

    def _observation(self) -> dict[str, Any]:
        planes = self.board.planes(self.board.sides[self._learner])
        return {"observation": planes, "action_mask": self.board.legal_mask().astype(np.int8)}

    def _answer(self) -> bool:
        """The opponent's moves until the learner is to move. Returns ``True`` if the opponent resigns."""
        while not self.board.is_over and self.board.player != self._learner:
            if self.opponent is None:
                self.board.push(int(self.np_random.choice(self.board.legal_actions())))
                continue
            move = self.opponent.play(self.board)
            if move is None:
                return True
            self.board.push(move)
        return False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begins a new game, with the opponent's first move if the learner is second.

        An opponent that resigns in place of its first move has lost: the first step ends the game with reward 1, whatever the action.
        """
        super().reset(seed=seed, options=options)
        self.board = self._start.copy()
        self._goes_on = False
        self._learner = int(self.np_random.integers(2)) if self._side is None else self._side
        self._resigned = self._answer()
        self._goes_on = True
        return self._observation(), {}

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Plays the learner's action and the opponent's answer.

        Raises:
            ValueError: before the first ``reset`` and after the end of a game.
            TypeError: for an action that is no whole number.
        """
        if not self._goes_on:
            raise ValueError("no game goes on: reset the environment first")
        if self._resigned:
            self._goes_on = False
            return self._observation(), 1.0, True, False, {"resigned": True}
        number = operator.index(action)
        if not self.board.is_legal(number):
            self._goes_on = False
            return self._observation(), -1.0, True, False, {"illegal": number}
        before = self.board.ply
        try:
            self.board.push(number)
            resigned = self._answer()
        except BaseException:
            while self.board.ply > before:
                self.board.undo()
            raise
        end = self.board.outcome()
        reward = 1.0 if resigned else 0.0 if end is None else float(_adapt.reward(end, self.board, self._learner))
        over = resigned or end is not None
        truncated = not over and self.board.ply >= self._most
        self._goes_on = not (over or truncated)
        return self._observation(), reward, over, truncated, {}

    def render(self) -> Any:
        """The board as text, in the mode ``ansi``."""
        return str(self.board) if self.render_mode == "ansi" else None
