/* The player of a film. */
import {el, plural, replace} from "./elements.js";
import {NAME, STATE, TYPE} from "./film.js";
import {HeapView} from "./heap.js";
import {heapInWords, rowsOf, stateOf, titleOf, words} from "./memory.js";

const MOST_CALLS = 20, MOST_VARIABLES = 60, MOST_OBJECTS = 300, MOST_KEY_STEPS = 80;

function callItem(title, rows, all, inner) {
  return el("li", {class: inner ? "inner" : ""}, el("code", {}, title), rows.length ? el("dl", {}, rows.map(
    ([name, value, changed]) => [el("dt", {class: "mono"}, name), el("dd", {class: changed ? "mono changed" : "mono"}, value)]))
    : null, all > rows.length ? el("p", {class: "dim"}, `… ${all - rows.length} more`) : null);
}

export class Player {
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
