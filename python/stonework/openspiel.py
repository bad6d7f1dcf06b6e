"""The games for OpenSpiel, and games to and from OpenSpiel's Havannah. Needs ``stonework[openspiel]``.

Importing this module registers ``stonework_havannah``, ``stonework_cachex`` and ``stonework_cover``:

    import pyspiel, stonework.openspiel
    game = pyspiel.load_game("stonework_havannah(board_size=8,swap=True)")

The action numbers of ``stonework_havannah`` are those of OpenSpiel's ``havannah``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from . import _adapt
from ._stonework import Board

__all__ = ["StoneworkGame", "StoneworkState", "from_open_spiel", "to_open_spiel"]

_SIZES = {"havannah": 8, "cachex": 8, "cover": 4}


def _kind(name: str) -> Any:
    parameters: dict[str, Any] = {"board_size": _SIZES[name]}
    if name == "havannah":
        parameters["swap"] = False
    return pyspiel.GameType(
        short_name=f"stonework_{name}",
        long_name=f"Stonework {name.capitalize()}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


class StoneworkGame(pyspiel.Game):
    """A game of Stonework as a game of OpenSpiel. ``pyspiel.load_game`` makes it.

    Raises:
        ValueError: for a size that the game does not have.
    """

    name = "havannah"
    kind: Any = None

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        size, swap = int(params.get("board_size", _SIZES[self.name])), bool(params.get("swap", False))
        numbers = "open_spiel" if self.name == "havannah" else None
        self.start = _adapt.board(self.name, size, swap, numbers)
        self.most = _adapt.most_plies(self.start)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.start.action_count,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.most,
        )
        super().__init__(self.kind, info, params)

    def new_initial_state(self, state: Any = None) -> StoneworkState:
        """A state at the beginning of a game."""
        if state is not None:
            raise ValueError("a state of Stonework begins at the first position: apply the actions of its history")
        return StoneworkState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """The observer: the planes of ``Board.planes`` from the side of the player."""
        if params:
            raise ValueError(f"no parameters of observations, not {params}")
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(self.start)
        from open_spiel.python.observation import IIGObserverForPublicInfoGame

        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class StoneworkState(pyspiel.State):
    """A position of a ``StoneworkGame``; ``board`` is the board."""

    def __init__(self, game: StoneworkGame) -> None:
        super().__init__(game)
        self.board: Board = game.start.copy()
        self._most = game.most

    def __deepcopy__(self, memo: Any) -> StoneworkState:
        del memo
        copy = StoneworkState(self.get_game())
        for action in self.history():
            copy.apply_action(action)
        return copy

    def current_player(self) -> Any:
        """The number of the player to move, or ``TERMINAL``."""
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.board.player

    def _legal_actions(self, player: int) -> list[int]:
        del player
        return sorted(self.board.legal_actions())

    def _apply_action(self, action: int) -> None:
        self.board.push(action)

    def _action_to_string(self, player: int, action: int) -> str:
        del player
        return self.board.parse(action).text

    def is_terminal(self) -> bool:
        """``True`` after the end; a game of Cover ends as a draw after 1000 moves."""
        return self.board.is_over or self.board.ply >= self._most

    def returns(self) -> list[float]:
        """1 for the winner and −1 for the loser; 0 before the end and for a draw."""
        end = self.board.outcome()
        return [0.0, 0.0] if end is None else [float(_adapt.reward(end, self.board, player)) for player in (0, 1)]

    def __str__(self) -> str:
        return str(self.board)


class _Observer:
    """Planes of a position, by OpenSpiel's protocol of observers."""

    def __init__(self, start: Board) -> None:
        shape = start.planes_shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": np.reshape(self.tensor, shape)}

    def set_from(self, state: StoneworkState, player: int) -> None:
        self.dict["observation"][:] = state.board.planes(state.board.sides[player])

    def string_from(self, state: StoneworkState, player: int) -> str:
        del player
        return str(state.board)


def _register() -> None:
    for name in _SIZES:
        kind = _kind(name)
        pyspiel.register_game(kind, type(f"{name.capitalize()}Game", (StoneworkGame,), {"name": name, "kind": kind}))


_register()


def from_open_spiel(state: Any) -> Board:
    """The board of a state of OpenSpiel's ``havannah``, with its history; action numbers are OpenSpiel's.

    Raises:
        ValueError: for a state of another game.
    """
    game = state.get_game()
    name, parameters = game.get_type().short_name, game.get_parameters()
    if name != "havannah":
        raise ValueError(f"a state of {name}: only states of havannah have boards")
    size, swap = int(parameters.get("board_size", 8)), bool(parameters.get("swap", False))
    board = Board("havannah", size, swap=swap, actions="open_spiel")
    board.push_all([int(action) for action in state.history()])
    return board


def to_open_spiel(board: Board) -> Any:
    """The state of OpenSpiel's ``havannah`` after the moves of a board.

    Raises:
        ValueError: for another game, and for a board that does not begin empty.
    """
    start = board.at(0)
    if board.game != "havannah" or start.stones("white") or start.stones("black") or start.turn != "white":
        raise ValueError(f"{board!r}: only Havannah from the empty board has a state")
    swap = start.position.split()[2] != "-"
    same = Board("havannah", board.size, swap=swap, actions="open_spiel")
    same.push_all([move.text for move in board.in_notation("hgui").moves])
    state = pyspiel.load_game("havannah", {"board_size": board.size, "swap": swap}).new_initial_state()
    for move in same.moves:
        state.apply_action(move.action)
    return state
