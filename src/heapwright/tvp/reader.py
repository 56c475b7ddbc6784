"""Reading: a TVP program becomes a specification, a TVS file its structures.

    specification = read_program("reverse.tvp", defines=["LIMIT(2)"])
    structures = read_structures("list.tvs", specification)

The suffixes `.tvp` and `.tvs` may be left out.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from heapwright.base.errors import InputError
from heapwright.logic.actions import NamedStructure
from heapwright.tvp.expansion.actions import Actions
from heapwright.tvp.expansion.declarations import declare
from heapwright.tvp.preprocessing.preprocessor import preprocess
from heapwright.tvp.preprocessing.text_files import with_suffix
from heapwright.tvp.property_files import accepted, listed, program_options
from heapwright.tvp.specification import Remark, Specification, with_built_in
from heapwright.tvp.syntax.program_parser import parse_program
from heapwright.tvp.syntax.structure_parser import LocationStructures, parse_structures


def read_program(
    path: str,
    *,
    defines: Sequence[str] = (),
    search: Sequence[str] = (),
    properties: Sequence[str] = (),
    options: Mapping[str, str] | None = None,
) -> Specification:
    """The program in a file, with all names resolved; raises InputError at the span of an error.

    `properties` are files, `options` are single values that count more than those of any file."""
    file = with_suffix(path, ".tvp")
    values = {**program_options(file, properties), **accepted(options or {}, "options")}
    source = preprocess(file, **_preprocessing(values, defines, search))
    if source.properties:
        values = {**program_options(file, properties, source.properties), **accepted(options or {}, "options")}
    program, remarks = parse_program(source.tokens)
    try:
        declared, expander = declare(program)
        actions = Actions(program, declared, expander)
        graph, labels = actions.graph(os.path.splitext(os.path.basename(file))[0])
    except RecursionError:
        raise InputError(f"{file} has formulas that are nested too deeply") from None
    found = [*source.remarks, *remarks, *actions.remarks]
    reached = set(graph.postorder)
    for location in graph.locations:
        if location.index not in reached:
            found.append(Remark(f"{labels[location.index]} cannot be reached from {labels[0]}", location.span))
    printed: list[str] = []
    for label in program.printed:
        if label.text in labels:
            printed.append(label.text)
        else:
            found.append(Remark(f"{label.text}, which is to be printed, is no label of the program", label.span))
    return Specification(
        file,
        with_built_in(declared.vocabulary, expander.mentioned),
        declared.constraints,
        graph,
        labels,
        tuple(dict.fromkeys(printed)),
        {name: tuple(map(str, members)) for name, members in program.sets.items()},
        values,
        source.sources,
        tuple(found),
    )


def read_structures(
    path: str, specification: Specification, *, defines: Sequence[str] = (), search: Sequence[str] = ()
) -> tuple[NamedStructure, ...]:
    """The structures of a file in order, also those in `%location` blocks."""
    return tuple(
        structure
        for located in read_locations(path, specification, defines=defines, search=search)
        for structure in located.structures
    )


def read_locations(
    path: str, specification: Specification, *, defines: Sequence[str] = (), search: Sequence[str] = ()
) -> tuple[LocationStructures, ...]:
    """The structures of a file by location; the label of those outside any `%location` block is empty."""
    file = with_suffix(path, ".tvs")
    source = preprocess(file, **_preprocessing(specification.options, defines, search))
    return parse_structures(source.tokens, specification.vocabulary)


def _preprocessing(
    options: Mapping[str, str], defines: Sequence[str], search: Sequence[str]
) -> dict[str, Sequence[str]]:
    """The macros and folders that properties name, and those given."""
    return {
        "defines": [*listed(options.get("tvla.parser.externalMacros", "")), *defines],
        "search": [*search, *listed(options.get("tvla.parser.searchPath", ""))],
    }
