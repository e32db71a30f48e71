"""How a concept stands in the file where it is no number: as a full-text term, and as one character of a set."""

#: Below are the characters that a person would read as text.
_FIRST_MARK = 0x100


def concept_term(concept: int) -> str:
    """The term of a full-text column that says a text names the concept."""
    return f"c{concept}"


def concept_mark(concept: int) -> str:
    """The character that stands for the concept in a set of concepts."""
    return chr(_FIRST_MARK + concept)
