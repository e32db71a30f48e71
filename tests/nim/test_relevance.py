"""Full-text and concept evidence: BM25 over words and concepts, pairs of Han characters, shared concepts."""

from pathlib import Path

from query.analysis.tokens import concept_character, concept_term
from query.index import open_index
from query.nim.relevance import (
    COLUMN_WEIGHTS,
    MAX_CANDIDATES,
    Concepts,
    bigram_scores,
    bm25_scores,
    concept_overlap,
    find_concepts,
    text_relevance,
)
from query.nim.request_text import analyze, term_counts


def test_each_column_has_its_weight(sample_db: Path) -> None:
    """The full-text table has as many columns as there are weights: another column would shift all weights after it."""
    with open_index(sample_db) as index:
        columns = [name for (name,) in index.rows("SELECT name FROM pragma_table_info('nim_words')")]
    assert len(columns) == len(COLUMN_WEIGHTS)
    weights = dict(zip(columns, COLUMN_WEIGHTS, strict=True))
    assert weights["title"] >= weights["description"] > weights["details"]


def test_the_best_score_is_one(sample_db: Path) -> None:
    """Scores are scaled to the best one, and a text that the base does not know has none."""
    with open_index(sample_db) as index:
        text, unknown = analyze(index, "蓝牙耳机没声音"), analyze(index, "zzqqx")
        for scores in (bm25_scores(index, text.counts), bigram_scores(index, text)):
            assert max(scores.values()) == 1.0
            assert min(scores.values()) > 0
            assert len(scores) <= MAX_CANDIDATES
        assert (
            bm25_scores(index, unknown.counts) == bigram_scores(index, unknown) == text_relevance(index, unknown) == {}
        )


def test_concepts_find_what_words_do_not(sample_db: Path) -> None:
    """A unit that names a concept in other words is found by the concept alone."""
    with open_index(sample_db) as index:
        terms = [concept_term(concept) for found in find_concepts(analyze(index, "锁屏")) for concept in found]
        assert bm25_scores(index, term_counts(index, terms))


def test_two_names_of_one_concept(sample_db: Path) -> None:
    """锁屏 and 息屏 name the same concept; an unknown word names none."""
    with open_index(sample_db) as index:
        (one,), (other,) = find_concepts(analyze(index, "锁屏")), find_concepts(analyze(index, "息屏"))
        assert set(one) & set(other)
        assert find_concepts(analyze(index, "zzqqx")) == []


def test_concept_overlap(sample_db: Path) -> None:
    """The share is 1 for a unit that names every concept of the text, and lower for one that lacks some."""
    with open_index(sample_db) as index:
        ((unit, characters),) = index.rows("SELECT unit, concepts FROM nim_concept WHERE concepts <> '' LIMIT 1")
        every: list[Concepts] = [(number,) for (number,) in index.rows("SELECT id FROM concept")]
        named = [concepts for concepts in every if concept_character(concepts[0]) in characters]
        counts = term_counts(index, [concept_term(number) for (number,) in every])
        assert concept_overlap(index, named, counts, [unit]) == {unit: 1.0}
        assert concept_overlap(index, [], counts, [unit]) == {}
        assert 0 < concept_overlap(index, every, counts, [unit])[unit] < 1


def test_each_concept_has_its_own_character_and_term() -> None:
    """So do thousands of concepts."""
    numbers = range(1, 20_000)
    assert len({concept_character(number) for number in numbers}) == len({concept_term(number) for number in numbers})
