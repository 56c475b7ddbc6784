/* The page of a report. One classic script, because modules do not load from a disk. All text of the data is written as
 * text (`textContent`, `createTextNode`), never as markup. */
(function () {
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const MOST_LINES = 300, MOST_ROWS = 200, MOST_HEAPS = 40, SHORT = {"uninitialised": "?", "any value": "*"};
const STATE = "(state)", TYPE = "(type)", NAME = "(name)";
const MARKS = {violated: "✗", unknown: "?", masked: "◌", proved: "✓"};
const ORDER = ["violated", "unknown", "masked", "proved"];
const page = JSON.parse(document.getElementById("page-data").textContent);
const views = page.views || [], topics = page.topics || [];
const still = matchMedia("(prefers-reduced-motion: reduce)");

/* --- elements ------------------------------------------------------------------------------------------------------ */

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
const byId = (id) => document.getElementById(id);
const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const replace = (element, ...children) => element.replaceChildren(...children.flat(Infinity).filter((child) => child));

/* --- films --------------------------------------------------------------------------------------------------------- */

/* In a directory, films are scripts beside the page. */
const beside = new Map();  // number of a film: the function that gets it
window.heapwrightFilm = (number, packed) => beside.get(number)(packed);

function packedFilm(number) {
  const inside = byId(`film-${number}`);
  if (inside) return inside.textContent;
  return new Promise((found, failed) => {
    beside.set(number, found);
    document.head.append(el("script", {src: `film-${number}.js`, onerror: () => failed(new Error(`film-${number}.js is missing`))}));
  });
}

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

class Film {
  constructor(data) {
    this.data = data;
    this.length = data.steps.length;
    this.at = -1;
    this.cells = new Map();  // number of a cell: number of its value
    this.objects = new Map(data.objects.map((object) => [object.id, object]));
    this.seek(0);
  }
  text(number) { return this.data.strings[number]; }
  /* Goes to a step, from where it is or from a keyframe, whichever is nearer. */
  seek(step) {
    step = Math.max(0, Math.min(this.length - 1, step));
    const frame = this.data.keyframes.findLast((one) => one.step <= step);
    if (this.at < 0 || Math.abs(step - this.at) > step - frame.step) {
      this.cells = new Map();
      for (let i = 0; i < frame.cells.length; i += 2) this.cells.set(frame.cells[i], frame.cells[i + 1]);
      this.at = frame.step;
    }
    while (this.at < step) this.apply(++this.at, 2);
    while (this.at > step) this.apply(this.at--, 1);
  }
  apply(step, which) {
    const delta = this.data.deltas[step];
    for (let i = 0; i < delta.length; i += 3) {
      if (delta[i + which] < 0) this.cells.delete(delta[i]);
      else this.cells.set(delta[i], delta[i + which]);
    }
  }
  value(number) {
    const row = this.data.values[number];
    return Array.isArray(row) ? {object: row[0], index: row[1]} : {text: this.text(row)};
  }
  /* The memory of the step: fields of each object, in the order in which they appeared. */
  memory() {
    const memory = new Map([[0, new Map()]]);
    for (const cell of [...this.cells.keys()].sort((a, b) => a - b)) {
      const [object, field] = this.data.cells[cell];
      if (!memory.has(object)) memory.set(object, new Map());
      memory.get(object).set(this.text(field), this.value(this.cells.get(cell)));
    }
    return memory;
  }
  /* What the step changed: "object field" -> {old, now}. */
  changes(step) {
    const delta = this.data.deltas[step], found = new Map();
    for (let i = 0; i < delta.length; i += 3) {
      const [object, field] = this.data.cells[delta[i]];
      found.set(`${object} ${this.text(field)}`, {object, old: delta[i + 1], now: delta[i + 2]});
    }
    return found;
  }
  /* The last step up to here that changed a field of an object. */
  lastWrite(object, upTo) {
    for (let step = upTo; step >= 0; step--) {
      const delta = this.data.deltas[step];
      for (let i = 0; i < delta.length; i += 3) {
        const [owner, field] = this.data.cells[delta[i]];
        if (owner === object && ![TYPE, NAME].includes(this.text(field)) && delta[i + 2] >= 0) return step;
      }
    }
    return -1;
  }
  step(number) {
    const [span, text, notes, flags, stack] = this.data.steps[number];
    return {
      file: this.text(span[0]), line: span[1], column: span[2], endLine: span[3], endColumn: span[4],
      text: this.text(text), notes: notes.map((note) => this.text(note)),
      important: (flags & 1) > 0, model: (flags & 2) > 0,
      stack: this.data.stacks[stack].map(([name, file, line, record]) =>
        ({function: this.text(name), file: this.text(file), line, record})),
    };
  }
  scene(step) { return this.data.scenes.find((scene) => scene.first <= step && step <= scene.last); }
}

/* --- the heap ------------------------------------------------------------------------------------------------------ */

const words = (value) => value.text !== undefined ? value.text
  : `#${value.object}${value.index ? `[${value.index}]` : ""}`;
const titleOf = (id, fields) => {
  const type = fields.get(TYPE).text, name = fields.get(NAME);
  return name ? `${name.text} #${id}` : `#${id} ${type}`.trim();
};
const stateOf = (fields) => fields.get(STATE).text;
const isRecord = (fields) => fields.has(TYPE) && fields.get(TYPE).text.startsWith("activation of ");

function tagsOf(memory) {
  const tags = new Map();
  for (const [name, value] of memory.get(0)) {
    const short = name.slice(name.lastIndexOf(":") + 1);
    if (value.object === undefined || short.startsWith("&")) continue;
    const text = value.index ? `${short} [${value.index}]` : short;
    const found = tags.get(value.object) || tags.set(value.object, []).get(value.object);
    let tag = found.find((one) => one.text === text);
    if (!tag) found.push(tag = {text, names: []});
    tag.names.push(name);
  }
  return tags;
}

class HeapView {
  constructor(film, onChoose) {
    this.film = film;
    this.onChoose = onChoose;
    this.scene = null;
    this.nodes = new Map();  // id: its element, which stays
    this.drawnLinks = new Map();
    this.links = draw("g", {class: "links"});
    this.layer = draw("g", {class: "nodes"});
    const heads = ["", "-changed", "-tag", "-dangling"].map((name) => draw("marker", {
      id: `head${name}`, viewBox: "0 0 7 6", refX: 1, refY: 3, markerWidth: 7, markerHeight: 6, orient: "auto",
      markerUnits: "userSpaceOnUse"}, draw("path", {d: "M0 0 L7 3 L0 6 Z"})));
    this.svg = draw("svg", {role: "group", "aria-label": "The heap at this step"}, draw("defs", {}, heads), this.links,
      this.layer);
  }

  render(step, chosen) {
    const film = this.film, memory = film.memory(), changes = film.changes(step), tags = tagsOf(memory);
    const scene = film.scene(step), anew = this.scene !== null && this.scene !== scene;
    if (this.scene !== scene) {
      for (const [name, value] of [["viewBox", `0 0 ${scene.width} ${scene.height}`], ["width", scene.width],
        ["height", scene.height]]) this.svg.setAttribute(name, value);
    }
    this.scene = scene;
    const shown = new Map(scene.nodes.filter((node) => memory.has(node.id)).map((node) => [node.id, node]));
    for (const [id, element] of this.nodes) {
      if (!shown.has(id)) { element.remove(); this.nodes.delete(id); }
    }
    const last = step === film.length - 1;
    for (const [id, node] of shown) {
      this.node(node, memory.get(id), {changes, tags: tags.get(id) || [], tree: scene.tree, shown, chosen,
        subject: last && id === film.data.subject, anew});
    }
    this.drawLinks(scene, memory, changes, shown);
    return {memory, hidden: [...memory.keys()].filter((id) => id && !shown.has(id) && !isRecord(memory.get(id)))};
  }

  node(node, fields, {changes, tags, tree, shown, chosen, subject, anew}) {
    const [x, y, a, b] = node.box, id = node.id, state = stateOf(fields);
    let group = this.nodes.get(id);
    const before = group && group.dataset.place;
    if (!group) {
      const choose = () => this.onChoose(id);
      group = draw("g", {tabindex: 0, role: "button", onclick: choose,
        onkeydown: (event) => { if (event.key === "Enter") { choose(); event.stopPropagation(); } }});
      group.dataset.id = id;
      this.nodes.set(id, group);
      this.layer.append(group);
    }
    const change = changes.get(`${id} ${STATE}`);
    const origin = this.film.objects.get(id), storage = origin ? this.film.text(origin.storage) : "heap";
    const classes = ["node", storage, state === "live" ? "" : "freed", change && change.old < 0 ? "born" : "",
      change ? "just" : "", subject ? "subject" : "", chosen === id ? "chosen" : ""];
    group.setAttribute("class", classes.filter(Boolean).join(" "));
    group.setAttribute("transform", `translate(${x} ${y})`);
    group.dataset.place = `${x} ${y}`;
    if (anew && before && before !== group.dataset.place && !still.matches) {
      const [oldX, oldY] = before.split(" ");
      group.animate([{transform: `translate(${oldX}px, ${oldY}px)`}, {transform: `translate(${x}px, ${y}px)`}], 300);
    }
    const ended = state === "live" ? "" : ` (${state})`;
    const told = tags.map((tag) => [tag.text, tag.names.some((name) => changes.has(`0 ${name}`))]);
    const content = JSON.stringify([node.box, node.rows, ended, tree, told, [...fields].map(([name, value]) =>
      [name, words(value), shown.has(value.object), changes.has(`${id} ${name}`)])]);
    if (group.dataset.content === content) return;  // most objects stay as they are
    group.dataset.content = content;
    group.setAttribute("aria-label", [titleOf(id, fields) + ended, ...rowsOf(fields)].join(", "));
    const rows = node.rows.map((number) => this.film.text(number));
    const count = rows.length + 1, top = -(count - 1) / 2 * 15;
    const lines = [draw("rect", {class: "box", x: -a, y: -b, width: 2 * a, height: 2 * b, rx: Math.min(a, b, 12)}),
      draw("text", {class: "title", x: 0, y: top + 4.2, "text-anchor": "middle"}, titleOf(id, fields) + ended)];
    rows.forEach((field, index) => {
      const value = fields.get(field);
      if (!value) return;
      const at = top + (index + 1) * 15, linked = value.object !== undefined && shown.has(value.object);
      const text = value.object === id ? "itself" : linked ? "•" : SHORT[value.text] || words(value);
      const line = draw("text", {x: -a + 9, y: at + 4.2}, field ? draw("tspan", {class: "name"}, `${field}: `) : null, text);
      lines.push(changes.has(`${id} ${field}`) ? draw("g", {class: "row changed"},
        draw("rect", {class: "ground", x: -a + 3, y: at - 7, width: 2 * a - 6, height: 14, rx: 3}), line) : line);
    });
    if (tags.length) lines.push(tagGroup(tags, changes, tree, a, b));
    group.replaceChildren(...lines);
  }

  drawLinks(scene, memory, changes, shown) {
    const drawn = [], kept = this.drawnLinks;
    this.drawnLinks = new Map();
    for (const link of scene.links) {
      const [source, target] = link.ends;
      if (!shown.has(source) || !shown.has(target)) continue;
      const fields = [...memory.get(source)].filter(([, value]) => value.object === target);
      if (!fields.length) continue;
      const changed = fields.some(([name]) => changes.has(`${source} ${name}`));
      const dangling = stateOf(memory.get(target)) !== "live";
      const kind = changed ? "changed" : dangling ? "dangling" : "";
      const label = fields.map(([name, value]) => value.index ? `${name} [${value.index}]` : name).join(", ");
      const key = `${kind} ${link.line} ${label}`;
      const element = kept.get(key) || draw("g", {class: `link ${kind}`},
        draw("path", {d: link.line, "marker-end": `url(#head${kind ? `-${kind}` : ""})`}),
        draw("text", {x: link.label[0], y: link.label[1] + 3.5, "text-anchor": "middle"}, label));
      this.drawnLinks.set(key, element);
      drawn.push(element);
    }
    if (drawn.length !== this.links.childElementCount || drawn.some((one, n) => one !== this.links.children[n])) {
      this.links.replaceChildren(...drawn);
    }
  }
}

function tagGroup(tags, changes, tree, a, b) {
  const changed = tags.some((tag) => tag.names.some((name) => changes.has(`0 ${name}`)));
  const text = tags.map((tag) => tag.text).join(", "), width = text.length * 7.23;
  const [x, y] = tree ? [-a - 19, 4.2] : [0, -b - 20];
  const left = tree ? x - width : -width / 2;
  return draw("g", {class: changed ? "tag changed" : "tag"},
    changed ? draw("rect", {class: "ground", x: left - 3, y: y - 11, width: width + 6, height: 15, rx: 3}) : null,
    draw("text", {x, y, "text-anchor": tree ? "end" : "middle"}, text),
    draw("path", {d: tree ? `M${-a - 16} 0 H${-a - 6}` : `M0 ${-b - 15} V${-b - 6}`, "marker-end": "url(#head-tag)"}));
}

const rowsOf = (fields) => [...fields].filter(([name]) => ![STATE, TYPE, NAME].includes(name))
  .map(([name, value]) => `${name || "value"} ${words(value)}`);

function heapInWords(memory, hidden) {
  const lines = [], left = new Set(hidden);
  for (const [id, fields] of memory) {
    if (!id || left.has(id) || isRecord(fields)) continue;
    const state = stateOf(fields) === "live" ? "" : ` (${stateOf(fields)})`;
    lines.push(`${titleOf(id, fields)}${state}: ${rowsOf(fields).join(", ") || "no values"}.`);
  }
  if (hidden.length) lines.push(`${plural(hidden.length, "object")} not drawn.`);
  return lines.join("\n") || "The heap is empty.";
}

/* --- source text --------------------------------------------------------------------------------------------------- */

const KEYWORDS = new Set(("auto break case char const continue default do double else enum extern float for goto if " +
  "inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void " +
  "volatile while _Bool _Noreturn _Alignas _Alignof bool true false NULL nullptr").split(" "));
const TOKEN = /(\/\/[^\n]*|\/\*[^]*?(?:\*\/|$(?![^])))|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\b\d[\w.]*)|(^[ \t]*#[ \t]*\w+)|([A-Za-z_]\w*)/gm;

function tokensOf(text) {
  const found = [];
  for (const match of text.matchAll(TOKEN)) {
    const kind = match[1] ? "comment" : match[2] ? "literal" : match[3] || KEYWORDS.has(match[4]) ? "keyword" : "";
    if (kind) found.push([kind, match.index, match.index + match[0].length]);
  }
  return found;
}

class SourceView {
  constructor(onMark) {
    this.onMark = onMark;
    this.file = null;
    this.rows = new Map();  // line: its element
    this.marked = new Map();  // an element near the statement that runs: its line
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
    this.split = new Map();
  }
  textOf(name) {
    const file = page.files.find((one) => one.name === name);
    if (!file) return null;
    if (!this.split.has(name)) this.split.set(name, {lines: file.text.split("\n"), tokens: tokensOf(file.text)});
    return this.split.get(name);
  }
  /* Shows a file around a line: all of it, unless it is long. */
  open(name, line) {
    const source = this.textOf(name);
    if (!source) return false;
    if (this.file === name && this.rows.has(line)) return true;
    const all = source.lines.length;
    const first = all <= MOST_LINES ? 1 : Math.max(1, Math.min(line - MOST_LINES / 2, all - MOST_LINES + 1));
    const last = Math.min(all, first + MOST_LINES - 1);
    this.file = name;
    this.chooser.value = name;
    this.rows = new Map();
    this.marked.clear();
    this.current = null;
    for (let number = first; number <= last; number++) this.rows.set(number, this.row(number, source.lines[number - 1]));
    replace(this.lines, [...this.rows.values()]);
    this.note.textContent = all > MOST_LINES ? `lines ${first} to ${last} of ${all}` : "";
    this.highlight(source, first, last);
    return true;
  }
  row(number, text) {
    const view = views.find((one) => one.span[0] === this.file && one.span[1] === number);
    if (view) {
      const count = views.filter((one) => one.span[0] === this.file && one.span[1] === number)
        .reduce((sum, one) => sum + one.heaps.length, 0);
      return el("div", {class: "line", "data-n": number}, el("button", {class: "mark heaps", tabindex: -1,
        "aria-label": `Line ${number}: ${plural(count, "abstract heap")}`, onclick: () => selectView(view)}, String(count)),
      el("code", {}, text || " "));
    }
    const checks = this.marks.get(`${this.file}:${number}`) || [];
    const worst = ORDER.find((verdict) => checks.some((check) => check.verdict === verdict));
    let mark = el("span", {class: "gap"});
    if (worst) {
      const told = ORDER.map((verdict) => [checks.filter((check) => check.verdict === verdict).length, verdict])
        .filter(([count]) => count).map(([count, verdict]) => `${count} ${verdict}`).join(", ");
      const detail = checks.map((check) => `${check.verdict}: ${check.claim} (${check.engine})`).join("\n");
      mark = el("button", {class: `mark ${worst}`, title: detail, "aria-label": `Line ${number}: ${told}`, tabindex: -1,
        onclick: () => this.onMark(checks.find((check) => check.verdict === worst))}, MARKS[worst]);
    }
    return el("div", {class: "line", "data-n": number}, mark, el("code", {}, text || " "));
  }
  highlight(source, first, last) {
    if (!("highlights" in CSS)) return;
    const starts = [0];
    for (const line of source.lines) starts.push(starts[starts.length - 1] + line.length + 1);
    const found = {keyword: [], literal: [], comment: []};
    for (const [kind, begin, end] of source.tokens) {
      if (end < starts[first - 1]) continue;
      if (begin > starts[last]) break;
      let line = this.lineAt(starts, begin);
      for (let from = begin; from < end; line++) {
        const to = Math.min(end, starts[line + 1] - 1), row = this.rows.get(line + 1);
        if (row && to > from) found[kind].push(rangeIn(row, from - starts[line], to - starts[line]));
        from = starts[line + 1];
      }
    }
    for (const [kind, ranges] of Object.entries(found)) CSS.highlights.set(kind, new Highlight(...ranges));
  }
  lineAt(starts, offset) {
    let low = 0, high = starts.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle; else high = middle;
    }
    return low;
  }
  mark(line, name) {
    const row = this.rows.get(line);
    if (!row || this.marked.has(row)) return;
    row.classList.add(name);
    this.marked.set(row, line);
  }
  /* Nothing is marked; the first file, if none is open. */
  clear() {
    if (!this.file && page.files.length) this.open(page.files[0].name, 1);
    for (const row of this.marked.keys()) row.className = "line";
    this.marked.clear();
    if ("highlights" in CSS) CSS.highlights.delete("now");
  }
  /* Marks the statement that runs. */
  show(place, bad) {
    if (!this.open(place.file, place.line)) return;
    for (let line = place.line - 12; line <= place.line + 12; line++) this.mark(line, "near");
    for (const [row, near] of this.marked) {
      row.classList.remove("now", "bad");
      if (Math.abs(near - place.line) > 12) { row.classList.remove("near"); this.marked.delete(row); }
    }
    const row = this.rows.get(place.line);
    if (!row) return;
    row.classList.add("now");
    if (bad) row.classList.add("bad");
    if ("highlights" in CSS) {
      const length = row.querySelector("code").textContent.length;
      const whole = row.querySelector("code").textContent.search(/\S|$/);  // without an end, the line
      const end = place.endLine === place.line && place.endColumn ? place.endColumn - 1 : length;
      const begin = place.endLine ? Math.min(place.column - 1, length) : whole;
      CSS.highlights.set("now", new Highlight(rangeIn(row, begin, Math.max(begin, Math.min(end, length)))));
    }
    const box = this.element.getBoundingClientRect(), at = row.getBoundingClientRect();
    if (at.top < box.top + 40 || at.bottom > box.bottom - 20) {
      this.element.scrollTop += at.top - box.top - box.height / 2;
    }
  }
}

function rangeIn(row, begin, end) {
  const text = row.querySelector("code").firstChild, range = new Range();
  range.setStart(text, Math.min(begin, text.length));
  range.setEnd(text, Math.min(end, text.length));
  return range;
}

/* --- the player ---------------------------------------------------------------------------------------------------- */

class Player {
  constructor(film, source, check, onStep) {
    Object.assign(this, {film, source, check, onStep, timer: 0, chosen: 0});
    this.heap = new HeapView(film, (id) => { this.chosen = id; this.render(); });
    const button = (label, text, action) => el("button", {type: "button", "aria-label": label, title: label,
      onclick: action}, text);
    this.playing = button("Play", "▶", () => this.toggle());
    this.slider = el("input", {type: "range", min: 1, max: film.length, value: 1, "aria-label": "Step",
      oninput: () => this.go(Number(this.slider.value) - 1)});
    this.counter = el("output", {class: "mono"});
    this.only = el("input", {type: "checkbox", id: "only"});
    this.told = el("div", {class: "told", role: "status", "aria-live": "polite"});
    this.words = el("div", {class: "quiet", id: "heap-words"});
    this.frame = el("div", {class: "heap", role: "group", tabindex: 0, "aria-label": "Heap", "aria-describedby": "heap-words"},
      this.heap.svg);
    this.calls = el("ol", {class: "calls"});
    this.object = el("div", {});
    this.story = el("ol", {class: "story"});
    this.storyRows = new Map();
    this.listStory();
    this.element = el("section", {class: "stage", tabindex: 0, "aria-label": "Film of the run"},
      el("div", {class: "player", role: "toolbar", "aria-label": "Player"},
        button("First step (Home)", "|◀", () => this.go(0)), button("Step back (←)", "◀ step", () => this.move(-1)),
        this.playing, button("Step forward (→)", "step ▶", () => this.move(1)),
        button("Last step (End)", "▶|", () => this.go(film.length - 1)), this.slider, this.counter,
        el("label", {for: "only"}, this.only, " key steps only")),
      this.told, this.frame, this.words,
      el("div", {class: "under"}, el("section", {}, el("h3", {}, "Calls and variables"), this.calls,
        el("h3", {}, "Object"), this.object), el("section", {}, el("h3", {}, "Key steps"), this.story)),
      el("p", {class: "keys"}, el("kbd", {}, "←"), " ", el("kbd", {}, "→"), " step, ", el("kbd", {}, "space"),
        " play, ", el("kbd", {}, "Home"), " ", el("kbd", {}, "End"), " first and last, ", el("kbd", {}, "j"), " ",
        el("kbd", {}, "k"), " next and previous finding. Click an object for its history."));
  }
  listStory() {
    let steps = [];
    for (let step = 0; step < this.film.length; step++) if (this.film.data.steps[step][3] & 1) steps.push(step);
    const cut = steps.length - 80;
    if (cut > 0) steps = steps.slice(-80);
    replace(this.story, cut > 0 ? el("li", {class: "dim"}, `… ${plural(cut, "earlier key step")}`) : null,
      steps.map((step) => {
        const row = el("button", {type: "button", onclick: () => this.go(step)},
          el("span", {class: "number"}, String(step + 1)), el("span", {}, this.film.step(step).text));
        this.storyRows.set(step, row);
        return el("li", {}, row);
      }));
  }
  move(by) {
    let step = this.film.at + by;
    while (this.only.checked && step > 0 && step < this.film.length - 1 && !(this.film.data.steps[step][3] & 1)) step += by;
    this.go(step);
  }
  go(step) {
    this.film.seek(step);
    this.render();
  }
  toggle() { if (this.timer) this.pause(); else this.play(); }
  play() {
    if (this.film.at === this.film.length - 1) this.go(0);
    this.playing.textContent = "❚❚";
    this.playing.setAttribute("aria-label", "Pause");
    this.told.setAttribute("aria-live", "off");
    const pace = Math.max(40, Math.min(700, 30000 / this.film.length));
    this.timer = setInterval(() => {
      this.move(1);
      if (this.film.at === this.film.length - 1) this.pause();
    }, pace);
  }
  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.playing.textContent = "▶";
    this.playing.setAttribute("aria-label", "Play");
    this.told.setAttribute("aria-live", "polite");
  }
  render() {
    const film = this.film, at = film.at, step = film.step(at), last = at === film.length - 1;
    this.slider.value = at + 1;
    this.slider.setAttribute("aria-valuetext", `Step ${at + 1} of ${film.length}: ${step.text}`);
    this.counter.textContent = `${at + 1} / ${film.length}`;
    const notes = step.notes.length ? ` (${step.notes.join("; ")})` : "";
    const inner = step.stack[step.stack.length - 1];
    this.told.className = last && this.check.verdict === "violated" ? "told end" : "told";
    replace(this.told, el("span", {class: "dim"}, `${inner ? `in ${inner.function}, ` : ""}line ${step.line}: `),
      el("span", {class: "what"}, step.text), el("span", {}, notes), last ? el("div", {}, this.why()) : null);
    const {memory, hidden} = this.heap.render(at, this.chosen);
    this.words.textContent = heapInWords(memory, hidden);
    this.drawCalls(step, memory);
    this.drawObject(memory, hidden);
    for (const [number, row] of this.storyRows) {
      if (number === at) row.setAttribute("aria-current", "step"); else row.removeAttribute("aria-current");
    }
    this.source.show(step, last && this.check.verdict === "violated");
    this.reveal();
    this.onStep(at);
  }
  why() {
    const {subject} = this.film.data, object = this.film.objects.get(subject);
    const claim = `What must hold: ${this.check.claim}.`;
    if (!object) return claim;
    const [born, ended] = object.steps;
    const jump = (text, step) => step < 0 ? null : el("button", {type: "button", onclick: () => this.go(step)}, text);
    return el("span", {}, claim, " ", jump(`#${subject} allocated: step ${born + 1}`, born), " ",
      jump(`#${subject} freed: step ${ended + 1}`, ended));
  }
  drawCalls(step, memory) {
    const changes = this.film.changes(step === undefined ? 0 : this.film.at);
    const variables = memory.get(0), globals = [...variables].filter(([name]) => !name.includes(":"));
    const item = (title, rows, inner) => el("li", {class: inner ? "inner" : ""}, el("code", {}, title),
      rows.length ? el("dl", {}, rows.map(([name, value, key]) => [el("dt", {class: "mono"}, name),
        el("dd", {class: changes.has(key) ? "mono changed" : "mono"}, words(value))])) : null);
    const items = step.stack.map((call, depth) => {
      const record = call.record && memory.get(call.record), prefix = `${call.function}${record ? "::" : ":"}`;
      const latest = !record && !step.stack.slice(depth + 1).some((other) => other.function === call.function && !other.record);
      const rows = [...(record || (latest ? variables : []))].filter(([name]) => name.startsWith(prefix) && !name.includes("$"))
        .map(([name, value]) => [name.slice(prefix.length), value, `${record ? call.record : 0} ${name}`])
        .filter(([name]) => !name.startsWith("&"));
      return item(call.function + (call.line ? ` (called in line ${call.line})` : ""), rows, depth === step.stack.length - 1);
    });
    if (globals.length) items.unshift(item("globals", globals.map(([name, value]) => [name, value, `0 ${name}`]), false));
    replace(this.calls, items.reverse());
  }
  drawObject(memory, hidden) {
    const film = this.film, id = memory.has(this.chosen) && this.chosen ? this.chosen : 0;
    const rows = el("ul", {class: "story"});  // filled when it is unfolded
    const others = hidden.length ? el("details", {ontoggle: () => replace(rows, hidden.slice(0, 300).map((other) => el("li", {},
      el("button", {type: "button", onclick: () => { this.chosen = other; this.render(); }},
        el("span", {class: "number"}, `#${other}`), el("span", {}, rowsOf(memory.get(other)).join(", "))))))},
    el("summary", {}, `${plural(hidden.length, "object")} not drawn`), rows) : null;
    if (!id) return replace(this.object, el("p", {class: "dim"}, "None chosen."), others);
    const fields = memory.get(id), object = film.objects.get(id), written = film.lastWrite(id, film.at);
    const jump = (text, step) => step < 0 ? null : el("li", {}, el("button", {type: "button",
      onclick: () => this.go(step)}, el("span", {class: "number"}, String(step + 1)), el("span", {}, text)));
    const place = film.text(object.allocated[0]) + (object.allocated[1] ? `:${object.allocated[1]}` : "");
    replace(this.object, el("p", {class: "mono"}, titleOf(id, fields), `, ${film.text(object.storage)}, ${stateOf(fields)}`),
      el("dl", {class: "facts mono"}, [...fields].filter(([name]) => ![STATE, TYPE, NAME].includes(name))
        .map(([name, value]) => [el("dt", {}, name || "value"), el("dd", {}, words(value))])),
      el("ul", {class: "story"}, jump(object.allocated[1] ? `allocated at ${place}` : "appears", object.steps[0]),
        jump(object.steps[1] >= 0 && film.text(object.storage) !== "heap" ? "ends" : "freed", object.steps[1]),
        jump("last written", written)), others);
  }
  /* Scrolls the heap to what changed. */
  reveal() {
    const group = this.frame.querySelector(".subject, .node.born, .row.changed, .link.changed, .tag.changed");
    if (!group) return;
    const box = this.frame.getBoundingClientRect(), at = group.getBoundingClientRect();
    if (at.left < box.left || at.right > box.right) this.frame.scrollLeft += at.left - box.left - box.width / 2 + at.width / 2;
    if (at.top < box.top || at.bottom > box.bottom) this.frame.scrollTop += at.top - box.top - box.height / 2 + at.height / 2;
  }
}

