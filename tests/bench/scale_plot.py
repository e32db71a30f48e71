"""The picture of scale.py: milliseconds over units, both logarithmic."""

from collections.abc import Mapping
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt  # after the choice of a backend that needs no screen

#: What is drawn, in this order: the figure's name, and how its line looks.
LINES = {
    "exact matching p95, ms": "o-",
    "trtc p95, ms": "s-",
    "nim p95, ms": "D-",
    "SetSimilaritySearch p95, ms": "o--",
    "jieba + BM25 p95, ms": "D--",
    "grep p50, ms": "x:",
    "rg p50, ms": "+:",
}


def draw(found: Mapping[int, Mapping[str, float]], target: Path, clock: str) -> None:
    """One line for each kind of search, over the sizes at which it was measured; ``clock`` names the kind of time."""
    figure, axes = plt.subplots(figsize=(8, 5))
    for name, style in LINES.items():
        points = [(size, figures[name]) for size, figures in found.items() if name in figures]
        if points:
            axes.plot(*zip(*points, strict=True), style, label=name.removesuffix(", ms"))
    axes.set(xscale="log", yscale="log", xlabel="NIM units in the file", ylabel=f"milliseconds of {clock}")
    axes.grid(visible=True, which="both", alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(target, dpi=110, metadata={"Software": None})
