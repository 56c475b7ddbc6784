"""The preprocessor: includes, macros, conditions, and places that survive them."""

from __future__ import annotations

import pytest
from tvp.reading import END, Folder

from heapwright.base.errors import InputError, UsageError
from heapwright.tvp.preprocessing.preprocessor import preprocess


def words(folder: Folder, text: str, *, defines: tuple[str, ...] = (), **files: str) -> str:
    folder.put({"a.tvp": text, **files})
    return " ".join(token.text for token in preprocess("a.tvp", defines=defines).tokens).rstrip()


def failure(folder: Folder, text: str, **files: str) -> str:
    folder.put({"a.tvp": text, **files})
    with pytest.raises(InputError) as caught:
        preprocess("a.tvp")
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a /* b\n c */ d // e\n f", "a d f"),
        ("a\\\nb", "a b"),
        ("#define N 3\nx N y", "x 3 y"),
        ("#define P(a, b) a(b) \\\n  b\nP(x, y) P", "x ( y ) y P"),
        ("#define P(a) l_##a\nP(1) P(exit) P(3b)", "l_1 l_exit l_3b"),
        ("#define P(a, b) a##_##b\nP(x, 1) P(, 1)", "x_1 _1"),
        ("#define P(a) a\n#define Q P(P(x))\nQ", "x"),
        ("#define P(a) [a]\nP((x, y)) P()", "[ ( x , y ) ] [ ]"),
        ("#define P() x\nP() P ()", "x x"),
        ("#define P (a)\nP", "( a )"),
        ("#define x y\n#define y x\nx y", "x y"),
        ("#define x 1\n#undef x\nx", "x"),
        ("#define S(a) #a\nS(x y)", '"x y"'),
        ("#define T t\nT\n#undef T\nT", "t T"),
        ('#define x y\n"x" x.y', '"x" x.y'),
        ("#define P(a) a b\nP(\n  x\n) y", "x b y"),
        ("#define F(a) a\n#define G F\nG(x)", "x"),
        ("x - > y < - > z", "x -> y <-> z"),
        ("%pset %px %param % %", "%pset %p x %param %%"),
        ("a\r\nb\x1a", "a b"),
        ("", ""),
    ],
)
def test_macros(folder: Folder, text: str, expected: str) -> None:
    assert words(folder, text) == expected


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("#if 1", True),
        ("#if(1 < N)", True),
        ("#if N == 2 && (N - 1) * 2 >= 2", True),
        ("#if N < 2 || UNKNOWN", False),
        ("#if !defined(N) || defined M", False),
        ("#if -7 / 2 == -3 && -7 % 2 == -1", True),
        ("#if N ? 0 : 1", False),
        ("#if 0x10 == 16L", True),
        ("#ifdef N", True),
        ("#ifndef N", False),
        ("#if 0\n#elif 1", True),
        ("#if 1\n#else", False),
        ("#if 0\n#if 1\n#else\nwrong\n#endif\n#elif N", True),
    ],
)
def test_conditions(folder: Folder, condition: str, kept: bool) -> None:
    assert words(folder, f"#define N 2\na\n{condition}\nb\n#endif\nc") == ("a b c" if kept else "a c")


def test_defines_of_the_command_line(folder: Folder) -> None:
    assert words(folder, "A B C", defines=("A", "B(x y)", "C=2")) == "1 x y 2"
    with pytest.raises(UsageError, match="write -DNAME"):
        words(folder, "", defines=("1",))


def test_includes_are_relative_to_the_file_then_to_the_program_then_searched(folder: Folder) -> None:
    files = {
        "in/b.tvp": '#include "c.tvp"\n#include "d.tvp"\n#include <e.tvp>',
        "in/c.tvp": "c",
        "d.tvp": "d",
        "far/e.tvp": "e",
    }
    folder.put({"a.tvp": '#include "in/b.tvp"', **files})
    tokens = preprocess("a.tvp", search=["far"]).tokens
    assert [token.text for token in tokens] == ["c", "d", "e", ""]
    assert [token.file for token in tokens] == ["in/c.tvp", "d.tvp", "far/e.tvp", "a.tvp"]


