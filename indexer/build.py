"""Builds an index file: read, check, compile, segment, write, publish."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from indexer import lexicon
from indexer.compile import fulltext, metadata, redact, segment
from indexer.compile.dictionary import concept_set_rows, dictionary_rows, nim_concepts
from indexer.compile.nim_names import vocabulary_rows
from indexer.compile.rows import Row, Rows, ledger_rows, nim_rows, trtc_rows
from indexer.compile.token_sets import compared_texts, origin_rows, token_set_rows
from indexer.compile.workers import Workers
from indexer.errors import StrictFindings
from indexer.reading import checks
from indexer.reading.sources import load_nim, load_trtc, source_hashes
from indexer.records import Finding, NimBase, Severity, TrtcBase
from indexer.store.database import Writer
from indexer.store.previous import Previous, pack_segmentation, read_previous
from indexer.store.publish import publishing
from query.analysis.tokens import concept_term
from query.integrity import DIGEST_KEY

#: The steps of a build, as they are given to ``progress``.
STEPS = ("read", "write", "publish")
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Sources:
    """The folders of the two knowledge bases, and what to do with them. Without a folder, that half stays empty.

    ``redact``: mask personal details of the NIM base. ``calibrations``: files that ``rtckb eval --calibrate`` printed.
    """

    trtc: Path | None
    nim: Path | None
    redact: bool = False
    calibrations: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a build: content hash, counts, findings by severity, and whether the old file was up to date."""

    digest: str
    counts: Mapping[str, int]
    findings: Mapping[str, int]
    unchanged: bool


def build(
    sources: Sources, target: Path, jobs: int = 1, strict: bool = False, progress: Progress = lambda _: None
) -> Summary:
    """Build ``target`` from ``sources``. The old file stays as it is until the new one is complete.

    Equal sources give equal bytes, with any number of ``jobs``, and whether or not the old file's segmentation is
    reused. An intact old file of the same sources, builder and library versions is left in place.

    Raises:
        StrictFindings: ``strict`` is set and a file was repaired or has an error; nothing is published.
        RtckbBuildError: a source is missing, or the target cannot be written.
    """
    measured = metadata.calibration_rows(sources.calibrations)
    inputs = metadata.build_inputs(sources.trtc, sources.nim, sources.redact, measured)
    old = read_previous(target, segment.identity())
    if not strict and _is_up_to_date(old, inputs, sources):
        return Summary(old.meta[DIGEST_KEY], metadata.as_counts(old.meta), old.findings, unchanged=True)
    with publishing(target) as temporary, closing(Workers(jobs, None if old.intact else segment.warm_up)) as workers:
        progress("read")
        compiled = _compile(sources, segment.Segmenter(old.segmentation, workers), workers)
        if strict:
            _refuse(compiled.findings)
        progress("write")
        counts = metadata.counts(compiled.trtc, compiled.nim, compiled.findings, compiled.copy_of) | compiled.personal
        with closing(Writer(temporary)) as writer:
            writer.rows({"calibration": measured})
            _write(writer, compiled)
            digest = writer.finish({**inputs, **metadata.as_meta(counts)})
        progress("publish")
    severities = Counter(str(finding.severity) for finding in compiled.findings)
    return Summary(digest, counts, dict(sorted(severities.items())), unchanged=False)


def check_sources(sources: Sources) -> tuple[Finding, ...]:
    """Every finding of both bases, sorted; nothing is built.

    Raises:
        RtckbBuildError: a base is missing, or its index cannot be trusted.
    """
    trtc, nim = load_trtc(sources.trtc), load_nim(sources.nim)
    copy_of = checks.copies(nim, lexicon.load_variants())
    return tuple(sorted((*trtc.findings, *nim.findings, *checks.check_nim(nim, copy_of))))


