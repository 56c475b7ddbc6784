"""Stack overflow protection: files that are nested so deeply that clang itself runs out of stack.

clang limits brackets and nothing else: ten thousand `!` signs, or statements in one `if ... else if ...` chain, end the
whole process. A file with such a stretch of text is therefore parsed once in a process of its own, which costs a tenth
of a second and happens to almost no file.

>>> suspicious(b"int main(void) { return 0; }"), suspicious(b"int x = " + b"!" * 5000 + b"1;")
(False, True)
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence

from heapwright.base.errors import InputError
from heapwright.c.clang import RECURSE, Cursor, Visitor, library, translation_unit
from heapwright.c.options import ParseOptions

_TOKENS = 1500  # clang's stack holds more than twice as many levels of the costliest constructs
_TIMEOUT = 5.0  # seconds
_TOKEN = re.compile(rb"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|(?P<token>\w+|[^\w\s])", re.DOTALL)
_PROBE = "import sys; from heapwright.c.nesting_limit import touch; touch(sys.stdin.read(), sys.argv[1], sys.argv[2:])"


def suspicious(data: bytes) -> bool:
    """Whether there is a long stretch of text without `;` or braces, or a long chain of `else`."""
    if data.count(b"else") > _TOKENS:
        return True
    for part in re.split(rb"[;{}]", data):
        if len(part) > _TOKENS and sum(1 for match in _TOKEN.finditer(part) if match["token"]) > _TOKENS:
            return True
    return False


def probe(file: str, options: ParseOptions, contents: Mapping[str, bytes]) -> None:
    """Parses the file in a child process, to detect a crash of clang. `contents` has the file, and others by name."""
    command = [sys.executable, "-c", _PROBE, file, *options.arguments()]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    text = json.dumps({name: data.decode("latin-1") for name, data in contents.items()}).encode()
    try:
        code = subprocess.run(
            command, input=text, capture_output=True, check=False, timeout=_TIMEOUT, env=environment
        ).returncode
    except subprocess.TimeoutExpired:  # clang's time grows with the square of the depth
        code = -1
    if code not in (0, 1):  # 1 is an exception, which the parser itself will report
        raise InputError(f"{file} is nested too deeply")


def touch(text: str, file: str, arguments: Sequence[str]) -> None:
    """Makes the same clang calls as the parser, and ignores their results. `text` is what `probe` wrote."""
    contents = {name: data.encode("latin-1") for name, data in json.loads(text).items()}
    cursors: list[Cursor] = []

    def visit(cursor: Cursor, _parent: Cursor, _data: object) -> int:
        cursors.append(cursor)
        return RECURSE

    with translation_unit(file, contents[file], arguments, contents) as unit:
        library().clang_visitChildren(library().clang_getTranslationUnitCursor(unit), Visitor(visit), None)
        for cursor in cursors[:: max(len(cursors) // 100, 1)]:
            library().clang_getCursorExtent(cursor)