/* --- findings ------------------------------------------------------------------------------------------------------ */

const checks = page.checks || [];
const sorted = [...checks].sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
const films = new Map();
const filters = {verdict: "open", kind: "", file: "", engine: "", words: ""};
let current = null, player = null, most = MOST_ROWS;

const isShown = (check) => (filters.verdict === "" || check.verdict === filters.verdict ||
    (filters.verdict === "open" && (check.verdict !== "proved" || check.suppressed !== null))) &&
  (!filters.kind || check.kind === filters.kind) && (!filters.file || check.span[0] === filters.file) &&
  (!filters.engine || check.engine === filters.engine) &&
  (!filters.words || `${check.id} ${check.function} ${check.message}`.toLowerCase().includes(filters.words.toLowerCase()));

const source = new SourceView((check) => select(check));
const list = el("ol", {class: "list"}), count = el("div", {class: "wide dim", role: "status"});
const more = el("div", {class: "more"});
const finding = el("section", {class: "finding", "aria-label": "Finding"});
const main = el("main", {id: "main", tabindex: -1});

/* Shows something beside the source, which stays in its place: ranges in what is taken out collapse. */
function present(right) {
  if (source.element.parentNode === main) main.lastChild.replaceWith(right);
  else replace(main, finding, page.files.length ? source.element : el("div", {class: "no-source"}), right);
}