def _is_up_to_date(old: Previous, inputs: Mapping[str, str], sources: Sources) -> bool:
    if not old.intact or old.libraries != metadata.libraries():
        return False
    if any(old.meta.get(key) != value for key, value in inputs.items()):
        return False
    return old.source_hashes == source_hashes(sources.trtc, sources.nim)


@dataclass(frozen=True, slots=True)
class _Compiled:
    """Both bases and everything computed from them; the two functions wait for results of workers."""

    trtc: TrtcBase
    nim: NimBase
    copy_of: Mapping[int, int]
    personal: dict[str, int]
    findings: Sequence[Finding]
    prepared: Mapping[str, Sequence[fulltext.Prepared]]
    dictionary: Callable[[], Rows]
    concepts: Callable[[], list[tuple[int, ...]]]
    segmenter: segment.Segmenter


def _compile(sources: Sources, segmenter: segment.Segmenter, workers: Workers) -> _Compiled:
    """Read, check and prepare both bases; tasks for workers are submitted as soon as their input is known."""
    variants = lexicon.load_variants()
    trtc = load_trtc(sources.trtc)
    slices = [fulltext.slice_fields(record) for record in trtc.slices]
    tags = [tag for record in trtc.slices for tag in (*record.tags, record.name, *record.page_tags)]
    dictionary = workers.submit(dictionary_rows, slices, tags, trtc.aliases)
    prepared = {
        "slice_words": fulltext.prepare(slices, segmenter, variants),
        "scenario_words": fulltext.prepare(map(fulltext.scenario_fields, trtc.scenarios), segmenter, variants),
    }
    nim = load_nim(sources.nim)
    personal = redact.count_personal(nim)
    nim = redact.redact(nim, variants) if sources.redact else nim
    subjects = ["\n".join((unit.display_title, *unit.tags, unit.description)) for unit in nim.units]
    concepts = workers.submit(nim_concepts, subjects)
    prepared["nim_words"] = fulltext.prepare(map(fulltext.unit_fields, nim.units), segmenter, variants)
    copy_of = checks.copies(nim, variants)
    findings = (*trtc.findings, *nim.findings, *checks.check_nim(nim, copy_of))
    return _Compiled(trtc, nim, copy_of, personal, findings, prepared, dictionary, concepts, segmenter)


def _write(writer: Writer, compiled: _Compiled) -> None:
    """Write all tables in their fixed order: equal bytes need an equal order."""
    variants = lexicon.load_variants()
    trtc, nim, prepared = compiled.trtc, compiled.nim, compiled.prepared
    writer.rows(ledger_rows((*trtc.files, *nim.files), compiled.findings, nim.units))
    writer.rows(trtc_rows(trtc, lexicon.load_generic_tags(), variants))
    writer.rows(nim_rows(nim, compiled.copy_of, variants))
    writer.rows(token_set_rows([compared_texts(unit) for unit in nim.units], variants) | origin_rows(nim.units))
    writer.rows(compiled.dictionary())
    words = compiled.segmenter.words()
    writer.rows(vocabulary_rows(nim.units, prepared["nim_words"], words, variants))
    concepts = compiled.concepts()
    writer.rows({"nim_concept": concept_set_rows(concepts)})
    terms = {"concepts": [" ".join(map(concept_term, numbers)) for numbers in concepts]}
    for table, fields in prepared.items():
        writer.words(table, fulltext.word_rows(fields, words, terms if table == "nim_words" else {}))
    writer.words("nim_bigrams", fulltext.bigram_rows(prepared["nim_words"], words))
    row: Row = {"tokenizer": segment.identity(), "libraries": metadata.libraries(), "runs": pack_segmentation(words)}
    writer.rows({"segmentation": [row]})


def _refuse(findings: Iterable[Finding]) -> None:
    serious = [finding for finding in findings if finding.severity != Severity.NOTE]
    if serious:
        first = serious[0]
        where = f"{first.path}:{first.line}: {first.kind}: {first.detail}"
        raise StrictFindings(f"--strict: {len(serious)} findings, the first {where}; nothing was published")
