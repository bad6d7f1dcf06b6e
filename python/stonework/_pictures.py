"""Pictures of boards: SVG, PNG, GIF, PDF and LaTeX, and a game that can be scrubbed in a notebook."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Mapping, Sequence
from typing import TypedDict, Union

try:  # Python 3.11
    from typing import Unpack
except ImportError:  # Python 3.10
    from typing_extensions import Unpack

from ._stonework import Board, Record, Report, Value, draw, film

Heat = Union[Report, Mapping[str, float], Mapping[str, Value]]
"""Values of moves for a picture: a report of a search, numbers by move, or exact values by move."""


class Look(TypedDict, total=False):
    """The keywords of a picture. Cells are names in the notation of the board."""

    highlight: Sequence[str]
    """Cells to highlight."""
    labels: Mapping[str, str]
    """Short texts on cells."""
    arrows: Sequence[tuple[str, str]]
    """Arrows from cell to cell."""
    heat: Heat
    """Values of moves, as shades and labels."""
    layers: Sequence[str]
    """Layers of findings to mark, such as ``threats``."""
    theme: str
    """The name of a theme: ``paper``, ``wood``, ``dark``, ``contrast`` or ``colour-blind``."""
    title: str
    """A line above the picture."""
    numbers: bool
    """Number the stones in the order of play."""
    traces: bool
    """Show the effect of the last move: captured stones, the step of a stone, a shot."""
    strokes: bool
    """Strokes between neighbouring stones of one side."""
    width: int
    """The width in pixels, for PNG and GIF."""


def _entries(heat: Heat) -> list[dict[str, object]]:
    if isinstance(heat, Report):
        lines = [line for line in heat.lines if line.moves]
        return [{"move": line.moves[0], "visits": line.visits, "value": line.value} for line in lines]
    entries: list[dict[str, object]] = []
    for move, value in heat.items():
        if isinstance(value, Value):
            entries.append({"move": str(move), "outcome": value.winner or "unknown", "plies": value.plies})
        elif not math.isfinite(number := float(value)):
            raise ValueError(f"heat: the value of {str(move)[:40]} is {number}: a finite number")
        else:
            entries.append({"move": str(move), "value": number})
    return entries


def _options(look: Look) -> str:
    fields: dict[str, object] = dict(look)
    if "labels" in look:
        fields["labels"] = [[str(cell), label] for cell, label in look["labels"].items()]
    if "arrows" in look:
        fields["arrows"] = [[str(start), str(end)] for start, end in look["arrows"]]
    for name in ("highlight", "layers"):
        if name in fields:
            fields[name] = [str(one) for one in look.get(name, ())]
    if "heat" in look:
        fields["heat"] = _entries(look["heat"])
    return json.dumps(fields)


def _board(shown: Board | Record) -> Board:
    return shown.replay() if isinstance(shown, Record) else shown


def svg(shown: Board | Record, **look: Unpack[Look]) -> str:
    """The position as an SVG document.

    Raises:
        ValueError: for a name that is no cell, and for an option that pictures of the game do not have.
    """
    return draw(_board(shown), "svg", _options(look)).decode()


def png(shown: Board | Record, **look: Unpack[Look]) -> bytes:
    """The position as PNG. Raises ``ValueError`` as ``svg``, and for a width out of its range."""
    return draw(_board(shown), "png", _options(look))


def pdf(shown: Board | Record, **look: Unpack[Look]) -> bytes:
    """The position as PDF. Raises ``ValueError`` as ``svg``."""
    return draw(_board(shown), "pdf", _options(look))


def tex(shown: Board | Record, **look: Unpack[Look]) -> str:
    """The position as a LaTeX document. Raises ``ValueError`` as ``svg``."""
    return draw(_board(shown), "tex", _options(look)).decode()


def gif(shown: Board | Record, millis: int = 800, **look: Unpack[Look]) -> bytes:
    """The game as an animated GIF, a picture for each move; the last picture stays three times as long.

    Args:
        millis: the time of a picture in milliseconds.

    Raises:
        ValueError: as ``svg``, and for a time out of its range.
    """
    return film(_board(shown), "gif", millis, _options(look))


_PAGE = """<div class="stonework-scrub"><input type="range" min="0" max="{last}" value="{last}" style="width:24em"
 aria-label="move" oninput="var d=this.parentNode;var n=this.value;d.querySelector('output').textContent=n;
d.querySelectorAll('[data-ply]').forEach(function(e){{e.hidden=e.dataset.ply!==n}})"> move <output>{last}</output>
{frames}</div>"""


class Scrub:
    """A game to scrub through in a notebook: a slider over the pictures of its positions."""

    def __init__(self, board: Board, look: Look) -> None:
        self._frames = [svg(board.at(ply), **look) for ply in range(board.ply + 1)]
        self._text = str(board)

    def __len__(self) -> int:
        return len(self._frames)

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        last = len(self._frames) - 1
        frames = "".join(
            f'<div data-ply="{ply}"{"" if ply == last else " hidden"}>{frame}</div>'
            for ply, frame in enumerate(self._frames)
        )
        return _PAGE.format(last=last, frames=frames)

    def page(self, title: str = "Stonework") -> str:
        """The slider as a whole HTML page, for a file."""
        return f"<!doctype html><meta charset=utf-8><title>{html.escape(title)}</title>{self._repr_html_()}"


def scrub(shown: Board | Record, **look: Unpack[Look]) -> Scrub:
    """The game with a slider, for a notebook. Raises ``ValueError`` as ``svg``."""
    return Scrub(_board(shown), look)
