"""Random calls with random arguments, memory, and threads."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import pickle
import random
import threading
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import psutil
import pytest

import stonework as sw

from .conftest import GAMES, play_randomly

CALLS = 100_000
# Bytes by which resident memory may grow in a series of calls, and how many series may show that it does not.
GROWN, SERIES = 16 << 20, 3


def arguments(rng: random.Random, board: sw.Board) -> Any:
    """A value of any kind; half of them are moves."""
    if rng.random() < 0.5 and not board.is_over:
        action = rng.choice(board.legal_actions())
        return rng.choice([action, board.parse(action), board.parse(action).text, np.int64(action)])
    return rng.choice([
        None, True, -1, 0, 1, 7, 10**6, 2**70, 1.5, float("nan"), "", "a1", "swap", "steal", "zz", "é" * 50, "white", "red",
        "mover", "grid", "web", b"a1", [], ["a1"], ["a1", "a1"], {"a": 1}, board, board.legal_moves, sw.Move("c3"), np.zeros(3),
    ])


def test_random_calls_raise_nothing_but_errors_and_keep_no_memory() -> None:
    rng = random.Random(5)
    makers: list[Callable[[], sw.Board]] = list(GAMES.values())
    heavy = {"perft", "layers", "only_moves", "_repr_svg_", "record", "state"}
    names = [name for name in dir(sw.Board) if not name.startswith("__") or name in ("__eq__", "__hash__", "__str__")]
    process = psutil.Process()

    def run(calls: int) -> dict[str, int]:
        counts = {"fine": 0, "refused": 0}
        board = makers[0]()
        for _ in range(calls):
            if rng.random() < 0.02 or board.is_over:
                board = rng.choice(makers)()
            name = rng.choice(names)
            if name in heavy and rng.random() < 0.95:
                name = "push"
            given = [arguments(rng, board) for _ in range(rng.choice([0, 1, 1, 1, 2]))]
            if name == "perft":
                given = [1]
            try:
                member = getattr(board, name)
                if callable(member):
                    member(*given)
                counts["fine"] += 1
            except (ValueError, TypeError, IndexError, OverflowError):
                counts["refused"] += 1
        return counts

    run(CALLS // 5)
    gc.collect()
    tracemalloc.start()
    traced, resident = tracemalloc.get_traced_memory()[0], process.memory_info().rss
    counts = run(CALLS)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - traced
    tracemalloc.stop()
    assert counts["fine"] > CALLS // 5 and counts["refused"] > CALLS // 10
    assert grown < 200_000, f"{grown} bytes of Python"
    assert process.memory_info().rss - resident < 24 << 20


def test_a_number_beyond_its_type_is_a_value_error_with_the_number() -> None:
    board = sw.Havannah(4)
    calls: list[Callable[[int], Any]] = [
        lambda n: sw.Havannah(n), board.at, board.perft, lambda n: sw.Vector("havannah", 4, n),
        lambda n: sw.Vector("havannah", n), lambda n: sw.Vector("havannah", 4, 1, seed=n),
        lambda n: sw.Engine("mcts", nodes=n), lambda n: sw.Engine("mcts", simulations=n),
        lambda n: sw.Engine("mcts", depth=n), lambda n: sw.Engine("mcts", memory=n), lambda n: sw.Engine("mcts", threads=n),
        lambda n: sw.Engine("mcts", seed=n), lambda n: sw.Engine("mcts", lines=n),
        lambda n: sw.Engine("mcts", simulations=1).analyse(board, lines=n),
        lambda n: sw.play_match(["mcts:nodes=1", "uct:nodes=1"], size=n), lambda n: sw.play_match(["mcts", "uct"], rounds=n),
        lambda n: sw.play_match(["mcts", "uct"], seed=n), lambda n: sw.Table.solve("cover", n),
        lambda n: sw.Table.solve("cover", 1, threads=n), lambda n: sw.Table.solve("cover", 1, memory=n), lambda n: sw.gif(board, n),
        lambda n: sw.conform(dict, sizes=[3, n]), lambda n: sw.conform(dict, games=n), lambda n: sw.conform(dict, seed=n),
    ]
    for place, call in enumerate(calls):
        for number in (-1, 2**70):
            if number == -1 and place < 2:
                continue  # Both have a sentence of their own for a number below 0.
            with pytest.raises(ValueError, match=rf"{number}"):
                call(number)


def test_an_exception_of_a_move_is_raised_and_leaves_the_board() -> None:
    class Odd:
        def __init__(self, error: BaseException) -> None:
            self.error = error

        def __index__(self) -> int:
            raise self.error

    board = sw.Havannah(4)
    for error in (KeyboardInterrupt(), RuntimeError("odd")):
        odd: Any = Odd(error)
        with pytest.raises(type(error)):
            board.push(odd)
        with pytest.raises(type(error)):
            board.push_all(["a1", odd])
    with pytest.raises(TypeError, match=r"move 2 \(None\): a move is a string"):
        board.push_all(["a1", None])  # type: ignore[list-item]
    assert board.ply == 0
    board.push("a1")
    with pytest.raises(ValueError, match="no move has the number 99999"):
        board.__setstate__([5, 6, 99999])
    assert board.moves == ["a1"]
    board.__setstate__([5, 6])
    assert [move.action for move in board.moves] == [5, 6]


def trim() -> None:
    """Gives freed memory back to the system, where the C library can: it may keep 18 MB of a thread that has ended."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


