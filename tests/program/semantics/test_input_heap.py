"""What inputs lead to."""

from __future__ import annotations

from pathlib import Path

from heapwright.analysis.pipeline import Input, build
from heapwright.program.semantics.input_heap import input_types

TEXT = """
struct item { int data; };
struct hook { struct item *item; struct hook *next; };
struct node { struct hook hook; struct node *next; };
struct other { struct other *next; };
int count(struct node *node)
{
    struct hook *at = node ? &node->hook : 0;
    int found = 0;
    struct other *other = 0;
    for (; at; at = at->next)
        found += at->item != 0;
    return found + (other != 0);
}
"""


def test_fields_of_parts_lead_on(tmp_path: Path) -> None:
    path = tmp_path / "parts.c"
    path.write_text(TEXT, encoding="utf-8")
    program = build(Input((str(path),), function="count"), lambda phase: None)
    assert input_types(program) == ["hook", "item", "node"]
    assert input_types(program, lambda type, field: field.name != "item") == ["hook", "node"]
    assert input_types(program, lambda type, field: False) == ["node"]
