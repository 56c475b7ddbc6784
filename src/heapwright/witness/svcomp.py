"""Witnesses in the YAML format 2.0 of SV-COMP.

A correctness witness is a set of loop invariants. A violation witness is a sequence of segments: a `function_return`
waypoint with the result of each nondeterministic call, at its closing parenthesis, and last the `target`, the statement
that fails.

    violation_witness(program, run, specification="G valid-memtrack", data_model="LP64", version="0.1.0")

The identifier is computed from the content and the time is a parameter, so that the same run gives the same text.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from heapwright.base.errors import UsageError
from heapwright.base.source import Span
from heapwright.program.graph import Program
from heapwright.program.trace import Choice, ChoiceKind, Run
from heapwright.result.outcomes import Proof
from heapwright.witness.source_text import closing_parenthesis

FORMAT_VERSION = "2.0"
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://pypi.org/project/heapwright")

Value = str | int | Sequence["Value"] | Mapping[str, "Value"]


def violation_witness(
    program: Program,
    run: Run,
    *,
    specification: str,
    data_model: str,
    version: str,
    created: datetime | None = None,
) -> str:
    """The text of the witness. `created` defaults to SOURCE_DATE_EPOCH, or the start of 1970 without it."""
    if run.violation is None:
        raise UsageError("a violation witness requires a run with a violation")
    returned = [point for choice in run.choices if (point := _function_return(program, choice)) is not None]
    content: list[Value] = [{"segment": [{"waypoint": point}]} for point in (*returned, _target(run))]
    return _entry("violation_sequence", content, program, specification, data_model, version, created)


def correctness_witness(
    program: Program,
    proof: Proof,
    *,
    specification: str,
    data_model: str,
    version: str,
    created: datetime | None = None,
) -> str:
    """The loop invariants that are C expressions, as an `invariant_set`."""
    content: list[Value] = [
        {
            "invariant": {
                "type": "loop_invariant",
                "location": _location(invariant.span, invariant.function),
                "value": invariant.expression,
                "format": "c_expression",
            }
        }
        for invariant in proof.invariants
        if invariant.loop_head and invariant.expression and _at_loop(program, invariant.span)
    ]
    return _entry("invariant_set", content, program, specification, data_model, version, created)


def _at_loop(program: Program, span: Span) -> bool:
    """Whether a loop statement starts at a span, so that the loop is unambiguous."""
    lines = program.sources.get(span.file, "").splitlines()
    if not 1 <= span.line <= len(lines):
        return False
    return re.match(r"(while|for|do)\b", lines[span.line - 1][span.column - 1 :]) is not None


def _entry(
    kind: str,
    content: list[Value],
    program: Program,
    specification: str,
    data_model: str,
    version: str,
    created: datetime | None,
) -> str:
    task: dict[str, Value] = {
        "input_files": list(program.files),
        "input_file_hashes": {file: _hash(program, file) for file in program.files},
        "specification": specification,
        "data_model": data_model,
        "language": "C",
    }
    identity = json.dumps([version, task, content], sort_keys=True)
    metadata: dict[str, Value] = {
        "format_version": FORMAT_VERSION,
        "uuid": str(uuid.uuid5(_NAMESPACE, identity)),
        "creation_time": (created or _default_time()).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "producer": {"name": "heapwright", "version": version},
        "task": task,
    }
    return to_yaml([{"entry_type": kind, "metadata": metadata, "content": content}])


def _default_time() -> datetime:
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch) if epoch.isdecimal() else 0, UTC)


def _hash(program: Program, file: str) -> str:
    """SHA-256 of the file's bytes, or of its text if the file is gone."""
    try:
        content = Path(file).read_bytes()
    except OSError:
        content = program.sources.get(file, "").encode("utf-8", "surrogateescape")
    return hashlib.sha256(content).hexdigest()


def _function_return(program: Program, choice: Choice) -> dict[str, Value] | None:
    """The result of a nondeterministic call. A call without an unambiguous position is omitted: a witness with fewer
    waypoints is weaker, one with a wrong position is invalid."""
    if choice.kind is not ChoiceKind.INPUT or not re.fullmatch(r"__VERIFIER_nondet_\w+", choice.source):
        return None
    text = program.sources.get(choice.span.file)
    position = closing_parenthesis(text, choice.span.line, choice.span.column, choice.source) if text else None
    if position is None or position[0] > max(choice.span.line, choice.span.end_line) + 1:
        return None
    return {
        "type": "function_return",
        "action": "follow",
        "location": _location(Span(choice.span.file, *position)),
        "constraint": {"value": f"\\result == {choice.value}", "format": "acsl_expression"},
    }


def _target(run: Run) -> dict[str, Value]:
    assert run.violation is not None
    check = run.violation.check
    return {"type": "target", "action": "follow", "location": _location(check.span, check.function)}


def _location(span: Span, function: str = "") -> dict[str, Value]:
    location: dict[str, Value] = {"file_name": span.file, "line": span.line}
    if span.column:
        location["column"] = span.column
    if function:
        location["function"] = function
    return location


def to_yaml(value: Value, indent: int = 0) -> str:
    """Block style with scalars as in JSON, which is YAML: strings quoted, numbers plain.

    >>> print(to_yaml({"a": [{"b": 1, "c": "x"}], "d": []}), end="")
    "a":
      - "b": 1
        "c": "x"
    "d": []
    """
    space = " " * indent
    if isinstance(value, Mapping) and value:
        return "".join(f"{space}{json.dumps(key)}:{_nested(item, indent + 2)}" for key, item in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str) and value:
        return "".join(f"{space}- {to_yaml(item, indent + 2).lstrip(' ')}" for item in value)
    return f"{space}{_scalar(value)}\n"


def _nested(value: Value, indent: int) -> str:
    if isinstance(value, (str, int)) or not value:
        return f" {_scalar(value)}\n"
    return "\n" + to_yaml(value, indent)


def _scalar(value: Value) -> str:
    return json.dumps(value, ensure_ascii=True)
