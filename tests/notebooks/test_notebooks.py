"""The notebooks run from top to bottom, and are stored without what they drew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
pytestmark = pytest.mark.filterwarnings("default")  # of the Jupyter machinery, not of the notebooks


def named(path: Path) -> str:
    return path.stem


def cells_of(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=named)
def test_a_notebook_is_stored_without_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in cells_of(notebook):
        assert cell.outputs == []
        assert cell.execution_count is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=named)
def test_a_notebook_runs_and_draws(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    place = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources=place).execute()
    outputs = [output for cell in cells_of(notebook) for output in cell.outputs]
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 3
    assert not [output.text for output in outputs if output.get("name") == "stderr"]
