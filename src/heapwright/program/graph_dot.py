"""The control flow of a program as DOT text: `program_dot(program)` goes straight into graphviz."""

from __future__ import annotations

from heapwright.program.graph import Program
from heapwright.program.printer import format_command


def quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def program_dot(program: Program) -> str:
    """Locations are grouped by function; the entry is drawn bold, loop heads with double borders."""
    graph = program.graph
    reached = sorted(graph.postorder)
    lines = ["digraph program {", "  node [shape=ellipse, fontname=monospace]; edge [fontname=monospace];"]
    functions: dict[str, list[int]] = {}
    for index in reached:
        functions.setdefault(graph.locations[index].function, []).append(index)
    for number, (function, members) in enumerate(functions.items()):
        lines.append(f"  subgraph cluster_{number} {{ label={quote(function)};")
        for index in members:
            location = graph.locations[index]
            look = ", style=bold" if index == graph.entry else ""
            look += ", peripheries=2" if index in graph.loop_heads else ""
            label = f"L{index}\n{location.span.file}:{location.span.line}"
            lines.append(f"    {index} [label={quote(label)}{look}];")
        lines.append("  }")
    for index in reached:
        for edge in graph.successors[index]:
            label = format_command(edge.command)
            if edge.checks:
                label += "\n" + ", ".join(check.kind.value for check in edge.checks)
            lines.append(f"  {edge.source} -> {edge.target} [label={quote(label)}];")
    lines.append("}")
    return "\n".join(lines) + "\n"
