"""Hostile input to the whole front end: one sentence and exit code 2, or an answer; never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.hand_made import Heapwright

REFUSED: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "main"),
    "binary": (bytes(range(256)) * 40, "a.c"),
    "elf": (b"\x7fELF\x02\x01\x01" + b"\0" * 500, "a.c"),
    "syntax error": (b"int main(void) { return 0 }\n", "a.c:1:"),
    "missing header": (b'#include "nowhere.h"\nint main(void) { return 0; }\n', "nowhere.h"),
    "no main": (b"int f(void) { return 0; }\n", "main"),
    "unclosed comment": (b"int main(void) { return 0; } /* ", "a.c"),
    "unclosed function": (b"int main(void) { if (1) {", "a.c"),
    "deep parentheses": (b"int main(void) { return " + b"(" * 20000 + b"1" + b")" * 20000 + b"; }\n", "a.c"),
    "deep blocks": (b"int main(void) { " + b"{" * 20000 + b"}" * 20000 + b" return 0; }\n", "a.c"),
    "header that includes itself": (b'#include "a.c"\nint main(void) { return 0; }\n', "a.c"),
    "assembler": (b'__asm__("nop");\nint main(void) { return 0; }\n', "a.c:1:"),
}

ACCEPTED: dict[str, bytes] = {
    "text that is not UTF-8": b"// caf\xe9\nint main(void) { return 0; }\n",
    "byte order mark": b"\xef\xbb\xbfint main(void) { return 0; }\n",
    "carriage returns": b"int main(void)\r\n{\r\n  return 0;\r\n}\r\n",
    "no newline at the end": b"int main(void) { return 0; }",
    "undefined function": b"void log_it(int); int main(void) { log_it(3); return 0; }\n",
    "20,000 lines": b"int main(void) {\n  int x = 0;\n" + b"  x = x + 1;\n" * 20000 + b"  return 0;\n}\n",
    "long else-if chain": b"int main(void) { int x = 0; "
    + b"".join(b"if (x == %d) x = 1; else " % i for i in range(200))
    + b"x = 2; return 0; }\n",
    "long sum": b"int main(void) { int x = 1; x = " + b" + ".join([b"x"] * 500) + b"; return 0; }\n",
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("command", ["check", "lower", "run"])
def test_refused(heapwright: Heapwright, command: str, name: str) -> None:
    content, expected = REFUSED[name]
    Path("a.c").write_bytes(content)
    said = heapwright(command, "a.c")
    assert said.code == 2
    assert said.out == ""
    assert expected in said.err
    assert said.err.count("\n") == 1
    assert len(said.err) < 500
    assert "Traceback" not in said.err
    assert "internal error" not in said.err


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(heapwright: Heapwright, name: str) -> None:
    Path("a.c").write_bytes(ACCEPTED[name])
    said = heapwright("lower", "a.c")
    assert (said.code, said.err) == (0, "")
    assert "L0" in said.out


def test_a_program_that_two_files_define_twice(heapwright: Heapwright) -> None:
    for file in ("a.c", "b.c"):
        Path(file).write_text("int main(void) { return 0; }\n", encoding="utf-8")
    said = heapwright("lower", "a.c", "b.c")
    assert said.code == 2
    assert "main" in said.err
    assert said.err.count("\n") == 1


def test_a_function_that_is_not_there(heapwright: Heapwright) -> None:
    Path("a.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    said = heapwright("lower", "a.c", "--function", "nothing")
    assert said.code == 2
    assert "nothing" in said.err