function chooser(name, label, values, labels) {
  const id = `filter-${name}`;
  return el("label", {for: id}, el("span", {class: "quiet"}, label), el("select", {id, onchange: (event) => {
    filters[name] = event.target.value;
    most = MOST_ROWS;
    listFindings();
  }}, values.map((value, index) => el("option", {value, selected: filters[name] === value}, labels ? labels[index] : value))));
}

function filterBar() {
  const of = (get) => [...new Set(checks.map(get))].sort();
  const search = el("input", {type: "search", id: "filter-words", placeholder: "search", oninput: (event) => {
    filters.words = event.target.value;
    listFindings();
  }});
  const kinds = of((check) => check.kind), engines = of((check) => check.engine), files = of((check) => check.span[0]);
  return el("div", {class: "filters", role: "search", "aria-label": "Filters"},
    chooser("verdict", "Verdict", ["open", "", ...ORDER], ["open checks", "all checks", ...ORDER]),
    chooser("kind", "Kind", ["", ...kinds], ["all kinds", ...kinds]),
    chooser("file", "File", ["", ...files], ["all files", ...files]),
    chooser("engine", "Engine", ["", ...engines], ["all engines", ...engines]),
    el("label", {class: "wide", for: "filter-words"}, el("span", {class: "quiet"}, "Search")),
    fill(search, {class: "wide"}, []), count);
}

