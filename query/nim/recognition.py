"""Names in a request: product, feature folder, platform, tags; and notes on names that the base does not have."""

from collections.abc import Iterable, Iterator, Sequence

from query.analysis.normalize import keys
from query.analysis.spans import CandidateSpan, longest_match
from query.dictionary import Kind, look_up
from query.index import Index
from query.nim.contract import Request
from query.nim.request_text import AnalyzedText

#: The specification asks for three to six tags.
MAX_TAGS = 6

_FEATURES = "SELECT DISTINCT feature_folder FROM nim_folder WHERE ? IN ('', scope) ORDER BY feature_folder"
_HAS_PLATFORM = "SELECT unit FROM nim_platform WHERE platform = ? LIMIT 1"
#: The strength of a product's term that the build has learned from the base; any other entry is an alias.
_LEARNED = "learned"


def canonical_name(index: Index, kind: Kind, name: str) -> str:
    """A given product or platform by its canonical name, if ``name`` is an alias of one; else as it is."""
    name_keys = keys(name, index.variants)
    found = look_up(index, name_keys, (kind,))[kind]
    entries = (entry for key in name_keys for entry in found.get(key, ()))
    return next((str(entry.ref) for entry in entries if entry.strength != _LEARNED), name.strip())


def product_from_text(text: AnalyzedText) -> tuple[str, str]:
    """The product that a text names, and how it was found (docs/decisions/nim.md#products).

    The longest alias wins, then the order of the specification's table; without an alias, the product to which most
    characters of learned terms belong.
    """
    entries = [entry for found in text.entries[Kind.NIM_PRODUCT].values() for entry in found]
    aliases = [(-len(entry.key), entry.rank, str(entry.ref)) for entry in entries if entry.strength != _LEARNED]
    if aliases:
        return min(aliases)[2], "alias in the text"
    votes: dict[str, int] = {}
    for entry in entries:
        votes[str(entry.ref)] = votes.get(str(entry.ref), 0) + len(entry.key)
    best = max(sorted(votes), key=lambda product: votes[product], default="")
    return best, "terms that the base uses for one product only"


def feature_from_text(index: Index, product: str, text: AnalyzedText) -> str:
    """The longest name of a feature folder in the text; of the product's folders if the product is known."""
    folded = text.text.casefold()
    folders = (folder for (folder,) in index.rows(_FEATURES, (product,)))
    return max((f for f in folders if len(f) > 1 and f.casefold() in folded), key=len, default="")


def platform_from_text(text: AnalyzedText) -> str:
    """The platform with the longest alias in the text."""
    entries = [entry for found in text.entries[Kind.NIM_PLATFORM].values() for entry in found]
    return str(max(entries, key=lambda entry: (len(entry.key), entry.key)).ref) if entries else ""


def matching_folders(feature: str, folders: Iterable[str]) -> Sequence[str]:
    """The folder with the name of a feature; if there is none, those whose name contains it or is contained in it."""
    known = sorted(folders)
    wanted = feature.strip().casefold()
    return [folder for folder in known if folder.casefold() == wanted != ""] or [
        folder for folder in known if folder_matches(feature, folder)
    ]


def folder_matches(feature: str, folder: str) -> bool:
    """Whether one name contains the other, without case."""
    wanted, name = feature.strip().casefold(), folder.casefold()
    return bool(wanted and name) and (wanted in name or name in wanted)


def unknown_name_notes(index: Index, request: Request) -> Iterator[str]:
    """Notes on a feature or platform that no unit has: it has no effect, and it may be a typing error."""
    if not (request.feature or request.platform):
        return
    folders = [folder for (folder,) in index.rows(_FEATURES, (request.product,))]
    if request.feature and folders and not matching_folders(request.feature, folders):
        base, feature = request.product or "the base", " ".join(request.feature.split())
        yield f"{base} has no feature folder {feature}; the feature did not narrow the search"
    if request.platform and folders and not index.rows(_HAS_PLATFORM, (request.platform,)):
        platform = " ".join(request.platform.split())
        yield f"the base has no case of platform {platform}; the platform did not affect the order"


def recognize_tags(text: AnalyzedText) -> list[str]:
    """At most six tags in text order: codes and API names first, then the rarest tags and words of the base.

    A word that half of the base contains would make all units similar.
    """
    certain = [*(mention.code for mention in text.mentions if mention.is_code), *text.identifiers]
    known = sorted(_known_words(text), key=lambda word: (word[0], word[1].start))
    spelling = {text.text[span.start : span.end]: tag for _, span, tag in known}
    positions = {text.text[s.start : s.end]: s.start for _, s, _ in known[: max(0, MAX_TAGS - len(certain))]}
    positions |= {name: text.text.find(name) for name in certain}
    in_order = sorted(positions, key=lambda word: (positions[word], word))
    return list(dict.fromkeys(spelling.get(word, word) for word in in_order))[:MAX_TAGS]


def _known_words(text: AnalyzedText) -> list[tuple[int, CandidateSpan, str]]:
    """Tags and words of the base in the text, without stop words, as (number of units, span, spelling as a tag).

    They do not overlap: the longest is chosen first.
    """
    tags = {key: (found[0].rank, str(found[0].ref)) for key, found in text.entries[Kind.NIM_TAG].items()}
    words = {term: (units, term) for term, units in text.counts.items() if len(term) > 1}

    def look(span: CandidateSpan) -> tuple[int, CandidateSpan, str] | None:
        found = [entry for key in span.keys for entry in (tags.get(key), words.get(key)) if entry]
        if not found or span.end - span.start <= 1:
            return None
        return max(units for units, _ in found), span, found[0][1]

    stop_words = text.entries[Kind.STOP_WORD].keys()
    return [word for word in longest_match(text.text, text.spans, look) if stop_words.isdisjoint(word[1].keys)]
