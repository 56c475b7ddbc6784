/* The drawing of the heap, in which objects keep their places. */
import {draw, still} from "./elements.js";
import {STATE} from "./film.js";
import {foldedBehind, isRecord, rowsOf, stateOf, tagsOf, titleOf, words} from "./memory.js";

const SHORT = {"uninitialised": "?", "any value": "*"};
const ROW = 15;  // height of a line of text

/* Attributes that differ from what is there. */
function put(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
}

export class HeapView {
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
