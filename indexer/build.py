"""The story of a build, in order: read, check, segment, write, publish."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indexer import lexicon
from indexer.compile import metadata, redact, segment
from indexer.compile.dictionary import concept_set_rows, dictionary_rows, nim_concepts
from indexer.compile.fulltext import (
    Prepared,
    bigram_rows,
    prepare,
    scenario_fields,
    slice_fields,
    unit_fields,
    word_rows,
)
from indexer.compile.metadata import calibration_rows
from indexer.compile.nim_names import vocabulary_rows
from indexer.compile.rows import Row, Rows, ledger_rows, nim_rows, trtc_rows
from indexer.compile.segment import Segmenter
from indexer.compile.token_sets import compared_texts, origin_rows, token_set_rows
from indexer.compile.workers import Future, Workers
from indexer.errors import StrictFindings
from indexer.reading import checks
from indexer.reading.nim.folder import PREFIX
from indexer.reading.nim.folder import find_root as find_nim_root
from indexer.reading.sources import load_nim, load_trtc, source_hashes
from indexer.reading.trtc.folder import ROOT_NAME
from indexer.reading.trtc.folder import find_root as find_trtc_root
from indexer.records import Base, Finding, NimBase, Severity, TrtcBase, Unit
from indexer.store import previous
from indexer.store.database import Writer
from indexer.store.previous import Previous
from indexer.store.publish import publishing
from query.analysis.tokens import concept_term

#: The steps of a build, as ``progress`` is told them.
STEPS = ("read", "segment", "write", "publish")
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the two knowledge bases lie; None leaves that half of the file empty.

    ``redact``: personal details of the NIM base stay out of the file (decision 19). ``calibrations``: what
    ``rtckb eval --calibrate`` printed of an earlier file, for ``--explain``.
    """

    trtc: Path | None
    nim: Path | None
    redact: bool = False
    calibrations: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """What a build did: the file's digest, counts as ``info`` gives them, findings by severity, was it up to date."""

    digest: str
    counts: Mapping[str, int]
    findings: Mapping[str, int]
    unchanged: bool


def build(
    sources: Sources, target: Path, jobs: int = 1, strict: bool = False, progress: Progress = lambda _: None
) -> Summary:
    """Build ``target`` from ``sources``; the old file stays as it is until the new one is complete.

    Equal sources give equal bytes, whatever ``jobs`` and whether or not an older file lends its segmentation.
    An older file of the same builder and the same sources is left in place once its digest is verified.

    Raises:
        StrictFindings: ``strict`` and something was repaired or wrong; nothing is published.
        RtckbBuildError: a source is missing, or the target cannot be written.
    """
    measured = calibration_rows(sources.calibrations)
    build_inputs = metadata.build_inputs(sources.trtc, sources.nim, sources.redact, measured)
    old = previous.read_previous(target)
    if not strict and _is_up_to_date(old, build_inputs, sources):
        return Summary(previous.digest_of(old.meta), metadata.as_counts(old.meta), old.findings, unchanged=True)
    with publishing(target) as temporary, closing(Workers(jobs, None if old.intact else segment.warm_up)) as workers:
        progress("read")
        material = _read(sources, old, workers)
        if strict:
            _refuse(material.findings)
        progress("write")
        counts = metadata.counts(material.trtc, material.nim, material.findings, material.copy_of) | material.personal
        digest = _write(temporary, material, {**build_inputs, **metadata.as_meta(counts)}, measured)
        progress("publish")
    severities = Counter(str(finding.severity) for finding in material.findings)
    return Summary(digest, counts, dict(sorted(severities.items())), unchanged=False)


def check_sources(sources: Sources) -> tuple[Finding, ...]:
    """Every finding of both bases, sorted, without building anything.

    Raises:
        RtckbBuildError: a base is missing or its index cannot be trusted.
    """
    trtc, nim = load_trtc(sources.trtc), load_nim(sources.nim)
    copy_of = checks.copies(nim, lexicon.load_variants())
    return tuple(sorted((*trtc.findings, *nim.findings, *checks.check_nim(nim, copy_of))))


def source_path(sources: Sources, finding: Finding) -> str:
    """The path of a finding's file as the caller reaches it, from the folders that were given."""
    name, _, rest = finding.path.partition("/")
    if finding.base == Base.TRTC and sources.trtc is not None and name == ROOT_NAME:
        return str(find_trtc_root(sources.trtc) / rest)
    if finding.base == Base.NIM and sources.nim is not None and name == PREFIX:
        return str(find_nim_root(sources.nim) / rest)
    return finding.path


