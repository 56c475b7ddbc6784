"""Type flow: what pointers lead to, where their declarations do not tell."""

from __future__ import annotations

import pytest

from heapwright.c.lower import lower
from heapwright.c.options import ParseOptions
from heapwright.c.parse import parse
from heapwright.program.dataflow.type_flow import retyped
from heapwright.program.graph import Program

START = """
#include <stdlib.h>
struct node { void *data; struct node *next; };
struct item { int weight; };
struct other { long first; struct other *second; };
int any(void);
"""
LIST = """
int main(void)
{
    struct node *head = NULL;
    while (any()) {
        struct node *made = malloc(sizeof *made);
        made->data = PAYLOAD;
        made->next = head;
        head = made;
    }
    void *last = head != NULL ? head->data : NULL;
    return last != NULL;
}
"""


def lowered(text: str) -> Program:
    return lower([parse("a.c", ParseOptions(), text=START + text)])


def payload(program: Program) -> str:
    field = program.types["node"].field("data")
    assert field is not None
    return field.target


def test_a_payload_is_of_the_type_that_flows_in() -> None:
    program = lowered(LIST.replace("PAYLOAD", "malloc(sizeof(struct item))"))
    assert payload(program) == ""
    found = retyped(program)
    assert payload(found) == "item"
    assert {found.variables[name].target for name in found.variables if name == "last"} == {"item"}
    assert found.checks == program.checks


@pytest.mark.parametrize(
    "second",
    [
        "malloc(sizeof(struct other))",
        "malloc((size_t)any())",
        "(void *)&made->next",
    ],
)
def test_a_payload_of_several_types_or_of_none_keeps_its_declaration(second: str) -> None:
    text = LIST.replace("PAYLOAD", f"any() ? malloc(sizeof(struct item)) : {second}")
    assert payload(retyped(lowered(text))) == ""


@pytest.mark.parametrize(
    "write",
    [
        "head->data = head;",
        "((struct other *)head)->second = malloc(sizeof(struct other));",
        "*(void **)head = head;",
    ],
)
def test_a_write_as_another_type_counts(write: str) -> None:
    text = LIST.replace("PAYLOAD", "malloc(sizeof(struct item))").replace("return last", f"{write} return last")
    program = retyped(lowered(text))
    assert "item" not in {field.target for type in program.types.values() for field in type.fields}


@pytest.mark.parametrize("as_other", ["struct twin { void *payload; };", "struct twin { long first; void *data; };"])
def test_a_read_as_another_type_may_lead_to_anything(as_other: str) -> None:
    """What lies there has another name, or what has this name lies elsewhere."""
    text = f"""
    {as_other}
    struct wide {{ void *data; void *more; }};
    int main(void)
    {{
        struct wide *made = malloc(sizeof *made);
        made->data = malloc(sizeof(struct item));
        made->more = malloc(sizeof(struct other));
        struct twin *twin = (struct twin *)made;
        void *read = {"twin->payload" if "payload" in as_other else "twin->data"};
        if (any())
            read = malloc(sizeof(struct item));
        return read != NULL;
    }}
    """
    assert retyped(lowered(text)).variables["read"].target == ""


def test_an_integer_that_becomes_a_pointer_may_lead_to_anything() -> None:
    text = """
    int main(void)
    {
        struct other *other = malloc(sizeof *other);
        unsigned long number = (unsigned long)other;
        void *found = (void *)number;
        if (number % 3 == 0)
            found = malloc(sizeof(struct item));
        struct item *read = found;
        read->weight = 0;
        return 0;
    }
    """
    assert retyped(lowered(text)).variables["found"].target == ""


def test_fields_of_inputs_keep_their_declarations() -> None:
    text = """
    void *kept(struct node *head)
    {
        head->data = malloc(sizeof(struct item));
        return head->next != NULL ? head->next->data : NULL;
    }
    """
    program = lower([parse("a.c", ParseOptions(), text=START + text)], function="kept")
    assert payload(retyped(program)) == ""


def test_nothing_is_said_where_memory_is_copied_by_bytes() -> None:
    text = LIST.replace("PAYLOAD", "malloc(sizeof(struct item))").replace(
        "return last", "struct node copy; __builtin_memcpy(&copy, head, (size_t)any()); return last"
    )
    program = lowered(text)
    assert retyped(program) is program
