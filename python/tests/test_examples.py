"""The notebook and the examples run from top to bottom, and their types are right."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PYTHON = Path(__file__).resolve().parents[1]


def run(*command: str, folder: Path = PYTHON) -> str:
    done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("name", "words"),
    [("check_rules.py", 'outcome is null, we say "white"'), ("review.py", "was better"), ("self_play.py", "won by the first side")],
)
def test_example(name: str, words: str) -> None:
    assert words in run(f"examples/{name}")


def test_notebook() -> None:
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed: pip install 'stonework[test]'")
    import nbformat

    notebook = nbformat.read(PYTHON / "notebooks/stonework.ipynb", as_version=4)
    path = {"metadata": {"path": str(PYTHON / "notebooks")}}
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=path).execute()
    assert not any(output.output_type == "error" for cell in notebook.cells for output in cell.get("outputs", []))


def test_types_of_the_examples_and_of_the_stubs() -> None:
    pytest.importorskip("mypy", reason="mypy is not installed: pip install 'stonework[test]'")
    run("-m", "mypy", "--strict", "examples", "bench")
    # Beside the tests and not beside the sources, so that the installed package is compared.
    config = str(PYTHON / "pyproject.toml")
    run("-m", "mypy.stubtest", "stonework._stonework", "--mypy-config-file", config, folder=PYTHON / "tests")


def test_types_by_pyright() -> None:
    pytest.importorskip("pyright", reason="pyright is not installed: pip install 'stonework[test]'")
    if os.environ.get("STONEWORK_OFFLINE"):
        pytest.skip("pyright fetches node at its first run: unset STONEWORK_OFFLINE")
    run("-m", "pyright", "--pythonpath", sys.executable, "examples")