function listFindings() {
  const shown = sorted.filter(isShown);
  count.textContent = `${shown.length} of ${plural(checks.length, "check")}`;
  replace(list, shown.slice(0, most).map((check) => el("li", {}, el("button", {type: "button", "data-id": check.id,
    "aria-current": check === current ? "true" : false, onclick: () => select(check)},
  el("span", {class: check.verdict}, `${MARKS[check.verdict]} ${check.verdict === "violated" ? check.kind : check.verdict}`),
  check.suppressed !== null ? " (suppressed)" : "", check.film >= 0 ? el("span", {class: "dim"}, " ▸ film") : null,
  el("div", {}, check.message), el("div", {class: "where mono"}, `${check.span[0]}:${check.span[1]} in ${check.function}`)))));
  replace(more, shown.length > most ? el("button", {type: "button", onclick: () => { most += MOST_ROWS; listFindings(); }},
    `show ${Math.min(MOST_ROWS, shown.length - most)} more`) : null);
}

async function select(check, step) {
  current = check;
  currentTopic = null;
  if (player) player.pause();
  player = null;
  markCurrent((button) => button.dataset.id === check.id);
  const doubtful = !check.exact && check.film >= 0
    ? "This run depends on approximations: it may not be possible in the real program." : "";
  replace(finding, el("h2", {}, el("span", {class: check.verdict}, `${MARKS[check.verdict]} ${check.verdict}: `), check.message),
    el("p", {class: "dim"}, `${check.kind} at `, el("code", {}, check.id.slice(0, -check.kind.length - 1)),
      ` in ${check.function}, ${check.verdict === "masked" ? "found" : "decided"} by ${check.engine}. `,
      check.suppressed !== null ? `Suppressed: ${check.suppressed || "no reason given"}. ` : "", check.advice),
    check.reason && check.reason !== check.message ? el("p", {}, check.reason) : null, doubtful ? el("p", {class: "unknown"}, doubtful) : null);
  const [file, line, column, endLine, endColumn] = check.span;
  if (check.film < 0) {
    present(about());
    source.show({file, line, column, endLine, endColumn}, check.verdict === "violated");
    remember();
    return;
  }
  if (!films.has(check.film)) films.set(check.film, new Film(await unpacked(await packedFilm(check.film))));
  if (current !== check) return;
  const film = films.get(check.film);
  player = new Player(film, source, check, remember);
  present(player.element);
  if (film.data.omitted) {
    player.element.append(el("p", {class: "dim"}, `${film.data.omitted} steps of the run come before the first one and are left out.`));
  }
  player.go(step === undefined ? film.length - 1 : step);
}

