"""A base's synonyms joined to the vocabulary."""

from indexer.aliases import product_words, with_aliases
from indexer.bridge import Concept
from indexer.records import Alias

LOGIN = Concept("login", "lexicon", (("name", "登录"), ("evokes", "账号")), ("login",))
CASE = Concept("sign-in", "lexicon", (("name", "登录"),), (), "case")
CONCEPTS = (LOGIN, CASE)
WORDS = (("name", "登陆口"), ("evokes", "登录"))


def test_joins_the_concepts_that_the_term_names() -> None:
    """The words of a group go to every concept that its term names, but for those of NIM cases; numbers stay."""
    joined, case = with_aliases(CONCEPTS, [Alias("登录", "", WORDS)], (), {})
    assert joined.words == (*LOGIN.words, *WORDS)
    assert (joined.tags, case) == (("login",), CASE)


def test_the_name_of_a_concept_is_a_term() -> None:
    """A concept is named by its own name too, without case and hyphens; a word that only suggests it is no name."""
    assert with_aliases(CONCEPTS, [Alias("Log-In", "", WORDS)], (), {})[0].words[-2:] == WORDS
    assert with_aliases(CONCEPTS, [Alias("账号", "", WORDS)], (), {}) == CONCEPTS


def test_a_concept_of_its_own() -> None:
    """A term that nothing names is a concept at the end where one of its names is a tag, and else left out."""
    alias = Alias("贴纸", "chat", (("name", "sticker"), ("evokes", "emoji")))
    *_, own = with_aliases(CONCEPTS, [alias], {"sticker"}, {})
    words = (("name", "贴纸"), ("name", "sticker"), ("evokes", "emoji"))
    assert own == Concept("贴纸", "lexicon", words, ("贴纸", "sticker"))
    assert with_aliases(CONCEPTS, [alias], {"emoji"}, {}) == CONCEPTS


def test_products() -> None:
    """Where the term is the product, its strong words name it, and no concept has them."""
    product = Alias("rtc engine", "rtc-engine", (("name", "TRTC 引擎"), ("evokes", "rtc")))
    other = Alias("roomkit", "conference", (("name", "会议套件"),))
    assert product_words([product, other], {}) == [("trtc引擎", "rtc-engine")]
    assert with_aliases(CONCEPTS, [product], {"rtc", "trtc引擎"}, {}) == CONCEPTS
