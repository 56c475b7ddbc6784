"""Models of scanf and its relatives: what they assign is any value."""

from __future__ import annotations

from heapwright.c.conversion_specifications import Conversion
from heapwright.c.format_models import Text, c_literal

LONGEST_WORD = 5000  # characters of a word that overflows a buffer


def _shown(one: Conversion) -> str:
    """The conversion specification of printf whose text is read as the same number."""
    if one.letter in "aAeEfFgG":
        return "%.17g"
    return {"i": "%d", "X": "%x"}.get(one.letter, f"%{one.letter}")


def _widened(one: Conversion) -> str:
    if one.letter in "aAeEfFgG":
        return "(double)"
    return "(long long)" if one.letter in "di" else "(unsigned long long)"


def _skipped(one: Conversion) -> str:
    """The steps for text between conversions, and for a conversion that assigns nothing."""
    if one.letter == "":
        tell = "".join(f'hw_model_text("{_space(byte) or "%c"}", {byte});' for byte in one.text)
    elif one.letter in "s":
        tell = 'hw_model_text("word"); hw_model_text("%c", 97);'
    elif one.letter in "c[":
        count = int(one.width or 1) if one.letter == "c" else 1
        tell = f'hw_model_text("%c", {ord("a") if one.letter == "c" else _member(one.text)});' * count
    else:
        tell = 'hw_model_text("%d", 0LL);'
    return tell


def _space(byte: int) -> str:
    return "space" if chr(byte).isspace() else ""


def _member(characters: bytes) -> int:
    """A character of a set of scanf."""
    negated = characters.startswith(b"^")
    members = characters.removeprefix(b"^")
    if not negated:
        return members[0]
    return next(byte for byte in range(ord("a"), 256) if byte not in members)


class Scanner(Text):
    """scanf and its relatives: `done` is the number of objects that are assigned. What `sscanf` assigns follows from a
    text that is not interpreted, so that it is approximate; what the others assign is an input."""

    def text(self) -> tuple[list[str], list[str]]:
        of_text = self.call.name == "sscanf"
        self.any = "approximate" if of_text else "input"
        if self.conversions is None:
            return self.unknown()
        kept = (list(self.parameters), list(self.lines), list(self.rest))
        assigned = [one for one in self.conversions if one.letter not in ("", "n") and "*" not in one.flags]
        self.lines.append("size_t longest = (size_t)-1;" if not of_text else "size_t longest = strlen(b);")
        self.lines += self.count(len(assigned))
        done = 0
        for one in self.conversions:
            if one.letter == "" or "*" in one.flags:
                self.record(f"done >= {done}", _skipped(one))
                continue
            start = len(self.parameters)
            if not self.conversion(one, done):
                self.parameters, self.lines, self.rest = kept
                return self.unknown()
            if one.letter not in ("s", "[", "c", "n"):
                name = self.parameters[start].rpartition("*")[2]
                self.record(f"done > {done}", f'hw_model_text("{_shown(one)}", {_widened(one)}*{name});')
            done += one.letter != "n"
        self.record(f"done >= 0 && done < {done}", 'hw_model_text("stop");')
        self.lines.append("return done;")
        return self.parameters, self.lines

    def count(self, most: int) -> list[str]:
        """The statements that choose how many objects are assigned; at the end of the input none."""
        chosen = f"int done = hw_model_{self.any}_between(-1, {most});"
        if self.call.name == "sscanf":
            return [chosen]
        ended, meet = ("has_ended(b)", "meet_end(b)") if self.given else ("input_has_ended()", "meet_input_end()")
        begin = "begin_reading(b)" if self.given else "begin_reading_input()"
        begun = [f"if (hw_model_{ended}) return -1;", f"hw_model_{begin};"]
        return [*begun, chosen, f"if (done < 0) hw_model_{meet};"]

    @property
    def given(self) -> bool:
        """Whether the stream is an argument."""
        return self.call.name == "fscanf" and not self.call.stream

    def record(self, condition: str, statements: str) -> None:
        """Records the text, where the standard input is read and its bytes are kept."""
        if self.call.name != "sscanf" and statements:
            stream = " && b == stdin" if self.given else ""
            self.lines.append(f"if (hw_model_records(){stream} && {condition}) {{ {statements} }}")

    def conversion(self, one: Conversion, done: int) -> bool:
        if one.letter in ("s", "[", "c"):
            target = self.parameter("char *", "pointer")
            characters = one.letter == "c"
            width = f"{one.width or 1}" if characters else one.width or "(size_t)-1"
            function = f"hw_model_{self.any}_{'characters' if characters else 'string'}"
            rest = "" if characters else ", longest"
            if one.letter == "[" and self.any == "input":
                function, rest = "hw_model_input_set", f", longest, {c_literal(one.text)}"
            filler = ord("a") if one.letter != "[" else _member(one.text)
            most = width if width.isdigit() else str(LONGEST_WORD)
            between = "" if one.letter != "s" else 'hw_model_text("word"); '
            self.record(f"done > {done}", f'{between}hw_model_text("at most", {most}L, {filler}L);')
            self.lines.append(f"if (done > {done}) {function}({target}, {width}{rest});")
            read = f"hw_model_record_bytes({target}, {width})" if characters else f"hw_model_record_string({target})"
            self.record(f"done > {done}", f"{read};")
            return target is not None
        if one.letter == "p":
            return False
        target = self.parameter(f"{one.ctype} *", "pointer")
        any = "approximate" if one.letter == "n" else self.any
        value = f"hw_model_{any}_{one.ctype.replace(' ', '_')}()"
        self.lines.append(f"if (done {'>=' if one.letter == 'n' else '>'} {done}) *{target} = {value};")
        return target is not None