function about() {
  const items = (rows) => rows.map((row) => el("li", {}, row.place ? el("code", {}, `${row.place}: `) : null, row.text));
  return el("section", {class: "stage about", tabindex: 0, "aria-label": "About this result"},
    page.limit ? el("p", {}, page.limit) : null, page.next_step ? el("p", {}, "Next: ", page.next_step) : null,
    page.engines && page.engines.length ? [el("h3", {}, "What engines left open"),
      el("ul", {}, page.engines.map((one) => el("li", {}, `${one.engine}: ${one.text}`)))] : null,
    page.assumptions.length ? [el("h3", {}, "The result holds under these assumptions"), el("ul", {}, items(page.assumptions))] : null,
    page.warnings && page.warnings.length ? [el("h3", {}, "Warnings"), el("ul", {}, items(page.warnings))] : null,
    el("p", {class: "dim"}, page.generator, page.engine ? `; engines: ${page.engine}` : "",
      page.seconds ? `; ${page.seconds.toFixed(1)} s` : "", ". ",
      checks.length ? "Marks in the margin: ✗ violated, ? unknown, ◌ masked, ✓ proved." : ""));
}

/* --- proofs: the abstract heaps at a line -------------------------------------------------------------------------- */

let currentView = null, variable = "", svgs = [];
const lineOf = (view) => page.function ? `line ${view.span[1]}` : view.text.split(":")[0];
const after = new Map();  // "view heap": the heaps that come from it
views.forEach((view, v) => view.heaps.forEach((heap, h) => (heap.from || []).forEach((place) => {
  const key = place.join(" ");
  (after.get(key) || after.set(key, []).get(key)).push([v, h]);
})));
const linked = after.size > 0;

