"""Two tiers of full text: words with concepts, and pairs of Han characters.

What a text means beside its words: concepts by the longest word, shared ones weighed by rarity.
"""

from pathlib import Path

from query.analysis.tokens import concept_character, concept_term
from query.index import open_index
from query.nim.relevance import CANDIDATES, COLUMN_WEIGHTS, bigram_scores, bm25_scores, concept_overlap, find_concepts


def test_each_column_has_its_weight(sample_db: Path) -> None:
    """A column more or less in the full-text table shifts every weight behind it, so their number must agree (A13)."""
    with open_index(sample_db) as index:
        columns = [name for (name,) in index.rows("SELECT name FROM pragma_table_info('nim_words')")]
    assert len(columns) == len(COLUMN_WEIGHTS)
    weights = dict(zip(columns, COLUMN_WEIGHTS, strict=True))
    assert weights["title"] >= weights["description"] > weights["details"]


def test_the_best_is_one(sample_db: Path) -> None:
    """Both tiers scale their scores to the best, and give nothing for what they do not know."""
    with open_index(sample_db) as index:
        for tier in (bm25_scores(index, "蓝牙耳机没声音", []), bigram_scores(index, "蓝牙耳机没声音")):
            assert max(tier.values()) == 1.0
            assert min(tier.values()) > 0
            assert len(tier) <= CANDIDATES
        assert bm25_scores(index, "zzqqx", []) == bigram_scores(index, "zzqqx") == {}


def test_concepts_find_what_words_do_not(sample_db: Path) -> None:
    """A unit that says the same in other words is found by its concepts alone."""
    with open_index(sample_db) as index:
        concepts = [concept_term(concept) for meaning in find_concepts(index, "锁屏") for concept in meaning]
        assert bm25_scores(index, "zzqqx", concepts)


def test_names_of_one_meaning_are_one(sample_db: Path) -> None:
    """锁屏 and 息屏 say the same, each once."""
    with open_index(sample_db) as index:
        one, other = find_concepts(index, "锁屏"), find_concepts(index, "息屏")
        assert len(one) == len(other) == 1
        assert set(one[0]) & set(other[0])
        assert find_concepts(index, "zzqqx") == []


def test_a_unit_that_means_the_same(sample_db: Path) -> None:
    """The share is of the whole text: all of it, or none."""
    with open_index(sample_db) as index:
        ((unit, concepts),) = index.rows("SELECT unit, concepts FROM nim_concept WHERE concepts <> '' LIMIT 1")
        mine = [
            (number,) for (number,) in index.rows("SELECT id FROM concept") if concept_character(number) in concepts
        ]
        assert concept_overlap(index, mine, [unit]) == {unit: 1.0}
        assert concept_overlap(index, [], [unit]) == {}
        every = [(number,) for (number,) in index.rows("SELECT id FROM concept")]
        assert 0 < concept_overlap(index, every, [unit])[unit] < 1


def test_each_concept_has_a_mark_and_a_term_of_its_own() -> None:
    """Also where there are thousands."""
    numbers = range(1, 20_000)
    assert len({concept_character(number) for number in numbers}) == len({concept_term(number) for number in numbers})
