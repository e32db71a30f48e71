"""Where is looked: level by level, each containing the one before (spec Step 2; decisions 10, 13)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from query.index import Index
from query.nim.contract import Level

_PLACES = "SELECT id, scope, feature_folder FROM nim_unit WHERE scope = ?"
_COUNT = "SELECT count(*) FROM nim_unit"


class Scope(NamedTuple):
    """One level: its units, or None for the whole base, and how many they are."""

    level: Level
    units: frozenset[int] | None
    size: int

    def holds(self, unit: int) -> bool:
        """Whether a unit is looked at on this level."""
        return self.units is None or unit in self.units


def scopes(index: Index, product: str, feature: str) -> list[Scope]:
    """The levels to scan in order; without a product only the whole base, without a feature no first level."""
    levels: list[Scope] = []
    if product:
        places = index.rows(_PLACES, (product,))
        folders = matching_folders(feature, {folder for _, _, folder in places})
        inside = frozenset(unit for unit, _, folder in places if folder in folders)
        whole = frozenset(unit for unit, _, _ in places)
        if inside:
            levels.append(Scope(Level.FEATURE, inside, len(inside)))
        levels.append(Scope(Level.PRODUCT, whole, len(whole)))
    ((count,),) = index.rows(_COUNT)
    return [*levels, Scope(Level.WHOLE, None, count)]


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
