"""What leads from the words of a question to those of a base, each of which an evaluation can leave out."""

from enum import StrEnum


class Bridge(StrEnum):
    """A source of evidence beside the base's own tags, names and descriptions."""

    HINT = "hint"
    LEXICON = "lexicon"
    SPELLING = "spelling"
    TRADITIONAL = "traditional"
    HEADINGS = "headings"
    TROUBLESHOOTING = "troubleshooting"
    APIS = "apis"
    BODY = "body"


#: Bridges over which a NIM question goes; the others are those of ``rtckb trtc``.
FOR_NIM = frozenset({Bridge.HINT, Bridge.LEXICON, Bridge.TRADITIONAL})
#: Bridges that are columns of ``slice_words``.
FIELDS = frozenset({Bridge.HEADINGS, Bridge.TROUBLESHOOTING, Bridge.APIS, Bridge.BODY})
