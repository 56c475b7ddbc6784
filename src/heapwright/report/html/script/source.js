/* The source text, with its checks in the margin. */
import {el, plural, replace} from "./elements.js";
import {MARKS, ORDER, page, views} from "./data.js";

const NUMBERS = 70;  // width of line numbers and marks
const MOST_LINES = 300, NEAR = 12;  // lines around the statement that runs, which are printed
const KINDS = ["keyword", "literal", "comment"];

export class SourceView {
  constructor() {
    Object.assign(this, {onCheck: null, onView: null, file: null, current: null, range: null});
    this.rows = new Map();  // line: its element
    this.split = new Map();  // file: its lines
    this.lines = el("div", {class: "lines mono", role: "group", "aria-label": "Source text"});
    this.chooser = el("select", {"aria-label": "File", onchange: () => this.open(this.chooser.value, 1)},
      page.files.map((file) => el("option", {value: file.name}, file.label)));
    this.note = el("span", {class: "dim"});
    this.element = el("section", {class: "source", tabindex: 0, "aria-label": "Source"},
      el("div", {class: "bar"}, this.chooser, this.note), this.lines);
    this.marks = new Map();
    for (const check of page.checks || []) {
      const key = `${check.span[0]}:${check.span[1]}`;
      (this.marks.get(key) || this.marks.set(key, []).get(key)).push(check);
    }
    matchMedia("print").addEventListener("change", () => this.markNear());
  }
  linesOf(file) {
    return this.split.get(file.name) || this.split.set(file.name, file.text.split("\n")).get(file.name);
  }
  /* Shows a file around a line: all of it, unless it is long. */
  open(name, line) {
    const file = page.files.find((one) => one.name === name);
    if (!file) return false;
    if (this.file === name && this.rows.has(line)) return true;
    const lines = this.linesOf(file), all = lines.length;
    const first = all <= MOST_LINES ? 1 : Math.max(1, Math.min(line - MOST_LINES / 2, all - MOST_LINES + 1));
    const last = Math.min(all, first + MOST_LINES - 1);
    this.file = name;
    this.chooser.value = name;
    this.rows = new Map();
    this.current = null;
    for (let number = first; number <= last; number++) this.rows.set(number, this.row(number, lines[number - 1]));
    replace(this.lines, [...this.rows.values()]);
    this.note.textContent = all > MOST_LINES ? `lines ${first} to ${last} of ${all}` : "";
    this.highlight(file.tokens || []);
    return true;
  }
  row(number, text) {
    const here = views.filter((one) => one.span[0] === this.file && one.span[1] === number);
    return el("div", {class: "line", "data-n": number}, here.length ? this.heapsMark(number, here) : this.checkMark(number),
      el("code", {}, text || " "));
  }
  heapsMark(number, here) {
    const count = here.reduce((sum, one) => sum + one.heaps.length, 0);
    return el("button", {class: "mark heaps", tabindex: -1, "aria-label": `Line ${number}: ${plural(count, "abstract heap")}`,
      onclick: () => this.onView(here[0])}, String(count));
  }
  checkMark(number) {
    const checks = this.marks.get(`${this.file}:${number}`) || [];
    const worst = ORDER.find((verdict) => checks.some((check) => check.verdict === verdict));
    if (!worst) return el("span", {class: "gap"});
    const told = ORDER.map((verdict) => [checks.filter((check) => check.verdict === verdict).length, verdict])
      .filter(([count]) => count).map(([count, verdict]) => `${count} ${verdict}`).join(", ");
    const detail = checks.map((check) => `${check.verdict}: ${check.claim} (${check.engine})`).join("\n");
    return el("button", {class: `mark ${worst}`, title: detail, "aria-label": `Line ${number}: ${told}`, tabindex: -1,
      onclick: () => this.onCheck(checks.find((check) => check.verdict === worst))}, MARKS[worst]);
  }
  /* Colours the tokens of the lines that are shown: four numbers each, line, column, length and kind. */
  highlight(tokens) {
    if (!("highlights" in CSS)) return;
    const found = KINDS.map(() => []);
    for (let i = 0; i < tokens.length; i += 4) {
      const row = this.rows.get(tokens[i]);
      if (row) found[tokens[i + 3]].push(rangeIn(row, tokens[i + 1], tokens[i + 1] + tokens[i + 2]));
    }
    found.forEach((ranges, kind) => CSS.highlights.set(KINDS[kind], new Highlight(...ranges)));
  }
  /* Nothing is marked; the first file, if none is open. */
  clear() {
    if (!this.file && page.files.length) this.open(page.files[0].name, 1);
    if (this.current) this.current.className = "line";
    this.current = null;
    this.markNear();
    if ("highlights" in CSS) CSS.highlights.delete("now");
  }
  /* Marks the statement that runs. */
  show(place, bad) {
    if (!this.open(place.file, place.line)) return;
    const row = this.rows.get(place.line);
    if (this.current && this.current !== row) this.current.className = "line";
    this.current = row;
    if (!row) return;
    row.className = bad ? "line now bad" : "line now";
    this.markNear();
    if ("highlights" in CSS) {
      const text = row.querySelector("code").textContent, length = text.length;
      const whole = text.search(/\S|$/);  // without an end, the line
      const end = place.endLine === place.line && place.endColumn ? place.endColumn - 1 : length;
      const begin = place.endLine ? Math.min(place.column - 1, length) : whole;
      this.range = rangeIn(row, begin, Math.max(begin, Math.min(end, length)));
      CSS.highlights.set("now", new Highlight(this.range));
    }
  }
  /* Paper gets the lines near the statement. */
  markNear() {
    if (!matchMedia("print").matches) return;
    const at = this.current ? Number(this.current.dataset.n) : -NEAR;
    for (const [line, row] of this.rows) row.classList.toggle("near", Math.abs(line - at) <= NEAR);
  }
  /* Scrolls to the statement that runs. */
  reveal() {
    if (!this.current) return;
    const box = this.element.getBoundingClientRect(), at = this.current.getBoundingClientRect();
    if (at.top < box.top + 40 || at.bottom > box.bottom - 20) this.element.scrollTop += at.top - box.top - box.height / 2;
    const part = this.range ? this.range.getBoundingClientRect() : at;
    const left = box.left + this.element.scrollLeft + NUMBERS;  // where a line begins
    if (part.right > box.right) this.element.scrollLeft += Math.min(part.right - box.right + 20, part.left - left);
    else if (part.left < box.left + NUMBERS) this.element.scrollLeft = 0;
  }
}

function rangeIn(row, begin, end) {
  const text = row.querySelector("code").firstChild, range = new Range();
  range.setStart(text, Math.min(begin, text.length));
  range.setEnd(text, Math.min(end, text.length));
  return range;
}
