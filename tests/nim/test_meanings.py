"""What a text means beside its words: concepts by the longest word, shared ones weighed by rarity."""

from pathlib import Path

from fileformat.concepts import concept_mark, concept_term
from query.index import open_index
from query.nim.meanings import shared, spoken


def test_names_of_one_meaning_are_one(sample_db: Path) -> None:
    """锁屏 and 息屏 say the same, each once."""
    with open_index(sample_db) as index:
        one, other = spoken(index, "锁屏"), spoken(index, "息屏")
        assert len(one) == len(other) == 1
        assert set(one[0]) & set(other[0])
        assert spoken(index, "zzqqx") == []


def test_a_unit_that_means_the_same(sample_db: Path) -> None:
    """The share is of the whole text: all of it, or none."""
    with open_index(sample_db) as index:
        ((unit, concepts),) = index.rows("SELECT unit, concepts FROM nim_concept WHERE concepts <> '' LIMIT 1")
        mine = [(number,) for (number,) in index.rows("SELECT id FROM concept") if concept_mark(number) in concepts]
        assert shared(index, mine, [unit]) == {unit: 1.0}
        assert shared(index, [], [unit]) == {}
        every = [(number,) for (number,) in index.rows("SELECT id FROM concept")]
        assert 0 < shared(index, every, [unit])[unit] < 1


def test_each_concept_has_a_mark_and_a_term_of_its_own() -> None:
    """Also where there are thousands."""
    numbers = range(1, 20_000)
    assert len({concept_mark(number) for number in numbers}) == len({concept_term(number) for number in numbers})
