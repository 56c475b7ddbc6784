"""An inferred precondition for users: in words, as a formula, in C, with failing inputs; and as JSON, described by
`schemas/precondition.json`.

print(precondition_text(report))
json.dumps(precondition_object(report))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from heapwright import __version__
from heapwright.base.source import printable
from heapwright.program.heap_picture import HeapPicture
from heapwright.report.terminal.colours import PLAIN
from heapwright.report.terminal.heap_text import heap_lines
from heapwright.result.precondition import IntegerInput, Precondition

SCHEMA = Path(__file__).parent / "schemas" / "precondition.json"


@dataclass(frozen=True, slots=True)
class PreconditionReport:
    """The precondition of a function, and the files that it is in."""

    files: tuple[str, ...]
    function: str
    found: Precondition
    sources: Mapping[str, str] = field(default_factory=dict)


MOST_PICTURES = 4


def judgement(found: Precondition) -> str:
    tested = f"run on all {found.heaps} {found.tested[0]} of up to {found.objects} {found.tested[1]}"
    if not found.complete:
        tested += " (some runs were stopped)"
    if found.excluded:
        lost = f"sufficient, not weakest: {found.excluded} of {found.harmless} safe inputs are excluded"
        return f"{tested}: no allowed input fails; {lost}{_varying(found)}"
    if found.varying:
        return f"{tested}: no allowed input fails, no input that is safe in every run is excluded{_varying(found)}"
    return f"{tested}: no allowed input fails, no safe input is excluded"


def _varying(found: Precondition) -> str:
    """What the test says nothing about: inputs that are excluded, and fail in some runs only."""
    if not found.varying:
        return ""
    inputs = "one excluded input fails" if found.varying == 1 else f"{found.varying} of the excluded inputs fail"
    decided = "".join(map(_decided, found.integers))
    return f"; {inputs} in some runs only, as integers or other values decide that are not tracked{decided}"


def _decided(one: IntegerInput) -> str:
    """How many of these inputs are safe for values of an integer."""
    if not any(count for _, count in one.safe):
        return f"; none of these is safe in every run for {one.name} = {one.safe[0][0]} to {one.safe[-1][0]}"
    counts = ", ".join(f"{count or 'none'} for {one.name} = {value}" for value, count in one.safe)
    return f"; of these are safe in every run {counts}"


def precondition_text(report: PreconditionReport, *, verbose: bool = False, ascii: bool = False) -> str:
    found = report.found
    lines = [f"{printable(report.files[0])}: {report.function} is safe ({found.given}) if"]
    if not found.conjuncts:
        lines.append("  true: every input is safe")
    for conjunct in found.conjuncts:
        lines.append(f"  {conjunct.words}")
        lines.append(f"      {conjunct.formula}")
        if conjunct.macro is not None:
            lines.append(f"      {conjunct.macro}")
        lines += [f"      required by {obligation}" for obligation in conjunct.needed]
    for requirement in found.requirements:
        if not requirement.pictures:
            continue
        lines.append(f"failing inputs of {requirement.place} [{requirement.kind}]:")
        most = len(requirement.pictures) if verbose else MOST_PICTURES
        lines += _numbered(requirement.pictures[:most], ascii=ascii)
        if len(requirement.pictures) > most:
            lines.append(f"  and {len(requirement.pictures) - most} more (use -v to see them)")
    lines += [
        f"{one.place}: '{one.text}' depends on {one.untracked}, which this analysis does not track; "
        "it may fail for any input"
        for one in found.requirements
        if one.untracked and one.structures
    ]
    lines.append(judgement(found))
    lines += [f"assumption: {text}" for text in found.assumptions]
    if verbose:
        for one in found.requirements:
            lines.append(
                f"{one.place}: {one.text} [{one.kind}]: {one.structures} abstract inputs from which it may fail"
            )
            lines += _numbered(one.abstract, ascii=ascii)
        lines += [f"{name}: {value}" for name, value in found.stats]
    text = PLAIN.clean("\n".join(lines) + "\n")
    return text.translate(_ASCII) if ascii else text


def _numbered(pictures: Sequence[HeapPicture], *, ascii: bool) -> Iterator[str]:
    for number, picture in enumerate(pictures, 1):
        drawn = heap_lines(picture, ascii=ascii)
        yield f"  {number}. {drawn[0]}"
        yield from (f"     {line}" for line in drawn[1:])


_ASCII = str.maketrans(
    {
        "∀": "forall ",
        "∃": "exists ",
        "¬": "!",
        "\N{LOGICAL OR}": "|",
        "≠": "!=",
        "≤": "<=",
        "≥": ">=",
        "\N{LOGICAL AND}": "&",
        "→": "->",
    }
)


def contract_text(report: PreconditionReport) -> str:
    """The contract: lines of C for the beginning of the function."""
    return "".join(f"{line}\n" for line in report.found.contract)


def precondition_object(report: PreconditionReport) -> dict[str, object]:
    found = report.found
    return {
        "tool": "heapwright",
        "version": __version__,
        "file": report.files[0],
        "files": list(report.files),
        "function": report.function,
        "precondition": [
            {"words": one.words, "formula": one.formula, "macro": one.macro, "needed": list(one.needed)}
            for one in found.conjuncts
        ],
        "impossible": found.impossible,
        "given": found.given,
        "contract": list(found.contract),
        "demands": [
            {
                "place": one.place,
                "kind": one.kind,
                "text": one.text,
                "followed": not one.untracked,
                "structures": one.structures,
                "examples": [heap_lines(picture) for picture in one.pictures],
                "abstract": [heap_lines(picture) for picture in one.abstract],
            }
            for one in found.requirements
        ],
        "assumptions": list(found.assumptions),
        "tested": {"on": found.tested[0], "of": found.tested[1], "most": found.objects},
        "heaps": found.heaps,
        "harmless": found.harmless,
        "excluded": found.excluded,
        "varying": found.varying,
        "integers": [
            {"name": one.name, "safe": [{"value": value, "inputs": count} for value, count in one.safe]}
            for one in found.integers
        ],
        "complete": found.complete,
        "stats": dict(found.stats),
    }
