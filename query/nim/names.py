"""Names in a request: product, feature folder, platform (decisions 9-11)."""

from collections.abc import Iterator, Sequence

from fileformat.fold import keys
from query.index import Index, as_json
from query.nim.contract import Request
from query.nim.scope import matching_folders

_PRODUCTS = "SELECT key, scope, source, rank FROM nim_product_word WHERE key IN (SELECT value FROM json_each(?))"
_PLATFORMS = "SELECT key, platform FROM nim_platform_word WHERE key IN (SELECT value FROM json_each(?))"
_FEATURES = "SELECT DISTINCT feature_folder FROM nim_folder WHERE ? IN ('', scope) ORDER BY feature_folder"
_OF_PLATFORM = "SELECT unit FROM nim_platform WHERE platform = ? LIMIT 1"


def given_product(index: Index, name: str) -> str:
    """A product that was given: the standard one behind an alias or a sibling folder, else the name as it is."""
    rows = index.rows(_PRODUCTS, (as_json(keys(name, index.variants)),))
    return next((scope for _, scope, source, _ in rows if source == "alias"), name.strip())


def spoken_product(index: Index, found: Sequence[str]) -> tuple[str, str]:
    """The product that keys of a text speak of, and how: the longest alias, then the table's order, then terms."""
    rows = index.rows(_PRODUCTS, (as_json(found),))
    aliases = [(-len(key), rank, scope) for key, scope, source, rank in rows if source == "alias"]
    if aliases:
        return min(aliases)[2], "alias in the text"
    votes: dict[str, int] = {}
    for key, scope, _, _ in rows:
        votes[scope] = votes.get(scope, 0) + len(key)
    best = max(sorted(votes), key=lambda scope: votes[scope], default="")
    return best, "terms that the base uses for one product only"


def spoken_feature(index: Index, product: str, said: str) -> str:
    """The longest folder name of the product (of any, if none is known) that stands in the text."""
    text = said.casefold()
    folders = (folder for (folder,) in index.rows(_FEATURES, (product,)))
    return max((f for f in folders if len(f) > 1 and f.casefold() in text), key=len, default="")


def given_platform(index: Index, name: str) -> str:
    """A platform that was given, under its canonical name, or as it is."""
    rows = index.rows(_PLATFORMS, (as_json(keys(name, index.variants)),))
    return str(rows[0][1]) if rows else name.strip()


def spoken_platform(index: Index, found: Sequence[str]) -> str:
    """The platform with the longest alias among the keys of a text."""
    rows = index.rows(_PLATFORMS, (as_json(found),))
    return str(max(rows, key=lambda row: (len(row[0]), row[0]))[1]) if rows else ""


def unknown_places(index: Index, request: Request) -> Iterator[str]:
    """A note for a feature or platform that no unit has: it decides nothing, and a typing error looks the same."""
    folders = [folder for (folder,) in index.rows(_FEATURES, (request.product,))]
    if request.feature and folders and not matching_folders(request.feature, folders):
        of_what = request.product or "this base"
        yield f"feature {' '.join(request.feature.split())}: no folder of {of_what} is called so; it narrows nothing"
    if request.platform and folders and not index.rows(_OF_PLATFORM, (request.platform,)):
        yield f"platform {' '.join(request.platform.split())}: no unit of this base is of it; it breaks no tie"