def test_places_survive(folder: Folder) -> None:
    text = '#define TWO(a) a \\\n  wrong\n/* one\n two */ x\n  TWO(y)\n#include "b.tvp"\nz'
    folder.put({"a.tvp": text, "b.tvp": "\n b"})
    found = [(token.text, str(token.span)) for token in preprocess("a.tvp").tokens]
    assert found == [
        ("x", "a.tvp:4:9"),
        ("y", "a.tvp:5:7"),  # an argument keeps its place
        ("wrong", "a.tvp:5:3"),  # what the macro adds has the place of the use
        ("b", "b.tvp:2:2"),
        ("z", "a.tvp:7:1"),
        ("", "a.tvp:7:2"),
    ]


def test_guarded_includes_may_meet_again(folder: Folder) -> None:
    guarded = '#ifndef B\n#define B\n#include "b.tvp"\nb\n#endif'
    folder.put({"b.tvp": guarded})
    assert words(folder, '#include "b.tvp"\n#include "b.tvp"') == "b"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('x\n #include "none.tvp"', 'a.tvp:2:11: the file "none.tvp" to be included is not found'),
        ('#include "a.tvp"', "a.tvp:1:2: a.tvp includes itself: includes are nested more than 60 deep"),
        ("#include x", 'a.tvp:1:2: #include needs a file name in quotes: #include "file"'),
        ("x\n#if 1", "a.tvp:2:2: this #if has no #endif"),
        ("#endif", "a.tvp:1:2: this #endif has no #if"),
        ("#else", "a.tvp:1:2: this #else has no #if"),
        ("#if 1\n#else\n#else\n#endif", "a.tvp:3:2: #else comes after #else"),
        ("#if", "a.tvp:1:2: #if needs a condition"),
        ("#ifdef", "a.tvp:1:2: #ifdef needs the name of a macro"),
        ("#if (1", "a.tvp:1:5: unexpected end of the condition"),
        ("#if 1 2\n#endif", "a.tvp:1:7: unexpected '2' in a condition"),
        ("#if 1 / 0\n#endif", "a.tvp:1:7: division by zero in a condition"),
        ("#if defined\n#endif", "a.tvp:1:5: 'defined' needs the name of a macro"),
        ("#define 1", "a.tvp:1:2: #define needs the name of a macro"),
        ("#define P(a", "a.tvp:1:9: the parameters of macro P are not a list of names"),
        ("#define P ##x", "a.tvp:1:9: '##' in macro P needs something on both sides"),
        ("#define P(a) a\n P(x, y)", "a.tvp:2:2: macro P has 1 parameters, not 2"),
        ("#define P(a) a\n P(x", "a.tvp:2:2: the arguments of macro P are not closed"),
        ("#error too many", "a.tvp:1:2: #error too many"),
        ("#elseif", "a.tvp:1:2: #elseif is no directive"),
        ("a\n /* b", "a.tvp:2:2: this comment is not closed"),
        ('a "b', "a.tvp:1:3: this string is not closed"),
        ("a @ b", "a.tvp:1:3: the character '@' has no meaning here"),
    ],
)
def test_errors(folder: Folder, text: str, message: str) -> None:
    assert failure(folder, text) == message


def test_macros_do_not_grow_without_end(folder: Folder) -> None:
    double = "".join(f"#define D{n + 1} D{n} D{n} D{n} D{n}\n" for n in range(30))
    assert "expands without end" in failure(folder, double + "D30")


def test_deep_nesting_is_an_error(folder: Folder) -> None:
    assert "nested too deeply" in failure(folder, "#define F(a) a\n" + "F(" * 3000 + "x" + ")" * 3000)
    assert "nested too deeply" in failure(folder, "#if " + "(" * 3000 + "1" + ")" * 3000 + "\n#endif")


def test_warnings_of_the_text_are_remarks(folder: Folder) -> None:
    found = folder.program(f"#warning careful\n%% %action go() {{}} {END}").remarks
    assert [str(remark) for remark in found] == ["main.tvp:1:2: careful"]
