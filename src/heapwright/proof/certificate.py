"""The certificate of a proof: a JSON file with the invariant, and the input options that reproduce the program.

    text = certificate_text(Origin(...), program, goal, result)
    certificate = read_certificate(text)
    require_match(certificate, program)   # raises InputError for another program

`report/schemas/certificate.json` describes the format, docs/certificates.md explains it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from heapwright.base.errors import InputError
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.program.printer import format_program
from heapwright.result.outcomes import Result, Section, Verdict

FORMAT, VERSION = "heapwright-certificate", 1


@dataclass(frozen=True)
class Certificate:
    """`input` are the options with which the program was read; `sources` and `program` are digests of the files and of
    the lowered program."""

    input: Mapping[str, Any]
    sources: Mapping[str, str]
    program: str
    goal: Goal
    sections: tuple[Section, ...]

    @property
    def claims(self) -> frozenset[str]:
        return frozenset(claim for section in self.sections for claim in section.claims)


# --- writing ---------------------------------------------------------------------------------------------------------


def certificate_of(input: Mapping[str, Any], program: Program, goal: Goal, result: Result) -> Certificate:
    """The certificate of a result, without claims that the final result does not prove. What is masked is claimed like
    what is proved: no run violates it."""
    held = (Verdict.PROVED, Verdict.MASKED)
    proved = {outcome.check.id for outcome in result.outcomes if outcome.verdict in held}
    kept = [(section, tuple(claim for claim in section.claims if claim in proved)) for section in result.sections]
    sections = tuple(Section(section.engine, claims, section.parts) for section, claims in kept if claims)
    sources = {file: digest(program.sources[file]) for file in program.files if file in program.sources}
    return Certificate(input, sources, digest(format_program(program)), goal, sections)


def certificate_text(certificate: Certificate, tool: str) -> str:
    functions, goal = certificate.goal.error_functions, certificate.goal
    document = {
        "format": FORMAT,
        "version": VERSION,
        "tool": tool,
        "input": dict(certificate.input),
        "sources": dict(certificate.sources),
        "program": certificate.program,
        "goal": {
            "name": goal.name,
            "kinds": sorted(kind.value for kind in goal.kinds),
            "error_functions": None if functions is None else sorted(functions),
            "cleanup": goal.cleanup,
        },
        "sections": [
            {"engine": one.engine, "claims": list(one.claims), "parts": list(one.parts)} for one in certificate.sections
        ],
    }
    return json.dumps(document, separators=(",", ":"), sort_keys=True) + "\n"


def digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


# --- reading ---------------------------------------------------------------------------------------------------------


def read_certificate(text: str) -> Certificate:
    """Parses a certificate; raises InputError if it is malformed."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("not a certificate: not valid JSON") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(f"not a certificate: 'format' is not '{FORMAT}'")
    if document.get("version") != VERSION:
        version = document.get("version")
        raise InputError(f"certificate version {version!r} is not supported (supported version: {VERSION})")
    try:
        goal, functions = document["goal"], document["goal"]["error_functions"]
        return Certificate(
            {str(name): value for name, value in document["input"].items()},
            {str(file): str(hash) for file, hash in document["sources"].items()},
            str(document["program"]),
            Goal(
                frozenset(CheckKind(kind) for kind in goal["kinds"]),
                None if functions is None else frozenset(map(str, functions)),
                bool(goal["cleanup"]),
                str(goal["name"]),
            ),
            tuple(
                Section(str(one["engine"]), tuple(map(str, one["claims"])), tuple(map(_table, one["parts"])))
                for one in document["sections"]
            ),
        )
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(f"the certificate is malformed ({type(error).__name__}: {error})") from None


def _table(part: object) -> Mapping[str, Any]:
    if not isinstance(part, dict):
        raise TypeError("a part of a section is not an object")
    return part


def require_match(certificate: Certificate, program: Program) -> None:
    """Raises InputError if the certificate is not of this program."""
    for file, expected in certificate.sources.items():
        text = program.sources.get(file)
        if text is None or digest(text) != expected:
            raise InputError(f"certificate mismatch: '{file}' has changed since the certificate was written")
    if digest(format_program(program)) != certificate.program:
        raise InputError(
            "certificate mismatch: the lowered program differs",
            hint="headers, options or the version of heapwright have changed",
        )
    checks = {check.id for check in program.checks if certificate.goal.selects(check)}
    for claim in sorted(certificate.claims - checks):
        raise InputError(f"certificate mismatch: '{claim}' is not a selected check of the program")
    if not certificate.claims:
        raise InputError("the certificate has no claims")