function picture(drawing, caption, meanings, more) {
  const parsed = new DOMParser().parseFromString(svgs[drawing.svg], "image/svg+xml").documentElement;
  const svg = document.importNode(parsed, true);
  for (const text of svg.querySelectorAll("text")) {
    const told = meanings.filter(([fact]) => text.textContent.split(/[ ()]+/).includes(fact)).map((pair) => pair.join(": "));
    if (told.length) text.append(draw("title", {}, told.join("\n")));
  }
  svg.setAttribute("aria-label", `${caption}: ${drawing.words}`);
  return el("figure", {}, svg, el("figcaption", {}, el("span", {}, caption), more));
}

/* Buttons to other heaps, those at one line together. */
function heapButtons(word, places) {
  if (!places || !places.length) return null;
  const shown = places.slice(0, 6).map(([v, h]) => el("button", {type: "button", title: views[v].text,
    onclick: () => selectView(views[v], h)}, `${lineOf(views[v])}, heap ${h + 1}`));
  return el("div", {}, `${word} `, shown, places.length > 6 ? ` and ${places.length - 6} more` : "");
}

function heapFigure(view, heap, index) {
  const own = views.indexOf(view);
  const example = heap.example === undefined ? null : el("details", {class: "example"},
    el("summary", {}, "an example"), picture(view.examples[heap.example], "a heap of a run", []));
  const caption = heap.caption || (page.engine === "fesa" ? "the graph" : `heap ${index + 1} of ${view.heaps.length}`);
  const figure = picture(heap, caption, view.meanings, [heapButtons("from", heap.from),
    heapButtons("to", after.get(`${own} ${index}`)), example]);
  figure.dataset.heap = index;
  return figure;
}

function covered(view) {
  if (!view.heaps.length) return view.without;
  if (page.engine === "fesa") return "One graph stands for all heaps here. The others are roles: what the Boolean function allows for an object of a summary node.";
  if (!page.complete) return "These heaps were found; the analysis is not complete, so that others are possible.";
  return `Whatever the run, the heap here is one of ${view.heaps.length === 1 ? "this one" : `these ${view.heaps.length}`}.`;
}

