"""Violation witnesses are YAML of the shape that format 2.0 asks for, and the same for the same run."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

import jsonschema
import pytest
import yaml
from witness.hand_made import program_of, run_of

from heapwright.base.errors import UsageError
from heapwright.base.source import Span
from heapwright.program.checks import CheckKind
from heapwright.program.trace import Choice, ChoiceKind, Ending, Run
from heapwright.witness.svcomp import to_yaml, violation_witness

TEXT = """extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int( );
  if (x < y)
    *(int *)0 = 1; // HERE
  return 0;
}
"""

LOCATION = {
    "type": "object",
    "required": ["file_name", "line"],
    "additionalProperties": False,
    "properties": {
        "file_name": {"type": "string"},
        "line": {"type": "integer", "minimum": 1},
        "column": {"type": "integer", "minimum": 1},
        "function": {"type": "string"},
    },
}
WAYPOINT = {
    "type": "object",
    "required": ["type", "action", "location"],
    "additionalProperties": False,
    "properties": {
        "type": {"enum": ["assumption", "target", "function_enter", "function_return", "branching"]},
        "action": {"enum": ["follow", "avoid"]},
        "location": LOCATION,
        "constraint": {
            "type": "object",
            "required": ["value", "format"],
            "properties": {"value": {"type": "string"}, "format": {"enum": ["c_expression", "acsl_expression"]}},
        },
    },
}
METADATA = {
    "type": "object",
    "required": ["format_version", "uuid", "creation_time", "producer", "task"],
    "additionalProperties": False,
    "properties": {
        "format_version": {"const": "2.0"},
        "uuid": {"type": "string", "pattern": "^[0-9a-f-]{36}$"},
        "creation_time": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"},
        "producer": {"type": "object", "required": ["name", "version"]},
        "task": {
            "type": "object",
            "required": ["input_files", "input_file_hashes", "specification", "data_model", "language"],
            "additionalProperties": False,
            "properties": {
                "input_files": {"type": "array", "items": {"type": "string"}, "minItems": 1},
                "input_file_hashes": {"additionalProperties": {"type": "string", "pattern": "^[0-9a-f]{64}$"}},
                "specification": {"type": "string"},
                "data_model": {"enum": ["LP64", "ILP32"]},
                "language": {"const": "C"},
            },
        },
    },
}
SCHEMA = {
    "type": "array",
    "minItems": 1,
    "items": {
        "type": "object",
        "required": ["entry_type", "metadata", "content"],
        "properties": {
            "entry_type": {"const": "violation_sequence"},
            "metadata": METADATA,
            "content": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "required": ["segment"],
                    "properties": {
                        "segment": {
                            "type": "array",
                            "minItems": 1,
                            "items": {"type": "object", "required": ["waypoint"], "properties": {"waypoint": WAYPOINT}},
                        }
                    },
                },
            },
        },
    },
}


def choice(line: int, column: int, value: int, source: str = "__VERIFIER_nondet_int") -> Choice:
    return Choice(ChoiceKind.INPUT, source, value, Span("list.c", line, column))


def witness(*choices: Choice) -> str:
    return violation_witness(
        program_of({"list.c": TEXT}),
        run_of(TEXT, CheckKind.NULL_DEREF, *choices),
        specification="CHECK( init(main()), LTL(G valid-deref) )",
        data_model="LP64",
        version="1.0",
    )


def waypoints(text: str) -> list[dict[str, Any]]:
    return [point["waypoint"] for part in yaml.safe_load(text)[0]["content"] for point in part["segment"]]


def test_has_the_shape_of_the_format() -> None:
    entries = yaml.safe_load(witness(choice(3, 11, -1), choice(3, 40, 2)))
    jsonschema.validate(entries, SCHEMA)
    task = entries[0]["metadata"]["task"]
    assert task["input_file_hashes"] == {"list.c": hashlib.sha256(TEXT.encode()).hexdigest()}
    assert task["specification"] == "CHECK( init(main()), LTL(G valid-deref) )"


def test_results_stand_at_the_closing_parentheses_and_the_target_last() -> None:
    points = waypoints(witness(choice(3, 11, -1), choice(3, 40, 2)))
    assert [point["type"] for point in points] == ["function_return", "function_return", "target"]
    assert [point["location"].get("column") for point in points] == [33, 63, 1]
    assert [point["constraint"]["value"] for point in points[:2]] == [r"\result == -1", r"\result == 2"]
    assert points[-1]["location"] == {"file_name": "list.c", "line": 5, "column": 1, "function": "main"}


def test_only_calls_that_can_be_placed_are_named() -> None:
    approximate = Choice(ChoiceKind.APPROXIMATE, "__VERIFIER_nondet_int", 1, Span("list.c", 3, 11))
    points = waypoints(witness(choice(6, 1, 4), choice(3, 11, 1, "malloc"), approximate, choice(99, 1, 1)))
    assert [point["type"] for point in points] == ["target"]


def test_same_run_same_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert witness(choice(3, 11, 1)) == witness(choice(3, 11, 1))
    first, second = (yaml.safe_load(witness(choice(3, 11, value)))[0]["metadata"] for value in (1, 2))
    assert first["uuid"] != second["uuid"]
    assert first["creation_time"] == "1970-01-01T00:00:00Z"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert yaml.safe_load(witness())[0]["metadata"]["creation_time"] == "1970-01-02T00:00:00Z"


def test_time_can_be_given() -> None:
    text = violation_witness(
        program_of({"list.c": TEXT}),
        run_of(TEXT, CheckKind.NULL_DEREF),
        specification="s",
        data_model="ILP32",
        version="1.0",
        created=datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC),
    )
    assert yaml.safe_load(text)[0]["metadata"]["creation_time"] == "2024-05-06T07:08:09Z"


def test_a_run_without_violation_makes_no_witness() -> None:
    run = Run((), (), Ending.EXIT)
    with pytest.raises(UsageError):
        violation_witness(program_of({"list.c": TEXT}), run, specification="s", data_model="LP64", version="1")


@pytest.mark.parametrize(
    "value",
    [
        [],
        {},
        {"a": {}},
        [{"a": "x: y", "b": ["- c", '"', "\\", "\n", "ü", ""]}, {"true": "true", "1": 1, "n": -3}],
        {"a": [["x"], [{"b": ["c"]}]]},
    ],
)
def test_the_writer_writes_what_yaml_reads(value: Any) -> None:
    assert yaml.safe_load(to_yaml(value)) == value
