"""Models of scanf and its relatives: what they assign is any value."""

from __future__ import annotations

from heapwright.c.conversion_specifications import Conversion
from heapwright.c.format_models import Text, c_literal


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
                continue
            if not self.conversion(one, done):
                self.parameters, self.lines, self.rest = kept
                return self.unknown()
            done += one.letter != "n"
        self.lines.append("return done;")
        return self.parameters, self.lines

    def count(self, most: int) -> list[str]:
        """The statements that choose how many objects are assigned; at the end of the input none."""
        chosen = f"int done = hw_model_{self.any}_between(-1, {most});"
        if self.call.name == "sscanf":
            return [chosen]
        given = self.call.name == "fscanf" and not self.call.stream
        ended, meet = ("has_ended(b)", "meet_end(b)") if given else ("input_has_ended()", "meet_input_end()")
        return [f"if (hw_model_{ended}) return -1;", chosen, f"if (done < 0) hw_model_{meet};"]

    def conversion(self, one: Conversion, done: int) -> bool:
        if one.letter in ("s", "[", "c"):
            target = self.parameter("char *", "pointer")
            characters = one.letter == "c"
            width = f"{one.width or 1}" if characters else one.width or "(size_t)-1"
            function = f"hw_model_{self.any}_{'characters' if characters else 'string'}"
            rest = "" if characters else ", longest"
            if one.letter == "[" and self.any == "input":
                function, rest = "hw_model_input_set", f", longest, {c_literal(one.text)}"
            self.lines.append(f"if (done > {done}) {function}({target}, {width}{rest});")
            return target is not None
        if one.letter == "p":
            return False
        target = self.parameter(f"{one.ctype} *", "pointer")
        any = "approximate" if one.letter == "n" else self.any
        value = f"hw_model_{any}_{one.ctype.replace(' ', '_')}()"
        self.lines.append(f"if (done {'>=' if one.letter == 'n' else '>'} {done}) *{target} = {value};")
        return target is not None
