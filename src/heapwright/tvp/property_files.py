"""Properties files, and their precedence.

The format is that of Java: `key = value`, `key: value` or `key value`; `#` and `!` begin comments; a backslash at its
end joins a line with the next. Later sources win: the defaults, `<program>.properties` beside the program, files
that are given, the command line.

>>> parse("tvla.joinType = part  \\n# comment\\nlist: a, \\\\\\n   b")
{'tvla.joinType': 'part', 'list': 'a, b'}
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

from heapwright.base.errors import InputError
from heapwright.tvp.preprocessing.text_files import beside, is_file, read_text, with_suffix

DEFAULTS: Mapping[str, str] = {
    "tvla.joinType": "part",
    "tvla.generateAutomaticConstraints": "true",
    "tvla.differencing.difference": "true",
    "tvla.parser.searchPath": "",
    "tvla.parser.externalMacros": "",
}
# Properties with one or some of TVLA's values; of those that are no options here, the value that says what is done.
VALUES: Mapping[str, tuple[str, ...]] = {
    "tvla.joinType": ("part", "rel", "part_embedding"),
    "tvla.generateAutomaticConstraints": ("true", "false"),
    "tvla.differencing.difference": ("true", "false"),
    "tvla.differencing.differenceIdForms": ("true",),
    "tvla.differencing.differenceNonIdForms": ("false",),
    "tvla.differencing.tight": ("true",),
    "tvla.differencing.substituteDeltas": ("true",),
    "tvla.engine.type": ("tvla",),
    "tvla.engine.actionOrder": ("fcpucb",),
    "tvla.engine.breakIfCoerceAfterUpdateFailed": ("true",),
    "tvla.engine.freezeStructuresWithMessages": ("false",),
    "tvla.engine.checkMessagesAtFixpoint": ("false",),
    "tvla.engine.maxStructures": ("-1",),
    "tvla.engine.maxMessages": ("-1",),
    "tvla.cfg.saveLocations": ("all",),
    "tvla.cfg.backwardAnalysis": ("false",),
    "tvla.cfg.postOrder": ("false",),
    "tvla.blur.threeWay": ("true",),
    "tvla.absRef.refine": ("false",),
    "tvla.td.enabled": ("false",),
    "tvla.tr.enabled": ("false",),
    "tvla.simplify.nonEmptyStructs": ("false",),
}
# What TVLA prints, draws and logs, and how it represents structures.
OUTPUT = re.compile(
    r"tvla\.(terse|debug|emitWarnings|printExceptionStackTrace|implementation|log\..*|dot\..*|tvs\..*|xml\..*|output\..*"
    r"|spaceStatistics\..*|engine\.(autoResolveType|autoGC|dumpEvery|statisticsEvery))"
)

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_SPLIT = re.compile(r"((?:\\.|[^\\=:\s])*)\s*[=:]?\s*(.*)", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}


def parse(text: str) -> dict[str, str]:
    """The values of a properties file; of two for one key the last counts."""
    found: dict[str, str] = {}
    logical = ""
    continued = False
    for line in text.splitlines():
        line = line.lstrip(" \t\f")
        if not continued and (not line or line[0] in "#!"):
            continue
        backslashes = len(line) - len(line.rstrip("\\"))
        continued = backslashes % 2 == 1
        logical += line[:-1] if continued else line
        if not continued:
            _add(found, logical)
            logical = ""
    if logical:
        _add(found, logical)
    return found


def _add(found: dict[str, str], line: str) -> None:
    match = _SPLIT.fullmatch(line)
    if match is not None and match[1]:
        found[_unescaped(match[1])] = _unescaped(match[2]).strip()


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _PLAIN.get(m[2], m[2]), text)


def accepted(values: Mapping[str, str], source: str) -> Mapping[str, str]:
    """The same values; what would change the analysis of TVLA and has no effect here is refused."""
    for key, value in values.items():
        known = VALUES.get(key)
        if known is not None and value not in known:
            raise InputError(f"{source}: {key} = {value} is not supported; it may be {' or '.join(known)}")
        if known is None and key not in DEFAULTS and not OUTPUT.fullmatch(key):
            raise InputError(f"{source}: heapwright has no property {key}")
    return values


def program_options(program: str, files: Sequence[str] = (), named: Sequence[str] = ()) -> dict[str, str]:
    """The options of a program: defaults, the file beside it, files named in its comments, files given."""
    options = dict(DEFAULTS)
    own = os.path.splitext(program)[0] + ".properties"
    if is_file(own):
        options.update(accepted(parse(read_text(own)), own))
    for name in named:
        options.update(accepted(parse(read_text(beside(program, name))), name))
    for name in files:
        options.update(accepted(parse(read_text(with_suffix(name, ".properties"))), name))
    return options


def listed(value: str) -> list[str]:
    """The items of a list in a value, which commas, semicolons or blanks part."""
    return [item for item in re.findall(r"(?:\([^)]*\)|[^;,\s])+", value) if item]