function selectView(view, chosen) {
  currentView = view;
  currentTopic = null;
  const [file, line, column] = view.span, own = views.indexOf(view);
  markCurrent((button) => button.dataset.view === String(own));
  const names = [...new Set(view.heaps.flatMap((heap) => heap.variables))].sort();
  if (!names.includes(variable) || chosen !== undefined) variable = "";
  const choose = el("select", {id: "variable", onchange: () => { variable = choose.value; selectView(view); }},
    el("option", {value: ""}, "all heaps"), names.map((name) => el("option", {value: name, selected: name === variable}, `with ${name}`)));
  const pointers = [...new Set(view.heaps.flatMap((heap) => heap.objects))].sort();
  const reasons = el("div", {class: "why", role: "status"});
  const ask = el("select", {id: "why", onchange: () => replace(reasons, ask.value ? whyNotNull(view, ask.value) : null)},
    el("option", {value: ""}, "choose"), pointers.map((name) => el("option", {value: name}, shortName(view, name))));
  const shown = view.heaps.map((heap, index) => [heap, index]).filter(([heap]) => !variable || heap.variables.includes(variable));
  replace(finding, el("h2", {}, page.function ? `Line ${line}: ` : "", el("code", {}, view.text)),
    el("p", {class: "dim"}, covered(view)), view.alarms.map((alarm) => el("p", {class: "unknown"}, alarm)));
  const stage = el("section", {class: "stage", tabindex: 0, "aria-label": "Abstract heaps"},
    el("div", {class: "player"}, el("label", {for: "variable"}, "Show "), choose,
      linked && pointers.length ? [el("label", {for: "why"}, "Why can this not be null here: "), ask] : null),
    reasons, el("div", {class: "gallery"}, shown.slice(0, MOST_HEAPS).map(([heap, index]) => heapFigure(view, heap, index))),
    shown.length > MOST_HEAPS ? el("p", {class: "dim"}, `${shown.length - MOST_HEAPS} more heaps are not drawn; choose a variable.`) : null,
    el("p", {class: "keys"}, "Double outline: one object or more. Dotted: may be absent. ", el("kbd", {}, "j"), " ", el("kbd", {}, "k"), " next and previous line."),
    view.meanings.length ? [el("h3", {}, "What the labels say of an object v"), el("dl", {class: "meanings"},
      view.meanings.map(([fact, text]) => [el("dt", {class: "mono"}, fact), el("dd", {}, text)]))] : null,
    view.examples.length ? el("details", {}, el("summary", {}, `${plural(view.examples.length, "heap")} of runs that arrive here`),
      el("div", {class: "gallery"}, view.examples.map((heap, index) => picture(heap, `example ${index + 1}`, [])))) : null);
  present(stage);
  source.show({file, line, column, endLine: 0, endColumn: 0}, false);
  const target = chosen === undefined ? null : stage.querySelector(`figure[data-heap="${chosen}"]`);
  if (target) {
    target.classList.add("from");
    target.scrollIntoView({block: "nearest"});
  }
  remembered = `#${own + 1}${target ? `/${chosen + 1}` : ""}`;
  keep();
}

/* Follows the heaps in which a variable points to an object backwards, to the statements that made it do so, and names
 * the lines at which heaps with null go another way. */
const shortName = (view, name) => name.startsWith(`${view.function}:`) ? name.slice(view.function.length + 1) : name;

function whyNotNull(view, name) {
  const own = views.indexOf(view), at = ([v, h]) => views[v].heaps[h];
  const isNull = view.heaps.findIndex((heap) => heap.null.includes(name));
  if (isNull >= 0) return el("p", {}, el("code", {}, shortName(view, name)), ` can be null here: it is in heap ${isNull + 1}.`);
  const waiting = view.heaps.map((heap, h) => [own, h]).filter((place) => at(place).objects.includes(name));
  const seen = new Set(waiting.map(String)), causes = new Map(), entries = [];
  while (waiting.length) {
    const place = waiting.pop(), before = at(place).from || [];
    if (!before.length) entries.push(place);
    for (const one of before) {
      if (!at(one).objects.includes(name)) {
        const found = causes.get(one[0]) || causes.set(one[0], {null: 0, heap: one[1]}).get(one[0]);
        if (at(one).null.includes(name)) found.null++;
      } else if (!seen.has(String(one))) {
        seen.add(String(one));
        waiting.push(one);
      }
    }
  }
  const lines = [...new Set([...seen].map((place) => Number(place.split(",")[0])))].sort((a, b) => a - b);
  const turned = lines.flatMap((v) => {
    const nulls = views[v].heaps.map((heap, h) => [v, h]).filter((place) => at(place).null.includes(name));
    const to = new Set(nulls.flatMap((place) => after.get(place.join(" ")) || []).map(([w]) => w));
    return nulls.length && to.size && ![...to].some((w) => lines.includes(w)) ? [[v, [...to], nulls[0][1]]] : [];
  });
  const link = (v, h) => el("button", {type: "button", onclick: () => selectView(views[v], h)}, lineOf(views[v]));
  const code = (v) => el("code", {}, views[v].text);
  const without = view.heaps.filter((heap) => !heap.objects.includes(name)).length;
  return [el("p", {}, el("code", {}, shortName(view, name)), ` is null in no heap here: it points to an object in ${view.heaps.length - without} of ${view.heaps.length}`,
    without ? ", and in the others it has no value that is used" : "", ". That is so because of"),
    el("ul", {}, [...causes].map(([v, {null: nulls, heap}]) => el("li", {}, link(v, heap), ": ", code(v),
      nulls ? ` — before, ${shortName(views[v], name)} may be null` : ` — sets ${shortName(views[v], name)}`)),
    entries.length ? el("li", {}, "the beginning, where it points to an object") : null,
    turned.map(([v, to, heap]) => el("li", {}, link(v, heap), ": ", code(v), ` — heaps in which ${shortName(views[v], name)} is null go on to `,
      to.slice(0, 4).map((w, n) => [n ? ", " : "", link(w)]), " only")))];
}

function heapCount(view) {
  const roles = view.heaps.filter((heap) => heap.caption).length;
  return plural(view.heaps.length - roles, "heap") + (roles ? `, ${plural(roles, "role")}` : "");
}

function markCurrent(isCurrent) {
  for (const button of document.querySelectorAll("nav .list button")) {
    if (isCurrent(button)) {
      button.setAttribute("aria-current", "true");
      button.scrollIntoView({block: "nearest"});
    } else button.removeAttribute("aria-current");
  }
}

function listViews() {
  replace(list, views.map((view, index) => el("li", {}, el("button", {type: "button", "data-view": index,
    onclick: () => selectView(view)}, el("code", {}, view.text || " "),
  el("div", {class: "where mono"}, page.function ? `${page.files.length > 1 ? `${view.span[0]}, ` : ""}line ${view.span[1]} in ${view.function}, ` : "", heapCount(view))))));
}

/* --- topics: what is said beside checks and heaps ------------------------------------------------------------------ */

let currentTopic = null;
const topicList = el("ol", {class: "list topics"});

