"""Two tiers of full text: words with concepts, and pairs of Han characters."""

from pathlib import Path

from fileformat.concepts import concept_term
from query.index import open_index
from query.nim.meanings import spoken
from query.nim.tiers import CANDIDATES, COLUMN_WEIGHTS, pair_tier, word_tier


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
        for tier in (word_tier(index, "蓝牙耳机没声音", []), pair_tier(index, "蓝牙耳机没声音")):
            assert max(tier.values()) == 1.0
            assert min(tier.values()) > 0
            assert len(tier) <= CANDIDATES
        assert word_tier(index, "zzqqx", []) == pair_tier(index, "zzqqx") == {}


def test_concepts_find_what_words_do_not(sample_db: Path) -> None:
    """A unit that says the same in other words is found by its concepts alone."""
    with open_index(sample_db) as index:
        concepts = [concept_term(concept) for meaning in spoken(index, "锁屏") for concept in meaning]
        assert word_tier(index, "zzqqx", concepts)
