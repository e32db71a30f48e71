"""Step 1: every parameter of a request from free text; whatever is given by option counts before the text."""

from typing import Any, NamedTuple

from fileformat.fold import normalise
from fileformat.surfaces import atoms, surfaces
from query.index import Index
from query.nim import names
from query.nim.contract import Modes, Request
from query.nim.hints import tags_hint
from query.nim.kinds import sub_type, track_type
from query.typed import MAX_CHARACTERS


class Given(NamedTuple):
    """What the caller set by option; None or empty where it did not."""

    track_type: str | None = None
    product: str | None = None
    feature: str | None = None
    platform: str | None = None
    sub_type: str | None = None
    tags: tuple[str, ...] = ()
    title: str | None = None
    root_cause: str | None = None
    solution: str | None = None
    description: str | None = None
    modes: Modes = Modes()


#: The parameters that are one text each.
TEXTS = tuple(name for name in Given._fields if name not in {"tags", "modes"})


def recognise(index: Index, text: str, given: Given) -> Request:
    """Fill every parameter from the options, else from the text.

    Raises:
        UsageError: ``--type`` names no track type.
    """
    text = text[:MAX_CHARACTERS]
    said = normalise(text, index.variants)
    found = list(surfaces(atoms(said), said))
    keys = sorted({key for surface in found for key in surface.keys})
    track = track_type(given.track_type, said)
    product, told_by = names.spoken_product(index, keys)
    product = names.given_product(index, given.product) if given.product else product
    feature = names.spoken_feature(index, product, said)
    spoken = {
        "track_type": (track.value if track else "", "words of the text"),
        "product": (product, told_by),
        "feature": (feature, "folder name in the text"),
        "platform": (names.spoken_platform(index, keys), "alias in the text"),
        "sub_type": (sub_type(track, said), "words of the text"),
        "title": (text.strip(), "the text"),
        "description": (text.strip(), "the text"),
    }
    options: dict[str, Any] = {name: getattr(given, name) for name in (*spoken, "root_cause", "solution")}
    if given.platform:
        options["platform"] = names.given_platform(index, given.platform)
    values: dict[str, Any] = {name: option or spoken.get(name, ("", ""))[0] for name, option in options.items()}
    origins = {n: "option" if options[n] else spoken[n][1] for n, value in values.items() if value}
    tags = tuple(dict.fromkeys(tag for tag in given.tags if tag.strip())) or tuple(tags_hint(index, said, found))
    if tags:
        origins["tags"] = (
            "option" if any(map(str.strip, given.tags)) else "codes, API names and the base's tags in the text"
        )
    return Request(
        **{**values, "product": product, "track_type": track}, text=text, tags=tags, origins=origins, modes=given.modes
    )