function selectTopic(topic) {
  if (player) player.pause();
  player = currentView = current = null;
  currentTopic = topic;
  const place = topics.indexOf(topic);
  markCurrent((button) => button.dataset.topic === String(place));
  replace(finding, el("h2", {}, topic.title));
  const rows = el("tbody", {}), nodes = el("ol", {class: "tree mono"});
  const grown = (container, all, make, step) => {
    const rest = el("button", {type: "button"}), grow = () => {
      const from = container.childElementCount;
      container.append(...all.slice(from, from + step).map(make));
      rest.textContent = `show ${Math.min(step, all.length - container.childElementCount)} more`;
      if (container.childElementCount >= all.length) rest.remove();
    };
    rest.addEventListener("click", grow);
    grow();
    return all.length > step ? rest : null;
  };
  const moreRows = grown(rows, topic.rows, (row) => el("tr", {class: row[0]}, row.map((cell) => el("td", {}, cell))), 150);
  const moreNodes = grown(nodes, topic.tree, ([depth, name, text, end]) => el("li", {class: `depth-${Math.min(depth, 12)}`},
    el("span", {}, name), el("div", {class: "dim"}, text, end ? el("strong", {}, ` ${end}`) : null)), 250);
  present(el("section", {class: "stage topic", tabindex: 0, "aria-label": topic.title}, topic.text.map((text) => el("p", {}, text)),
    topic.rows.length ? el("div", {class: "wide-table"}, el("table", {}, el("thead", {}, el("tr", {}, topic.columns.map((name) => el("th", {scope: "col"}, name || " ")))), rows)) : null,
    moreRows, topic.tree.length ? nodes : null, moreNodes,
    el("div", {class: "gallery"}, topic.drawings.slice(0, MOST_HEAPS).map((one) => picture(one, one.caption, []))),
    topic.drawings.length > MOST_HEAPS ? el("p", {class: "dim"}, `${topic.drawings.length - MOST_HEAPS} more are not drawn.`) : null));
  if (topic.span) {
    const [file, line, column, endLine, endColumn] = topic.span;
    source.show({file, line, column, endLine, endColumn}, false);
  } else source.clear();
  remembered = `#topic-${place + 1}`;
  keep();
}

function listTopics() {
  replace(topicList, topics.map((topic, index) => el("li", {}, el("button", {type: "button", "data-topic": index,
    onclick: () => selectTopic(topic)}, topic.title))));
}

/* --- addresses: #check/step ---------------------------------------------------------------------------------------- */

let remembered = "";
function keep() {
  try { history.replaceState(null, "", remembered); } catch { /* in a sandboxed frame there are no addresses */ }
}
function remember(step) {
  if (!current) return;
  const place = checks.indexOf(current) + 1;
  remembered = `#${place}${step === undefined ? "" : `/${step + 1}`}`;
  keep();
}
function openAddress() {
  const told = /^#topic-(\d+)$/.exec(location.hash), topic = told && topics[Number(told[1]) - 1];
  if (topic) {
    selectTopic(topic);
    return true;
  }
  const match = /^#(\d+)(?:\/(\d+))?$/.exec(location.hash);
  const view = match && views[Number(match[1]) - 1];
  if (view) {
    selectView(view, match[2] ? Number(match[2]) - 1 : undefined);
    return true;
  }
  const check = match && checks[Number(match[1]) - 1];
  if (check) select(check, match[2] ? Number(match[2]) - 1 : undefined);
  return Boolean(check);
}

/* --- keys ---------------------------------------------------------------------------------------------------------- */

function onKey(event) {
  const target = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || target.matches("select, input[type=search]")) return;
  if (currentView && (event.key === "j" || event.key === "k")) {
    const next = views[views.indexOf(currentView) + (event.key === "j" ? 1 : -1)];
    if (next) selectView(next);
    return;
  }
  if (currentTopic && (event.key === "j" || event.key === "k")) {
    const next = topics[topics.indexOf(currentTopic) + (event.key === "j" ? 1 : -1)];
    if (next) selectTopic(next);
    return;
  }
  if (event.key === "j" || event.key === "k") {
    const shown = sorted.filter(isShown), at = shown.indexOf(current) + (event.key === "j" ? 1 : -1);
    if (shown[at]) select(shown[at]);
    return;
  }
  if (!player || (target === player.slider && event.key !== " ")) return;
  const button = target.matches("button, [role=button], summary, input");
  const actions = {ArrowLeft: () => player.move(-1), ArrowRight: () => player.move(1), Home: () => player.go(0),
    End: () => player.go(player.film.length - 1), " ": () => player.toggle()};
  const action = actions[event.key];
  if (!action || (button && event.key === " ")) return;
  action();
  event.preventDefault();
}

/* --- start --------------------------------------------------------------------------------------------------------- */

const dark = matchMedia("(prefers-color-scheme: dark)");
let theme = "";
function paint() { document.documentElement.dataset.theme = theme || (dark.matches ? "dark" : "light"); }
dark.addEventListener("change", paint);
paint();

function start() {
  const toggle = el("button", {type: "button", onclick: () => {
    theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    paint();
  }}, "light / dark");
  const showAbout = el("button", {type: "button", onclick: () => {
    if (player) player.pause();
    player = null;
    present(about());
  }}, "assumptions");
  if (checks.length && !checks.some((check) => check.verdict !== "proved")) filters.verdict = "";
  document.body.append(el("a", {class: "skip", href: "#main", onclick: (event) => { event.preventDefault(); main.focus(); }},
    "Skip to the finding"), el("div", {id: "app"},
    el("header", {}, el("h1", {}, page.title), page.verdict ? el("span", {class: `verdict ${page.verdict}`}, page.verdict) : null,
      el("span", {}, page.summary), el("span", {class: "space"}), showAbout, toggle),
    el("nav", {"aria-label": checks.length ? "Findings" : views.length ? "Lines" : "Topics", tabindex: 0},
      checks.length ? filterBar() : null, topics.length ? topicList : null, list, more), main));
  listTopics();
  if (views.length) listViews(); else if (checks.length) listFindings();
  present(about());
  addEventListener("hashchange", () => { if (location.hash !== remembered) openAddress(); });
  document.addEventListener("keydown", onKey);
  if (openAddress()) return;
  if (views.length) {
    const most = Math.max(...views.map((view) => view.heaps.length));
    selectView(views.find((view) => view.heaps.length === most));
    return;
  }
  if (topics.length && !checks.length) {
    selectTopic(topics[0]);
    return;
  }
  const first = ORDER.map((verdict) => checks.find((check) => check.verdict === verdict)).find(Boolean);
  if (first) select(first);
  else if (page.files.length) source.open(page.files[0].name, 1);
}
(async () => {
  if (byId("drawings")) svgs = await unpacked(byId("drawings").textContent);
  start();
  document.documentElement.dataset.ready = "true";
})();
})();
