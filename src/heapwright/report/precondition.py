"""An inferred precondition for users: in words, as a formula, in C, with failing inputs; and as JSON, described by
`schemas/precondition.json`.

print(precondition_text(report))
json.dumps(precondition_object(report))
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from heapwright import __version__
from heapwright.program.heap_picture import HeapPicture
from heapwright.report.terminal.heap_text import heap_lines

SCHEMA = Path(__file__).parent / "schemas" / "precondition.json"


@dataclass(frozen=True, slots=True)
class Conjunct:
    """One conjunct of the precondition. `macro` is its C macro of heapwright.h, None if there is none; `needed` are the
    obligations that require it."""

    words: str
    formula: str
    macro: str | None
    needed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Requirement:
    """One obligation of the function. `structures` is the number of abstract inputs from which it may fail, `pictures`
    are failing inputs. `followed` is False if the obligation depends on integers, which are not tracked."""

    place: str
    kind: str
    text: str
    structures: int
    pictures: tuple[HeapPicture, ...]
    followed: bool


@dataclass(frozen=True, slots=True)
class PreconditionReport:
    """The precondition and its test on `heaps` inputs of up to `objects` objects each: `harmless` of them are safe, and
    `excluded` of these are excluded by the precondition. `complete`: every run was executed to its end."""

    files: tuple[str, ...]
    function: str
    conjuncts: tuple[Conjunct, ...]
    contract: tuple[str, ...]
    requirements: tuple[Requirement, ...]
    assumptions: tuple[str, ...]
    heaps: int
    objects: int
    harmless: int
    excluded: int
    complete: bool
    impossible: bool
    stats: tuple[tuple[str, float | int], ...]
    given: str = "given acyclic inputs, and if it terminates"
    tested: tuple[str, str] = ("heaps", "objects")  # the kind of inputs, and what these consist of


MOST_PICTURES = 4


def _judgement(report: PreconditionReport) -> str:
    tested = f"run on all {report.heaps} {report.tested[0]} of up to {report.objects} {report.tested[1]}"
    if not report.complete:
        tested += " (some runs were stopped)"
    if not report.excluded:
        return f"{tested}: no allowed input fails, no safe input is excluded"
    return (
        f"{tested}: no allowed input fails; sufficient, not weakest: {report.excluded} of {report.harmless} safe "
        "inputs are excluded"
    )


def precondition_text(report: PreconditionReport, *, verbose: bool = False, ascii: bool = False) -> str:
    lines = [f"{report.files[0]}: {report.function} is safe ({report.given}) if"]
    if not report.conjuncts:
        lines.append("  true: every input is safe")
    for conjunct in report.conjuncts:
        lines.append(f"  {conjunct.words}")
        lines.append(f"      {conjunct.formula}")
        if conjunct.macro is not None:
            lines.append(f"      {conjunct.macro}")
        lines += [f"      required by {obligation}" for obligation in conjunct.needed]
    for requirement in report.requirements:
        if not requirement.pictures:
            continue
        lines.append(f"failing inputs of {requirement.place} [{requirement.kind}]:")
        most = len(requirement.pictures) if verbose else MOST_PICTURES
        for number, picture in enumerate(requirement.pictures[:most], 1):
            drawn = heap_lines(picture, ascii=ascii)
            lines += [f"  {number}. {drawn[0]}", *(f"     {line}" for line in drawn[1:])]
        if len(requirement.pictures) > most:
            lines.append(f"  and {len(requirement.pictures) - most} more (use -v to see them)")
    lines += [
        f"{one.place}: '{one.text}' depends on integers, which this analysis does not track; it may fail for any input"
        for one in report.requirements
        if not one.followed and one.structures
    ]
    lines.append(_judgement(report))
    lines += [f"assumption: {text}" for text in report.assumptions]
    if verbose:
        lines += [
            f"{one.place}: {one.text} [{one.kind}]: {one.structures} abstract inputs from which it may fail"
            for one in report.requirements
        ]
        lines += [f"{name}: {value}" for name, value in report.stats]
    text = "\n".join(lines) + "\n"
    return text.translate(_ASCII) if ascii else text


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
    return "".join(f"{line}\n" for line in report.contract)


def precondition_object(report: PreconditionReport) -> dict[str, object]:
    return {
        "tool": "heapwright",
        "version": __version__,
        "file": report.files[0],
        "files": list(report.files),
        "function": report.function,
        "precondition": [
            {"words": one.words, "formula": one.formula, "macro": one.macro, "needed": list(one.needed)}
            for one in report.conjuncts
        ],
        "impossible": report.impossible,
        "given": report.given,
        "contract": list(report.contract),
        "demands": [
            {
                "place": one.place,
                "kind": one.kind,
                "text": one.text,
                "followed": one.followed,
                "structures": one.structures,
                "examples": [heap_lines(picture) for picture in one.pictures],
            }
            for one in report.requirements
        ],
        "assumptions": list(report.assumptions),
        "tested": {"on": report.tested[0], "of": report.tested[1], "most": report.objects},
        "heaps": report.heaps,
        "harmless": report.harmless,
        "excluded": report.excluded,
        "complete": report.complete,
        "stats": dict(report.stats),
    }
