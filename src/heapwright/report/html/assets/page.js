/* The script of pages, bundled from the modules beside it by `make bundle`. */
(function () {
"use strict";

/* Elements of the document, made from values. All text of the data is written as text (`textContent`), never as markup. */

const SVG = "http://www.w3.org/2000/svg";
const still = matchMedia("(prefers-reduced-motion: reduce)");

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

/* The data of the page, and its films, which are unpacked when they are watched. */

const MARKS = {violated: "✗", unknown: "?", masked: "◌", proved: "✓"};
const ORDER = ["violated", "unknown", "masked", "proved"];
const page = JSON.parse(document.getElementById("page-data").textContent);
const views = page.views || [], topics = page.topics || [], checks = page.checks || [];
const svgs = [];  // the texts of drawings, by number

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
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);  // much faster than an iterator
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/* The state of a run at each of its steps. */

const STATE = "(state)", TYPE = "(type)", NAME = "(name)";

class Film {
  constructor(data) {
    this.data = data;
    this.length = data.steps.length;
    this.at = -1;
    this.cells = new Map();  // number of a cell: number of its value
    this.objects = new Map(data.objects.map((object) => [object.id, object]));
    this.cellsOf = new Map();  // object: its cells, in the order in which they appear
    data.cells.forEach(([object], cell) => (this.cellsOf.get(object) || this.cellsOf.set(object, []).get(object)).push(cell));
    this.fields = new Map();  // object: its fields, as long as no step changes them
    this.seek(0);
  }
  text(number) { return this.data.strings[number]; }
  /* Goes to a step, from where it is or from a keyframe, whichever is nearer. */
  seek(step) {
    step = Math.max(0, Math.min(this.length - 1, step));
    const frame = this.data.keyframes.findLast((one) => one.step <= step);
    if (this.at < 0 || Math.abs(step - this.at) > step - frame.step) {
      this.cells = new Map();
      this.fields.clear();
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
      this.fields.delete(this.data.cells[delta[i]][0]);
    }
  }
  value(number) {
    const row = this.data.values[number];
    return Array.isArray(row) ? {object: row[0], index: row[1]} : {text: this.text(row)};
  }
  /* The memory of the step: fields of each object, in the order in which they appeared. Fields that no step has changed
   * since are the same map as before. */
  memory() {
    const memory = new Map([[0, this.fieldsOf(0)]]);
    for (const object of this.cellsOf.keys()) {
      const fields = this.fieldsOf(object);
      if (fields.size) memory.set(object, fields);
    }
    return memory;
  }
  fieldsOf(object) {
    let fields = this.fields.get(object);
    if (!fields) {
      this.fields.set(object, fields = new Map());
      for (const cell of this.cellsOf.get(object) || []) {
        const value = this.cells.get(cell);
        if (value !== undefined) fields.set(this.text(this.data.cells[cell][1]), this.value(value));
      }
    }
    return fields;
  }
  /* What the step changed: "object field" -> {object, old, now}. */
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

/* Memory in words. */

const words = (value) => value.text !== undefined ? value.text
  : `#${value.object}${value.index ? `[${value.index}]` : ""}`;
const titleOf = (id, fields) => {
  const type = fields.get(TYPE).text, name = fields.get(NAME);
  return name ? `${name.text} #${id}` : `#${id} ${type}`.trim();
};
const stateOf = (fields) => fields.get(STATE).text;
const isRecord = (fields) => fields.has(TYPE) && fields.get(TYPE).text.startsWith("activation of ");

/* The variables that point to each object. */
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

const rowsOf = (fields) => [...fields].filter(([name]) => ![STATE, TYPE, NAME].includes(name))
  .map(([name, value]) => `${name || "value"} ${words(value)}`);

/* The objects behind a field that are not drawn. If each has the same type and the same field leads on from it, they are
 * a run, which is told by its length and by what it ends with; all others are counted. */
function foldedBehind(memory, source, field, shown) {
  const isHidden = (value) => value && value.object !== undefined && memory.has(value.object) && !shown.has(value.object) &&
    !isRecord(memory.get(value.object));
  const first = memory.get(source) && memory.get(source).get(field);
  if (!isHidden(first)) return null;
  const type = memory.get(first.object).get(TYPE).text, seen = new Set([first.object]);
  let isRun = true, end = first;
  for (const id of seen) {  // grows during the iteration
    const fields = memory.get(id);
    for (const [name, value] of fields) {
      if (name === field) end = value;
      if (!isHidden(value) || seen.has(value.object)) continue;
      seen.add(value.object);
      if (name !== field || memory.get(value.object).get(TYPE).text !== type) isRun = false;
    }
  }
  const objects = [...seen];
  if (!isRun) return {objects, text: plural(objects.length, "object"), end: "not drawn"};
  return {objects, text: `${objects.length} × ${type}`, end: `→ ${seen.has(end.object) ? "a circle" : words(end)}`};
}

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

/* The drawing of the heap, in which objects keep their places. */

const SHORT = {"uninitialised": "?", "any value": "*"};
const ROW = 15;  // height of a line of text

/* Attributes that differ from what is there. */
function put(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
}

class HeapView {
  constructor(film, onChoose, onUnfold) {
    Object.assign(this, {film, onChoose, onUnfold, scene: null, at: -1});
    this.made = new Map();  // id: its element, drawn or not
    this.nodes = new Map();  // id: its element in the drawing
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
    const scene = film.scene(step), anew = this.scene !== null && this.scene !== scene && Math.abs(step - this.at) === 1;
    if (this.scene !== scene) {
      put(this.svg, {viewBox: `0 0 ${scene.width} ${scene.height}`, width: scene.width, height: scene.height});
    }
    this.scene = scene;
    this.at = step;
    const placed = new Map(scene.nodes.map((node) => [node.id, node])), folded = new Map();
    const shown = new Map([...placed].filter(([id]) => memory.has(id)));
    for (const [id, node] of placed) {
      const found = node.run && shown.has(node.run[0]) && foldedBehind(memory, node.run[0], film.text(node.run[1]), shown);
      if (found) folded.set(id, found);
    }
    for (const [id, element] of this.nodes) {
      if (!shown.has(id) && !folded.has(id)) { element.remove(); this.nodes.delete(id); }
    }
    const touched = new Set([...changes.values()].map((change) => change.object)), last = step === film.length - 1;
    for (const [id, node] of shown) {
      this.node(node, memory.get(id), {changes, touched: touched.has(id), tags: tags.get(id) || [], tree: scene.tree,
        shown, chosen, subject: last && id === film.data.subject, anew});
    }
    for (const [id, run] of folded) this.folded(placed.get(id), run);
    this.drawLinks(scene, memory, changes, shown, folded);
    const hidden = [...memory.keys()].filter((id) => id && !shown.has(id) && !isRecord(memory.get(id)));
    return {memory, changes, hidden, folded};
  }

  /* The element of an object or of a run, which stays. */
  group(id, action) {
    let group = this.made.get(id);
    if (!group) {
      group = draw("g", {tabindex: 0, role: "button", onclick: action,
        onkeydown: (event) => { if (event.key === "Enter") { action(); event.stopPropagation(); } }});
      group.dataset.id = id;
      group.drawn = {};
      this.made.set(id, group);
    }
    if (!this.nodes.has(id)) {
      this.nodes.set(id, group);
      this.layer.append(group);
    }
    return group;
  }

  move(group, [x, y], anew) {
    const place = `translate(${x} ${y})`, before = group.getAttribute("transform");
    if (before === place) return;
    group.setAttribute("transform", place);
    if (!anew || !before || still.matches) return;
    const [oldX, oldY] = before.slice(10, -1).split(" ");
    group.animate([{transform: `translate(${oldX}px, ${oldY}px)`}, {transform: `translate(${x}px, ${y}px)`}], 300);
  }

  node(node, fields, {changes, touched, tags, tree, shown, chosen, subject, anew}) {
    const [, , a, b] = node.box, id = node.id, state = stateOf(fields);
    const group = this.group(id, () => this.onChoose(id)), drawn = group.drawn;
    const change = changes.get(`${id} ${STATE}`);
    const origin = this.film.objects.get(id), storage = origin ? this.film.text(origin.storage) : "heap";
    const classes = ["node", storage, state === "live" ? "" : "freed", change && change.old < 0 ? "born" : "",
      change ? "just" : "", subject ? "subject" : "", chosen === id ? "chosen" : ""];
    put(group, {class: classes.filter(Boolean).join(" ")});
    this.move(group, node.box, anew);
    const told = tags.map((tag) => `${tag.text} ${tag.names.some((name) => changes.has(`0 ${name}`))}`).join();
    const linked = [...fields.values()].map((value) => shown.has(value.object)).join();
    const size = `${a} ${b} ${tree} ${node.rows}`;
    const same = drawn.size === size && drawn.fields === fields && drawn.told === told && drawn.linked === linked;
    if (same && !touched && !drawn.touched) return;  // most objects stay as they are
    group.drawn = {size, fields, told, linked, touched};
    const ended = state === "live" ? "" : ` (${state})`;
    put(group, {"aria-label": [titleOf(id, fields) + ended, ...rowsOf(fields)].join(", ")});
    const rows = node.rows.map((number) => this.film.text(number)), top = -rows.length / 2 * ROW;
    const lines = [draw("rect", {class: "box", x: -a, y: -b, width: 2 * a, height: 2 * b, rx: Math.min(a, b, 12)}),
      draw("text", {class: "title", x: 0, y: top + 4.2, "text-anchor": "middle"}, titleOf(id, fields) + ended)];
    rows.forEach((field, index) => {
      const value = fields.get(field);
      if (!value) return;
      const at = top + (index + 1) * ROW, points = value.object !== undefined && shown.has(value.object);
      const text = value.object === id ? "itself" : points ? "•" : SHORT[value.text] || words(value);
      const line = draw("text", {x: -a + 9, y: at + 4.2}, field ? draw("tspan", {class: "name"}, `${field}: `) : null, text);
      lines.push(changes.has(`${id} ${field}`) ? draw("g", {class: "row changed"},
        draw("rect", {class: "ground", x: -a + 3, y: at - 7, width: 2 * a - 6, height: 14, rx: 3}), line) : line);
    });
    if (tags.length) lines.push(tagGroup(tags, changes, tree, a, b));
    group.replaceChildren(...lines);
  }

  /* A run of objects that are not drawn, which is unfolded on demand. */
  folded(node, {text, end, objects}) {
    const [, , a, b] = node.box, group = this.group(node.id, () => this.onUnfold(node.id));
    put(group, {class: "node run"});
    this.move(group, node.box, false);
    const told = `${text} ${end}`;
    const size = `${a} ${b}`;
    if (group.drawn.size === size && group.drawn.told === told) return;
    group.drawn = {size, told};
    put(group, {"aria-label": `${text} ${end}, folded; from #${objects[0]}`});
    group.replaceChildren(
      ...[6, 3, 0].map((shift) => draw("rect", {class: "box", x: -a + shift, y: -b + shift, width: 2 * a - 6,
        height: 2 * b - 6, rx: Math.min(a, b, 12)})),
      draw("text", {x: -3, y: -ROW / 2 + 4.2, "text-anchor": "middle"}, text),
      draw("text", {class: "title", x: -3, y: ROW / 2 + 4.2, "text-anchor": "middle"}, end));
  }

  drawLinks(scene, memory, changes, shown, folded) {
    const wanted = new Map();
    for (const link of scene.links) {
      const [source, target] = link.ends, run = folded.get(target);
      const aim = run ? run.objects[0] : target;
      if (!shown.has(source) || !(shown.has(target) || run)) continue;
      const fields = [...memory.get(source)].filter(([, value]) => value.object === aim);
      if (!fields.length) continue;
      const changed = fields.some(([name]) => changes.has(`${source} ${name}`));
      const dangling = stateOf(memory.get(aim)) !== "live";
      const kind = changed ? "changed" : dangling ? "dangling" : "";
      const label = fields.map(([name, value]) => value.index ? `${name} [${value.index}]` : name).join(", ");
      wanted.set(`${kind} ${link.line} ${label}`, {kind, link, label});
    }
    const spare = [...this.drawnLinks].filter(([key]) => !wanted.has(key)).map(([, element]) => element);
    const before = this.drawnLinks;
    this.drawnLinks = new Map();
    for (const [key, told] of wanted) {
      this.drawnLinks.set(key, before.get(key) || linkGroup(spare.pop() || this.links.appendChild(draw("g", {},
        draw("path", {}), draw("text", {"text-anchor": "middle"}))), told));
    }
    spare.forEach((element) => element.remove());
  }
}

/* An element that shows a link. */
function linkGroup(group, {kind, link, label}) {
  const [path, text] = group.children;
  put(group, {class: `link ${kind}`.trim()});
  put(path, {d: link.line, "marker-end": `url(#head${kind ? `-${kind}` : ""})`});
  put(text, {x: link.label[0], y: link.label[1] + 3.5});
  if (text.textContent !== label) text.textContent = label;
  return group;
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

/* The player of a film. */

const MOST_CALLS = 20, MOST_VARIABLES = 60, MOST_OBJECTS = 300, MOST_KEY_STEPS = 80;

function callItem(title, rows, all, inner) {
  return el("li", {class: inner ? "inner" : ""}, el("code", {}, title), rows.length ? el("dl", {}, rows.map(
    ([name, value, changed]) => [el("dt", {class: "mono"}, name), el("dd", {class: changed ? "mono changed" : "mono"}, value)]))
    : null, all > rows.length ? el("p", {class: "dim"}, `… ${all - rows.length} more`) : null);
}

class Player {
  constructor(film, source, check, onStep) {
    Object.assign(this, {film, source, check, onStep, timer: 0, chosen: 0, unfolded: 0, storyRow: null, callItems: new Map()});
    this.heap = new HeapView(film, (id) => { this.chosen = id; this.render(); }, (run) => this.unfold(run));
    const button = (label, text, action) => el("button", {type: "button", "aria-label": label, title: label,
      onclick: action}, text);
    this.playing = button("Play", "▶", () => this.toggle());
    this.slider = el("input", {type: "range", min: 1, max: film.length, value: 1, "aria-label": "Step",
      oninput: () => this.go(Number(this.slider.value) - 1)});
    this.counter = el("output", {class: "mono"});
    this.only = el("input", {type: "checkbox", id: "only"});
    this.told = el("div", {class: "told", role: "status", "aria-live": "polite"});
    this.words = el("div", {hidden: true, id: "heap-words"});  // describes the drawing, and has no layout
    this.frame = el("div", {class: "heap", role: "group", tabindex: 0, "aria-label": "Heap", "aria-describedby": "heap-words"},
      this.heap.svg);
    this.calls = el("ol", {class: "calls"});
    this.object = el("div", {});
    this.run = el("div", {class: "unfolded", role: "group", "aria-label": "Folded objects"});
    this.story = el("ol", {class: "story"});
    this.storyRows = new Map();
    this.listStory();
    this.element = el("section", {class: "stage", tabindex: 0, "aria-label": "Film of the run"},
      el("div", {class: "player", role: "toolbar", "aria-label": "Player"},
        button("First step (Home)", "|◀", () => this.go(0)), button("Step back (←)", "◀ step", () => this.move(-1)),
        this.playing, button("Step forward (→)", "step ▶", () => this.move(1)),
        button("Last step (End)", "▶|", () => this.go(film.length - 1)), this.slider, this.counter,
        el("label", {for: "only"}, this.only, " key steps only")),
      this.told, this.frame, this.run, this.words,
      el("div", {class: "under"}, el("section", {}, el("h3", {}, "Calls and variables"), this.calls,
        el("h3", {}, "Object"), this.object), el("section", {}, el("h3", {}, "Key steps"), this.story)),
      el("p", {class: "keys"}, el("kbd", {}, "←"), " ", el("kbd", {}, "→"), " step, ", el("kbd", {}, "space"),
        " play, ", el("kbd", {}, "Home"), " ", el("kbd", {}, "End"), " first and last, ", el("kbd", {}, "j"), " ",
        el("kbd", {}, "k"), " next and previous finding. Click an object for its history."));
  }
  listStory() {
    let steps = [];
    for (let step = 0; step < this.film.length; step++) if (this.film.data.steps[step][3] & 1) steps.push(step);
    const cut = steps.length - MOST_KEY_STEPS;
    if (cut > 0) steps = steps.slice(-MOST_KEY_STEPS);
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
    const heap = this.heap.render(at, this.chosen);
    this.words.textContent = heapInWords(heap.memory, heap.hidden);
    this.drawCalls(step, heap);
    this.drawObject(heap);
    this.drawRun(heap);
    const row = this.storyRows.get(at);
    if (this.storyRow && this.storyRow !== row) this.storyRow.removeAttribute("aria-current");
    if (row) row.setAttribute("aria-current", "step");
    this.storyRow = row;
    this.source.show(step, last && this.check.verdict === "violated");
    this.source.reveal();  // from here on nothing is written: layout happens once
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
  drawCalls(step, {memory, changes}) {
    const variables = memory.get(0), globals = [...variables].filter(([name]) => !name.includes(":"));
    const items = step.stack.map((call, depth) => {
      const record = call.record && memory.get(call.record), prefix = `${call.function}${record ? "::" : ":"}`;
      const latest = !record && !step.stack.slice(depth + 1).some((other) => other.function === call.function && !other.record);
      const rows = [...(record || (latest ? variables : []))].filter(([name]) => name.startsWith(prefix) && !name.includes("$"))
        .map(([name, value]) => [name.slice(prefix.length), value, `${record ? call.record : 0} ${name}`])
        .filter(([name]) => !name.startsWith("&"));
      return [call.function + (call.line ? ` (called in line ${call.line})` : ""), rows, depth === step.stack.length - 1];
    });
    if (globals.length) items.unshift(["globals", globals.map(([name, value]) => [name, value, `0 ${name}`]), false]);
    const before = this.callItems, cut = items.length - MOST_CALLS;
    this.callItems = new Map();
    replace(this.calls, items.reverse().slice(0, MOST_CALLS).map(([title, rows, inner], depth) => {
      const told = rows.slice(0, MOST_VARIABLES).map(([name, value, key]) => [name, words(value), changes.has(key)]);
      const key = JSON.stringify([title, told, inner, depth]);
      const made = before.get(key) || callItem(title, told, rows.length, inner);
      this.callItems.set(key, made);
      return made;
    }), cut > 0 ? el("li", {class: "dim"}, `… ${plural(cut, "more call")}`) : null);
  }
  drawObject({memory, hidden}) {
    const film = this.film, id = memory.has(this.chosen) && this.chosen ? this.chosen : 0;
    const rows = el("ul", {class: "story"});  // filled when it is unfolded
    const others = hidden.length ? el("details", {ontoggle: () => replace(rows, this.objectRows(hidden, memory))},
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
  objectRows(objects, memory) {
    const cut = objects.length - MOST_OBJECTS;
    return [...objects.slice(0, MOST_OBJECTS).map((id) => el("li", {}, el("button", {type: "button",
      onclick: () => { this.chosen = id; this.render(); }}, el("span", {class: "number"}, `#${id}`),
    el("span", {}, rowsOf(memory.get(id)).join(", "))))), cut > 0 ? el("li", {class: "dim"}, `… ${cut} more`) : null];
  }
  /* The objects of a run that is unfolded. */
  drawRun({memory, folded}) {
    const run = folded.get(this.unfolded);
    if (!run) return replace(this.run);
    replace(this.run, el("h3", {}, `${run.text} ${run.end}`), el("button", {type: "button", onclick: () => this.unfold(0)}, "fold"),
      el("ol", {class: "story"}, this.objectRows(run.objects, memory)));
  }
  unfold(run) {
    this.unfolded = this.unfolded === run ? 0 : run;
    this.render();
    if (this.unfolded) this.run.scrollIntoView({block: "nearest"});
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

/* The source text, with its checks in the margin. */

const NUMBERS = 70;  // width of line numbers and marks
const MOST_LINES = 300, NEAR = 12;  // lines around the statement that runs, which are printed
const KINDS = ["keyword", "literal", "comment"];

class SourceView {
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

/* What stands where on the page, and what is chosen. */

const PAUSE = 150;  // milliseconds until an address is written: browsers take long for it

const source = new SourceView();
const list = el("ol", {class: "list"}), topicList = el("ol", {class: "list topics"}), more = el("div", {class: "more"});
const finding = el("section", {class: "finding", "aria-label": "Finding"});
const main = el("main", {id: "main", tabindex: -1, class: page.files.length ? "" : "alone"});
/* At most one of check, view and topic is chosen; a check may have a player. */
const chosen = {check: null, view: null, topic: null, player: null, address: ""};

function choose(what) {
  if (chosen.player) chosen.player.pause();
  Object.assign(chosen, {check: null, view: null, topic: null, player: null}, what);
}

/* Shows something beside the source, which stays in its place: ranges in what is taken out collapse. */
function present(right) {
  if (source.element.parentNode === main) main.lastChild.replaceWith(right);
  else replace(main, finding, page.files.length ? source.element : el("div", {class: "no-source"}), right);
}

function markCurrent(isCurrent) {
  for (const button of document.querySelectorAll("nav .list button")) {
    if (isCurrent(button)) {
      button.setAttribute("aria-current", "true");
      button.scrollIntoView({block: "nearest"});
    } else button.removeAttribute("aria-current");
  }
}

let writing = 0;
function remember(address) {
  chosen.address = address;
  clearTimeout(writing);
  writing = setTimeout(() => {
    try { history.replaceState(null, "", address); } catch { /* in a sandboxed frame there are no addresses */ }
  }, PAUSE);
}

/* The list of findings with its filters, and one finding. */

const MOST_ROWS = 200;
const sorted = [...checks].sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
const films = new Map();
const filters = {verdict: "open", kind: "", file: "", engine: "", words: ""};
const count = el("div", {class: "wide dim", role: "status"});
let most = MOST_ROWS;

const isShown = (check) => (filters.verdict === "" || check.verdict === filters.verdict ||
    (filters.verdict === "open" && (check.verdict !== "proved" || check.suppressed !== null))) &&
  (!filters.kind || check.kind === filters.kind) && (!filters.file || check.span[0] === filters.file) &&
  (!filters.engine || check.engine === filters.engine) &&
  (!filters.words || `${check.id} ${check.function} ${check.message}`.toLowerCase().includes(filters.words.toLowerCase()));

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
    "aria-current": check === chosen.check ? "true" : false, onclick: () => select(check)},
  el("span", {class: check.verdict}, `${MARKS[check.verdict]} ${check.verdict === "violated" ? check.kind : check.verdict}`),
  check.suppressed !== null ? " (suppressed)" : "", check.film >= 0 ? el("span", {class: "dim"}, " ▸ film") : null,
  el("div", {}, check.message), el("div", {class: "where mono"}, `${check.span[0]}:${check.span[1]} in ${check.function}`)))));
  replace(more, shown.length > most ? el("button", {type: "button", onclick: () => { most += MOST_ROWS; listFindings(); }},
    `show ${Math.min(MOST_ROWS, shown.length - most)} more`) : null);
}

async function select(check, step) {
  choose({check});
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
    source.reveal();
    rememberCheck(check);
    return;
  }
  if (!films.has(check.film)) films.set(check.film, new Film(await unpacked(await packedFilm(check.film))));
  if (chosen.check !== check) return;
  const film = films.get(check.film);
  const player = chosen.player = new Player(film, source, check, (at) => rememberCheck(check, at));
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

function rememberCheck(check, step) {
  remember(`#${checks.indexOf(check) + 1}${step === undefined ? "" : `/${step + 1}`}`);
}

/* Drawings of heaps. */

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

/* Why a variable is not null. */

/* "view heap": the heaps that come from it. */
const after = new Map();
views.forEach((view, v) => view.heaps.forEach((heap, h) => (heap.from || []).forEach((place) => {
  const key = place.join(" ");
  (after.get(key) || after.set(key, []).get(key)).push([v, h]);
})));

const shortName = (view, name) => name.startsWith(`${view.function}:`) ? name.slice(view.function.length + 1) : name;

/* Follows the heaps in which a variable points to an object backwards, to the statements that made it do so, and names
 * the lines at which heaps with null go another way. `link` makes a button from a view and a heap. */
function whyNotNull(view, name, link) {
  const own = views.indexOf(view), at = ([v, h]) => views[v].heaps[h];
  const isNull = view.heaps.findIndex((heap) => heap.null.includes(name));
  if (isNull >= 0) return el("p", {}, el("code", {}, shortName(view, name)), ` can be null here: it is in heap ${isNull + 1}.`);
  const all = view.heaps.map((heap, h) => [own, h]).filter((place) => !at(place).caption);  // without roles
  const waiting = all.filter((place) => at(place).objects.includes(name));
  const without = all.length - waiting.length;
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
  const code = (v) => el("code", {}, views[v].text);
  return [el("p", {}, el("code", {}, shortName(view, name)), ` is null in no heap here: it points to an object in ${all.length - without} of ${all.length}`,
    without ? ", and in the others it has no value that is used" : "", ". That is so because of"),
    el("ul", {}, [...causes].map(([v, {null: nulls, heap}]) => el("li", {}, link(v, heap), ": ", code(v),
      nulls ? ` — before, ${shortName(views[v], name)} may be null` : ` — sets ${shortName(views[v], name)}`)),
    entries.length ? el("li", {}, "the beginning, where it points to an object") : null,
    turned.map(([v, to, heap]) => el("li", {}, link(v, heap), ": ", code(v), ` — heaps in which ${shortName(views[v], name)} is null go on to `,
      to.slice(0, 4).map((w, n) => [n ? ", " : "", link(w)]), " only")))];
}

/* The abstract heaps at a line. */

const MOST_HEAPS = 40;
let variable = "";  // the heaps that are shown have it
const lineOf = (view) => page.function ? `line ${view.span[1]}` : view.text.split(":")[0];
const linked = after.size > 0;
const link = (v, h) => el("button", {type: "button", onclick: () => selectView(views[v], h)}, lineOf(views[v]));

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

function selectView(view, wanted) {
  choose({view});
  const [file, line, column] = view.span, own = views.indexOf(view);
  markCurrent((button) => button.dataset.view === String(own));
  const names = [...new Set(view.heaps.flatMap((heap) => heap.variables))].sort();
  if (!names.includes(variable) || wanted !== undefined) variable = "";
  const filter = el("select", {id: "variable", onchange: () => { variable = filter.value; selectView(view); }},
    el("option", {value: ""}, "all heaps"), names.map((name) => el("option", {value: name, selected: name === variable}, `with ${name}`)));
  const pointers = [...new Set(view.heaps.flatMap((heap) => heap.objects))].sort();
  const reasons = el("div", {class: "why", role: "status"});
  const ask = el("select", {id: "why", onchange: () => replace(reasons, ask.value ? whyNotNull(view, ask.value, link) : null)},
    el("option", {value: ""}, "choose"), pointers.map((name) => el("option", {value: name}, shortName(view, name))));
  const shown = view.heaps.map((heap, index) => [heap, index]).filter(([heap]) => !variable || heap.variables.includes(variable));
  replace(finding, el("h2", {}, page.function ? `Line ${line}: ` : "", el("code", {}, view.text)),
    el("p", {class: "dim"}, covered(view)), view.alarms.map((alarm) => el("p", {class: "unknown"}, alarm)));
  const stage = el("section", {class: "stage", tabindex: 0, "aria-label": "Abstract heaps"},
    el("div", {class: "player"}, el("label", {for: "variable"}, "Show "), filter,
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
  source.reveal();
  const target = wanted === undefined ? null : stage.querySelector(`figure[data-heap="${wanted}"]`);
  if (target) {
    target.classList.add("from");
    target.scrollIntoView({block: "nearest"});
  }
  remember(`#${own + 1}${target ? `/${wanted + 1}` : ""}`);
}

function heapCount(view) {
  const roles = view.heaps.filter((heap) => heap.caption).length;
  return plural(view.heaps.length - roles, "heap") + (roles ? `, ${plural(roles, "role")}` : "");
}

function placeOf(view) {
  if (!page.function) return "";
  const file = page.files.length > 1 ? `${view.span[0]}, ` : "", owner = view.function ? ` in ${view.function}` : "";
  return `${file}line ${view.span[1]}${owner}, `;
}

function listViews() {
  replace(list, views.map((view, index) => el("li", {}, el("button", {type: "button", "data-view": index,
    onclick: () => selectView(view)}, el("code", {}, view.text || " "),
  el("div", {class: "where mono"}, placeOf(view), heapCount(view))))));
}

/* What is said beside checks and heaps. */

const MOST_DRAWINGS = 40;

function selectTopic(topic) {
  choose({topic});
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
  const linkedRows = topic.rows.map((row, number) => [row, topic.links && topic.links[number]]);
  const moreRows = grown(rows, linkedRows, ([row, address]) => el("tr", {class: row[0]},
    row.map((cell, column) => el("td", {}, column === 1 && address ? el("a", {href: address}, cell) : cell))), 150);
  const moreNodes = grown(nodes, topic.tree, ([depth, name, text, end]) => el("li", {class: `depth-${Math.min(depth, 12)}`},
    el("span", {}, name), el("div", {class: "dim"}, text, end ? el("strong", {}, ` ${end}`) : null)), 250);
  present(el("section", {class: "stage topic", tabindex: 0, "aria-label": topic.title}, topic.text.map((text) => el("p", {}, text)),
    topic.rows.length ? el("div", {class: "wide-table"}, el("table", {}, el("thead", {}, el("tr", {}, topic.columns.map((name) => el("th", {scope: "col"}, name || " ")))), rows)) : null,
    moreRows, topic.tree.length ? nodes : null, moreNodes,
    el("div", {class: "gallery"}, topic.drawings.slice(0, MOST_DRAWINGS).map((one) => picture(one, one.caption, []))),
    topic.drawings.length > MOST_DRAWINGS ? el("p", {class: "dim"}, `${topic.drawings.length - MOST_DRAWINGS} more are not drawn.`) : null));
  if (topic.span) {
    const [file, line, column, endLine, endColumn] = topic.span;
    source.show({file, line, column, endLine, endColumn}, false);
    source.reveal();
  } else source.clear();
  remember(`#topic-${place + 1}`);
}

function listTopics() {
  replace(topicList, topics.map((topic, index) => el("li", {}, el("button", {type: "button", "data-topic": index,
    onclick: () => selectTopic(topic)}, topic.title))));
}

/* Addresses, keys, and the start. */

source.onCheck = (check) => select(check);
source.onView = (view) => selectView(view);

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

function onKey(event) {
  const target = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || target.matches("select, input[type=search]")) return;
  if (event.key === "j" || event.key === "k") {
    const [all, one, open] = chosen.view ? [views, chosen.view, selectView] : chosen.topic ? [topics, chosen.topic, selectTopic]
      : [sorted.filter(isShown), chosen.check, select];
    const next = all[all.indexOf(one) + (event.key === "j" ? 1 : -1)];
    if (next) open(next);
    return;
  }
  const player = chosen.player;
  if (!player || (target === player.slider && event.key !== " ")) return;
  const button = target.matches("button, [role=button], summary, input");
  const actions = {ArrowLeft: () => player.move(-1), ArrowRight: () => player.move(1), Home: () => player.go(0),
    End: () => player.go(player.film.length - 1), " ": () => player.toggle()};
  const action = actions[event.key];
  if (!action || (button && event.key === " ")) return;
  action();
  event.preventDefault();
}

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
    choose({});
    present(about());
  }}, "assumptions");
  if (checks.length && !checks.some((check) => check.verdict !== "proved")) filters.verdict = "";
  document.body.append(el("a", {class: "skip", href: "#main", onclick: (event) => { event.preventDefault(); main.focus(); }},
    "Skip to the finding"), el("div", {id: "app"},
    el("header", {}, page.index ? el("a", {href: page.index}, "all units") : null, el("h1", {}, page.title), page.verdict ? el("span", {class: `verdict ${page.verdict}`}, page.verdict) : null,
      el("span", {}, page.summary), el("span", {class: "space"}), showAbout, toggle),
    el("nav", {"aria-label": checks.length ? "Findings" : views.length ? "Lines" : "Topics", tabindex: 0},
      checks.length ? filterBar() : null, topics.length ? topicList : null, list, more), main));
  listTopics();
  if (views.length) listViews(); else if (checks.length) listFindings();
  present(about());
  addEventListener("hashchange", () => { if (location.hash !== chosen.address) openAddress(); });
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
  if (byId("drawings")) svgs.push(...await unpacked(byId("drawings").textContent));
  start();
  document.documentElement.dataset.ready = "true";
})();
})();
