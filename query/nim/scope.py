"""Where is looked: level by level, each containing the one before (spec Step 2; decisions 10, 13)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from query.index import Index
from query.nim.contract import Level
from query.nim.units import UnitRow

_FOLDERS = "SELECT feature_folder, units FROM nim_folder WHERE scope = ?"
_COUNT = "SELECT coalesce(sum(units), 0) FROM nim_folder"


class ScanLevel(NamedTuple):
    """One level: its product and its feature folders, each None where all are looked at, and how many units it has."""

    level: Level
    product: str | None
    folders: frozenset[str] | None
    size: int

    def holds(self, row: UnitRow) -> bool:
        """Whether a unit is looked at on this level."""
        return self.product in {None, row.scope} and (self.folders is None or row.feature_folder in self.folders)


def scan_levels(index: Index, product: str, feature: str) -> list[ScanLevel]:
    """The levels to scan in order; without a product only the whole base, without a feature no first level."""
    levels: list[ScanLevel] = []
    if product:
        counts: dict[str, int] = dict(index.rows(_FOLDERS, (product,)))
        folders = frozenset(matching_folders(feature, counts))
        if folders:
            levels.append(ScanLevel(Level.FEATURE, product, folders, sum(counts[folder] for folder in folders)))
        levels.append(ScanLevel(Level.PRODUCT, product, None, sum(counts.values())))
    ((count,),) = index.rows(_COUNT)
    return [*levels, ScanLevel(Level.WHOLE, None, None, count)]


def matching_folders(feature: str, folders: Iterable[str]) -> Sequence[str]:
    """Decision 10: the folder of that name, else those whose name contains it or is contained in it."""
    wanted = feature.strip().casefold()
    if not wanted:
        return ()
    known = sorted(folders)
    exact = [folder for folder in known if folder.casefold() == wanted]
    return exact or [
        folder for folder in known if wanted in folder.casefold() or (folder and folder.casefold() in wanted)
    ]
