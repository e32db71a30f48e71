"""Step 1: every parameter of a request from free text; whatever is given by option counts before the text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from fileformat.codes import mentions
from fileformat.fold import chunks, keys, normalise
from fileformat.surfaces import Surface, atoms, surfaces
from query.errors import UsageError
from query.index import Index, as_json
from query.nim.contract import Modes, Request, TrackType

#: A longer text is cut here (cases.md A10).
MAX_CHARACTERS = 2000
#: Tags taken from the text (specification, Step 1: three to six).
MOST_TAGS = 6

_ALIASES = "SELECT key, scope, source, rank FROM nim_product_word WHERE key IN (SELECT value FROM json_each(?))"
_PLATFORMS = "SELECT key, platform FROM nim_platform_word WHERE key IN (SELECT value FROM json_each(?))"
_TAGS = "SELECT key, tag, units FROM nim_tag_word WHERE key IN (SELECT value FROM json_each(?))"
_WORDS = "SELECT term, doc FROM nim_vocabulary WHERE term IN (SELECT value FROM json_each(?))"
_STOPS = "SELECT key FROM stop_word WHERE key IN (SELECT value FROM json_each(?))"
_FEATURES = "SELECT DISTINCT feature_folder FROM nim_unit WHERE ?1 = '' OR scope = ?1 ORDER BY feature_folder"

_FAULT = re.compile(
    r"报错|错误|异常|失败|不生效|无效|崩溃|闪退|超时|卡死|卡住|卡顿|黑屏|花屏|没有?(?:声音|画面|反应|回调)|收不到|发不出|不到|不显示|"
    r"掉线|断开|断线|丢失|缺失|无法|不能|不了|冲突|(?:[^是]|^)不(?:对|行|通|上)|被拒|错了|挂了|打架|"
    r"\berror\b|fail|crash|timeout|exception|not work",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"怎么|如何|是否|能不能|可以.{0,12}吗|支持.{0,12}吗|[吗么]\s*[?？]?$|能.{0,20}吗|有没有|怎样|哪里|什么|多少|咨询|想要?|配置|开通|接口|"
    r"\bhow\b|\bdoes\b|\bcan\b|\bsupport",
    re.IGNORECASE,
)
_SUB_TYPES = {
    TrackType.TROUBLESHOOT: (
        ("线上事故", r"线上|大量用户|大面积|生产环境"),
        ("集成类", r"集成|编译|pod|gradle|依赖|打包|安装|构建|冲突"),
        ("测试问题", r"测试|demo|调试|模拟器"),
        ("使用问题", r""),
    ),
    TrackType.CONSULT: (
        ("配置开通", r"配置|开通|申请|控制台|后台"),
        ("接口用法", r"接口|api|方法|参数|字段|调用"),
        ("能力与边界", r"支持|能不能|是否|可以|上限|限制|最多|多少"),
        ("需求梳理", r"需求|方案|想做|规划"),
        ("功能实现", r""),
    ),
}


@dataclass(frozen=True, slots=True)
class Given:
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
    modes: Modes = field(default_factory=Modes)


def recognise(index: Index, text: str, given: Given) -> Request:
    """Fill every parameter from the options, else from the text.

    Raises:
        UsageError: ``--type`` is neither 排查类 nor 咨询类 (nor 排查, 咨询, troubleshoot, consult).
    """
    text = text[:MAX_CHARACTERS]
    said = normalise(text, index.variants)
    found = list(surfaces(atoms(said), said))
    origins: dict[str, str] = {}

    def pick(name: str, option: str | None, value: str, origin: str) -> str:
        if option:
            origins[name] = "option"
        elif value:
            origins[name] = origin
        return option or value

    track_type = _track_type(given.track_type, text)
    if track_type:
        origins["track_type"] = "option" if given.track_type else "text"
    product, product_origin = _product(index, given.product or "", found)
    if product:
        origins["product"] = "option" if given.product else product_origin
    feature = pick("feature", given.feature, _feature(index, product, said), "folder name in the text")
    tags = tuple(dict.fromkeys(given.tags)) or tuple(_tags(index, said, found))
    if tags:
        origins["tags"] = "option" if given.tags else "codes, API names and the base's tags in the text"
    return Request(
        text=text,
        track_type=track_type,
        product=product,
        feature=feature,
        platform=pick("platform", _platform_name(index, given.platform), _platform(index, found), "alias in the text"),
        sub_type=pick("sub_type", given.sub_type, _sub_type(track_type, text), "words of the text"),
        tags=tags,
        title=pick("title", given.title, text.strip(), "the text"),
        root_cause=pick("root_cause", given.root_cause, "", ""),
        solution=pick("solution", given.solution, "", ""),
        description=pick("description", given.description, text.strip(), "the text"),
        origins=origins,
        modes=given.modes,
    )


def _track_type(given: str | None, text: str) -> TrackType | None:
    """Faults first, then questions; neither is undetermined (specification, 检索类型自动判断)."""
    if given:
        names = {"排查": TrackType.TROUBLESHOOT, "troubleshoot": TrackType.TROUBLESHOOT}
        names |= {"咨询": TrackType.CONSULT, "consult": TrackType.CONSULT}
        for name, track in (*((t.value, t) for t in TrackType), *names.items()):
            if given.strip().lower() == name:
                return track
        raise UsageError(f"--type {given!r}: wanted one of {', '.join((*(t.value for t in TrackType), *names))}")
    if _FAULT.search(text):
        return TrackType.TROUBLESHOOT
    return TrackType.CONSULT if _QUESTION.search(text) else None


def _product(index: Index, given: str, found: Sequence[Surface]) -> tuple[str, str]:
    """Decision 9: the longest alias, then the table's order; then learned terms. A given name may be an alias too."""
    if given:
        rows = index.rows(_ALIASES, (as_json(keys(given, index.variants)),))
        known = [scope for _, scope, source, _ in rows if source == "alias"]
        return (known[0] if known else given.strip()), "option"
    rows = index.rows(_ALIASES, (as_json(sorted({key for surface in found for key in surface.keys})),))
    aliases = [(-len(key), rank, scope) for key, scope, source, rank in rows if source == "alias"]
    if aliases:
        return min(aliases)[2], "alias in the text"
    votes: dict[str, int] = {}
    for key, scope, _, _ in rows:
        votes[scope] = votes.get(scope, 0) + len(key)
    if not votes:
        return "", ""
    return max(sorted(votes), key=lambda scope: votes[scope]), "terms that the base uses for one product only"


