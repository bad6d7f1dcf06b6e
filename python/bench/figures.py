"""The figures of ``docs/results/python.md``: costs of calls, and moves a second beside OpenSpiel, in one run.

    python bench/figures.py

OpenSpiel's column is left out where ``open_spiel`` is not installed.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import stonework as sw

ROUNDS = 5


def best(work: Callable[[], int]) -> float:
    """The least nanoseconds of processor time for one unit; ``work`` returns the units done."""
    costs: list[float] = []
    for _ in range(ROUNDS):
        start = time.process_time_ns()
        units = work()
        costs.append((time.process_time_ns() - start) / units)
    return min(costs)


def repeated(call: Callable[[], Any], count: int) -> float:
    """The nanoseconds of one call."""

    def work() -> int:
        for _ in range(count):
            call()
        return count

    return best(work)


def games(size: int, count: int) -> list[list[int]]:
    """Random games as action numbers of OpenSpiel."""
    rng, played = random.Random(1), list[list[int]]()
    for _ in range(count):
        board, actions = sw.Havannah(size, actions="open_spiel"), list[int]()
        while not board.is_over:
            actions.append(rng.choice(board.legal_actions()))
            board.push(actions[-1])
        played.append(actions)
    return played


def plies(size: int, played: list[list[int]]) -> dict[str, Callable[[], int]]:
    """The same moves on boards of Stonework."""

    def push() -> int:
        for actions in played:
            push = sw.Havannah(size, actions="open_spiel").push
            for action in actions:
                push(action)
        return sum(map(len, played))

    def usual() -> int:
        rng, count = random.Random(2), 0
        for _ in played:
            board = sw.Havannah(size)
            while not board.is_over:
                board.push(rng.choice(board.legal_actions()))
                count += 1
        return count

    return {"a given move": push, "a random legal move": usual}


def open_spiel_plies(size: int, played: list[list[int]]) -> dict[str, Callable[[], int]]:
    """The same moves on states of OpenSpiel."""
    import pyspiel

    game: Any = pyspiel.load_game(f"havannah(board_size={size})")

    def push() -> int:
        for actions in played:
            apply = game.new_initial_state().apply_action
            for action in actions:
                apply(action)
        return sum(map(len, played))

    def usual() -> int:
        rng, count = random.Random(2), 0
        for _ in played:
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
                count += 1
        return count

    return {"a given move": push, "a random legal move": usual}


def vectors(size: int) -> dict[str, float]:
    """Nanoseconds a move on 1024 boards at once."""
    vector = sw.Vector("havannah", size, 1024, seed=1)
    planes = np.empty((1024, *vector.planes_shape), np.float32)
    masks = np.empty((1024, vector.action_count), np.bool_)

    def step() -> int:
        for _ in range(300):
            vector.step(vector.random_actions())
        return 300 * 1024

    def step_and_look() -> int:
        for _ in range(40):
            vector.step(vector.random_actions())
            vector.masks(out=masks)
            vector.planes(out=planes)
        return 40 * 1024

    return {"random actions and step": best(step), "the same, with masks and planes": best(step_and_look)}


def import_time() -> float:
    """Milliseconds of ``import stonework`` beyond those of ``import numpy``."""
    code = "import time, numpy; t = time.perf_counter(); import stonework; print((time.perf_counter() - t) * 1e3)"
    runs = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in range(9)]
    return min(runs)


def main() -> None:
    """Prints all figures."""
    size, played = 8, games(8, 100)
    board = sw.Havannah(size)
    board.push_all("h8 g7 f6")

    def number() -> None:
        board.push(3)
        board.undo()

    def name() -> None:
        board.push("a4")
        board.undo()

    print(f"import stonework: {import_time():.1f} ms beyond numpy")
    calls: dict[str, Callable[[], Any]] = {
        "board.ply": lambda: board.ply,
        "board.is_over": lambda: board.is_over,
        "board.outcome()": board.outcome,
        "board.legal_actions()": board.legal_actions,
        "board.legal_mask()": board.legal_mask,
        "board.planes()": board.planes,
        "board.copy()": board.copy,
        "push and undo, number": number,
        "push and undo, name": name,
        "'a4' in legal_moves": lambda: "a4" in board.legal_moves,
    }
    for title, call in calls.items():
        print(f"{title:28} {repeated(call, 20_000):8.0f} ns")
    ours = {name: best(work) for name, work in plies(size, played).items()}
    try:
        theirs = {name: best(work) for name, work in open_spiel_plies(size, played).items()}
    except ImportError:
        theirs = {}
        print("open_spiel is not installed: its column is left out")
    for title, cost in ours.items():
        beside = f", OpenSpiel {theirs[title]:6.0f} ns, {theirs[title] / cost:.1f} x" if title in theirs else ""
        print(f"{title:28} {cost:8.0f} ns{beside}")
    for title, cost in vectors(size).items():
        beside = "".join(f", {one / cost:.0f} x OpenSpiel's {kind}" for kind, one in theirs.items())
        print(f"{title:32} {cost:6.1f} ns, {1e3 / cost:.1f} million moves a second{beside}")
    if theirs:
        import pyspiel

        state: Any = pyspiel.load_game(f"havannah(board_size={size})").new_initial_state()
        print(f"OpenSpiel's observation_tensor {repeated(lambda: state.observation_tensor(0), 3000):.0f} ns")


if __name__ == "__main__":
    main()