@pytest.mark.parametrize("work", ["boards", "planes", "pickles", "searches", "pictures", "records"])
def test_no_object_is_leaked(work: str) -> None:
    def once() -> None:
        board = play_randomly(sw.Havannah(6), 3)
        if work == "planes":
            board.planes()
            sw.batch([board] * 20)
            board.legal_mask()
        elif work == "pickles":
            pickle.loads(pickle.dumps(board))
        elif work == "searches":
            sw.Engine("mcts", simulations=100).analyse(sw.Havannah(4))
            next(sw.Engine("mcts", seconds=9).watch(sw.Havannah(4)))
        elif work == "pictures":
            sw.svg(board, labels={"c3": "x"})
        elif work == "records":
            sw.Record.parse(board.record()).main_line

    process = psutil.Process()
    rounds = {"searches": 6, "pictures": 40}.get(work, 400)
    for _ in range(rounds):
        once()
    gc.collect()
    trim()
    objects = len(gc.get_objects())
    # A leak makes each series larger by as much; memory that the C library or the system keeps does not grow with the series.
    for _ in range(SERIES):
        resident = process.memory_info().rss
        for _ in range(rounds):
            once()
        gc.collect()
        # The thread of a search that is over frees its tree a moment later.
        deadline = time.monotonic() + 10
        while process.memory_info().rss - resident >= GROWN and time.monotonic() < deadline:
            time.sleep(0.05)
            trim()
        grown = process.memory_info().rss - resident
        if grown < GROWN:
            break
    assert grown < GROWN, f"{grown} bytes more after each of {SERIES} series"
    assert len(gc.get_objects()) - objects < 50


def test_two_threads_on_two_boards() -> None:
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            for number in range(30):
                board = play_randomly(sw.Havannah(5), seed + number)
                other = sw.Havannah(5)
                other.push_all(board.moves)
                assert other == board and other.outcome() == board.outcome()
            assert sw.Engine("mcts", simulations=300, seed=seed).play(sw.Havannah(5)) is not None
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in (1, 1000, 1, 5000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_many_threads_on_one_board_raise_or_work() -> None:
    board, failures = sw.Havannah(10), list[BaseException]()

    def work(seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(2000):
            try:
                board.push(rng.randrange(271))
                if rng.random() < 0.5:
                    board.undo()
                str(board.ply), board.key()
            except (ValueError, IndexError, RuntimeError):
                pass
            except BaseException as error:
                failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert sw.Board("havannah", position=board.position).stones("white") == board.stones("white")