def _feature(index: Index, product: str, said: str) -> str:
    """The longest folder name of the product that stands in the text."""
    folders = [folder for (folder,) in index.rows(_FEATURES, (product,)) if len(folder) > 1]
    return max((f for f in folders if f.casefold() in said.casefold()), key=len, default="")


def _platform(index: Index, found: Sequence[Surface]) -> str:
    rows = index.rows(_PLATFORMS, (as_json(sorted({key for surface in found for key in surface.keys})),))
    return max(rows, key=lambda row: len(row[0]))[1] if rows else ""


def _platform_name(index: Index, given: str | None) -> str | None:
    """A given platform under its canonical name, or as it is."""
    rows = index.rows(_PLATFORMS, (as_json(keys(given, index.variants)),)) if given else []
    return rows[0][1] if rows else given


def _sub_type(track_type: TrackType | None, text: str) -> str:
    patterns: Iterable[tuple[str, str]] = _SUB_TYPES[track_type] if track_type else ()
    return next((name for name, pattern in patterns if re.search(pattern, text, re.IGNORECASE)), "")


def _tags(index: Index, said: str, found: Sequence[Surface]) -> list[str]:
    """Three to six words that tell this request from others, in the order in which they stand.

    Codes and API names first, then the rarest of the base's own tags and words; a word that half the base uses
    would make everything alike.
    """
    names = [said[c.start : c.end] for c in chunks(said) if not c.is_han and (c.parts or "_" in said[c.start : c.end])]
    certain = [*(mention.code for mention in mentions(said) if mention.is_code), *names]
    rare = sorted(_feature_words(index, said, found), key=lambda word: (word[0], word[1].start))
    chosen = {said[s.start : s.end]: s.start for _, s, _ in rare[: max(0, MOST_TAGS - len(certain))]}
    shown = {said[s.start : s.end]: tag for _, s, tag in rare}
    places = {**chosen, **{name: said.find(name) for name in certain}}
    in_order = sorted(places, key=lambda word: (places[word], word))
    return list(dict.fromkeys(shown.get(word, word) for word in in_order))[:MOST_TAGS]


def _feature_words(index: Index, said: str, found: Sequence[Surface]) -> Iterator[tuple[int, Surface, str]]:
    """Non-overlapping known words, the longest first, as (in how many units, where, its usual spelling)."""
    every = as_json(sorted({key for surface in found for key in surface.keys}))
    tags = {key: (units, tag) for key, tag, units in index.rows(_TAGS, (every,))}
    words = {term: (units, term) for term, units in index.rows(_WORDS, (every,)) if len(term) > 1}
    stops = {key for (key,) in index.rows(_STOPS, (every,))}
    taken: list[Surface] = []
    for surface in sorted(found, key=lambda s: (s.start - s.end, s.start)):
        if any(surface.start < other.end and other.start < surface.end for other in taken):
            continue
        known = [entry for key in surface.keys for entry in (tags.get(key), words.get(key)) if entry]
        if known and surface.end - surface.start > 1:
            taken.append(surface)
            if not stops & set(surface.keys):
                yield max(units for units, _ in known), surface, known[0][1]
