"""A heap picture for Graphviz: objects are boxes, variables plain names, links labelled arrows.

>>> print(heap_dot(HeapPicture((), (HeapArrow("x", "", "null"),), ())))
digraph heap {
  rankdir=LR;
  node [shape=box, fontname="monospace"];
  "v:x" [shape=plaintext, label="x"];
  "null" [shape=plaintext, label="null"];
  "v:x" -> "null" [label=""];
}
"""

from __future__ import annotations

from heapwright.program.heap_picture import HeapArrow, HeapNode, HeapPicture
from heapwright.report.heap_text import describe


def heap_dot(picture: HeapPicture, name: str = "heap") -> str:
    """The picture as one digraph; freed objects and those out of scope are dashed."""
    lines = [f"digraph {name} {{", "  rankdir=LR;", '  node [shape=box, fontname="monospace"];']
    if picture.data:
        values = "\n".join(f"{variable} = {value}" for variable, value in picture.data)
        lines.append(f'  "data" [shape=note, label={_quote(values)}];')
    lines += [_box(node) for node in picture.nodes]
    ends: dict[str, str] = {}
    for arrow in picture.arrows:
        for end in (arrow.source, arrow.target):
            if isinstance(end, str):
                ends.setdefault(_name(end, arrow), end)
    lines += [f"  {_quote(key)} [shape=plaintext, label={_quote(label)}];" for key, label in ends.items()]
    for arrow in picture.arrows:
        source, target = _name(arrow.source, arrow), _name(arrow.target, arrow)
        label = "" if isinstance(arrow.source, str) else arrow.label
        lines.append(f"  {_quote(source)} -> {_quote(target)} [label={_quote(label)}];")
    return "\n".join([*lines, "}"])


def _box(node: HeapNode) -> str:
    style = "" if node.state == "live" else ", style=dashed"
    return f"  {_quote(str(node.id))} [label={_quote(describe(node))}{style}];"


def _name(end: str | int, arrow: HeapArrow) -> str:
    if isinstance(end, int):
        return str(end)
    return f"v:{end}" if end == arrow.source else end


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\l") + '"'