def _is_up_to_date(old: Previous, build_inputs: Mapping[str, str], sources: Sources) -> bool:
    if not old.intact or any(old.meta.get(key) != value for key, value in build_inputs.items()):
        return False
    return old.hashes == source_hashes(sources.trtc, sources.nim)


@dataclass(frozen=True, slots=True)
class _Material:
    """Everything that is written, read and prepared."""

    trtc: TrtcBase
    nim: NimBase
    copy_of: Mapping[int, int]
    personal: dict[str, int]
    findings: Sequence[Finding]
    prepared: Mapping[str, Sequence[Prepared]]
    bridges: Future[Rows]
    concepts: Future[list[tuple[int, ...]]]
    segmenter: Segmenter


def _read(sources: Sources, old: Previous, workers: Workers) -> _Material:
    """Read, check and prepare; what other processes can do is handed over as soon as it is known."""
    variants = lexicon.load_variants()
    segmenter = Segmenter(old.segmentation, workers)
    trtc = load_trtc(sources.trtc)
    slices = [slice_fields(record) for record in trtc.slices]
    tags = [tag for s in trtc.slices for tag in (*s.tags, s.name, *s.page_tags)]
    bridges = workers.submit(dictionary_rows, slices, tags, trtc.aliases)
    prepared = {
        "slice_words": prepare(slices, segmenter, variants),
        "scenario_words": prepare(map(scenario_fields, trtc.scenarios), segmenter, variants),
    }
    nim = load_nim(sources.nim)
    personal = redact.count_personal(nim)
    nim = redact.redact(nim, variants) if sources.redact else nim
    concepts = workers.submit(nim_concepts, [_spoken(unit) for unit in nim.units])
    prepared["nim_words"] = prepare(map(unit_fields, nim.units), segmenter, variants)
    copy_of = checks.copies(nim, variants)
    findings = (*trtc.findings, *nim.findings, *checks.check_nim(nim, copy_of))
    return _Material(trtc, nim, copy_of, personal, findings, prepared, bridges, concepts, segmenter)


def _spoken(unit: Unit) -> str:
    """What of a unit tells its subject: title, tags, description."""
    return "\n".join((unit.display_title, *unit.tags, unit.description))


def _write(temporary: Path, material: _Material, facts: Mapping[str, str], measured: Sequence[Row]) -> str:
    """Everything in its fixed order, in one transaction; the digest."""
    variants = lexicon.load_variants()
    trtc, nim = material.trtc, material.nim
    with closing(Writer(temporary)) as writer:
        writer.rows({"calibration": measured})
        writer.rows(ledger_rows((*trtc.files, *nim.files), material.findings, nim.units))
        writer.rows(trtc_rows(trtc, lexicon.load_generic_tags(), variants))
        writer.rows(nim_rows(nim, material.copy_of, variants))
        writer.rows(token_set_rows([compared_texts(unit) for unit in nim.units], variants) | origin_rows(nim.units))
        writer.rows(material.bridges.result())
        words = material.segmenter.words()
        writer.rows(vocabulary_rows(nim.units, material.prepared["nim_words"], words, variants))
        named = material.concepts.result()
        writer.rows({"nim_concept": concept_set_rows(named)})
        terms = {"concepts": [" ".join(map(concept_term, concepts)) for concepts in named]}
        for table, found in material.prepared.items():
            extra = terms if table == "nim_words" else {}
            writer.words(table, word_rows(found, words, extra))
        writer.words("nim_bigrams", bigram_rows(material.prepared["nim_words"], words))
        writer.rows(_segmentation_rows(words))
        return writer.finish(facts)


def _segmentation_rows(words: Mapping[str, str]) -> dict[str, list[dict[str, Any]]]:
    return {"segmentation": [{"tokenizer": segment.identity(), "runs": segment.pack(words)}]}


def _refuse(findings: Iterable[Finding]) -> None:
    serious = [finding for finding in findings if finding.severity != Severity.NOTE]
    if serious:
        first = serious[0]
        where = f"{first.path}:{first.line}: {first.kind}: {first.detail}"
        raise StrictFindings(f"--strict: {len(serious)} findings, the first {where}; nothing was published")
