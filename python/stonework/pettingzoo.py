"""The games as PettingZoo environments: ``stonework.pettingzoo.env("havannah", 8)``. Needs ``stonework[pettingzoo]``."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.agent_selector import AgentSelector

from . import _adapt, svg
from ._stonework import Board

__all__ = ["env", "raw_env"]


def env(game: str = "havannah", size: int | None = None, *, swap: bool = False, render_mode: str | None = None) -> Any:
    """An AEC environment with PettingZoo's checks of the order of calls; an illegal action ends the game as a loss.

    The arguments are those of ``raw_env``.
    """
    checked: Any = raw_env(game, size, swap=swap, render_mode=render_mode)
    checked = wrappers.TerminateIllegalWrapper(checked, illegal_reward=-1)
    checked = wrappers.AssertOutOfBoundsWrapper(checked)
    return wrappers.OrderEnforcingWrapper(checked)


class raw_env(AECEnv[str, Any, Any]):
    """A game as an AEC environment.

    The agents are ``player_0``, which moves first, and ``player_1``. An observation is a dictionary: ``observation``, float32,
    the planes of ``Board.planes`` as the agent sees them; ``action_mask``, int8, 1 for the legal actions of the agent to move
    and 0 for the other agent. Rewards are 1, 0 and −1, at the end.

    Args:
        game, size, swap: the game; the usual size unless given.
        render_mode: ``ansi`` for text, ``svg`` for a picture, or none.

    Raises:
        ValueError: for a game, size or mode that does not exist.
    """

    metadata = {"name": "stonework_v0", "render_modes": ["ansi", "svg"], "is_parallelizable": False, "render_fps": 1}

    def __init__(
        self, game: str = "havannah", size: int | None = None, *, swap: bool = False, render_mode: str | None = None
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi", "svg"):
            raise ValueError(f"no render mode `{render_mode}`: ansi or svg")
        self.render_mode = render_mode
        self._start = _adapt.board(game, size, swap)
        self.board: Board = self._start.copy()
        """The present game."""
        self._most = _adapt.most_plies(self._start)
        self.possible_agents = ["player_0", "player_1"]
        self.agents = self.possible_agents[:]
        shape, actions = self._start.planes_shape, self._start.action_count
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees: the planes from its side, and its legal actions."""
        number = self.possible_agents.index(agent)
        mover = not self.board.is_over and self.board.player == number
        mask = self.board.legal_mask() if mover else np.zeros(self.board.action_count, np.bool_)
        planes = self.board.planes(self.board.sides[number])
        return {"observation": planes, "action_mask": mask.astype(np.int8)}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game. The game has no chance: ``seed`` changes nothing but the sampling of actions."""
        del options
        self.board = self._start.copy()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: dict[str, Any]() for agent in self.agents}
        self._selector = AgentSelector(self.agents)
        self.agent_selection = self.agents[self.board.player]
        if seed is not None:
            for number, agent in enumerate(self.agents):
                self.action_space(agent).seed(seed + number)

    def step(self, action: Any) -> None:
        """Plays the action of the agent to move.

        Raises:
            ValueError: for an illegal action.
            TypeError: for an action that is no whole number.
        """
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        mover = self.agent_selection
        self.board.push(operator.index(action))
        self._cumulative_rewards[mover] = 0
        end = self.board.outcome()
        if end is not None:
            for number, agent in enumerate(self.agents):
                self.rewards[agent] = _adapt.reward(end, self.board, number)
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.board.ply >= self._most:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[1 - self.agents.index(mover) if end else self.board.player]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text or as SVG, by the render mode."""
        return str(self.board) if self.render_mode == "ansi" else svg(self.board) if self.render_mode == "svg" else None

    def close(self) -> None:
        """Nothing is open."""
