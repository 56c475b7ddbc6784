"""The constants that are tried for inputs."""

from __future__ import annotations

import pytest
from support.assembler import assemble

from heapwright.program.dataflow.relevant_inputs import constants_of


def constants(condition: str) -> set[int]:
    program = assemble(f"var n: i32\nvar m: i32\nhavoc n\nif {condition} goto end\nm = 1\nend:\n")
    return set(constants_of(program).get(("", "n"), ()))


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("n < 7", {7}),
        ("n * 8 < 40", {5}),
        ("8 * n < 41", {5, 6}),
        ("n + 3 == 10", {7}),
        ("n - 3 == 10", {13}),
        ("n / 4 == 2", {8, 11}),
        ("n % 10 == 3", {3, 13}),
        ("n * 4 + 2 < 18", {4}),
        ("n * 0 < 5", set()),
        ("n < m", set()),
    ],
)
def test_a_comparison_of_an_expression_is_solved_for_its_variable(condition: str, expected: set[int]) -> None:
    assert constants(condition) == expected
