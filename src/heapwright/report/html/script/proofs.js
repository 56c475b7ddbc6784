/* The abstract heaps at a line. */
import {el, plural, replace} from "./elements.js";
import {page, views} from "./data.js";
import {picture} from "./pictures.js";
import {choose, finding, list, markCurrent, present, remember, source} from "./panels.js";
import {after, shortName, whyNotNull} from "./why.js";

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

export function selectView(view, wanted) {
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

export function listViews() {
  replace(list, views.map((view, index) => el("li", {}, el("button", {type: "button", "data-view": index,
    onclick: () => selectView(view)}, el("code", {}, view.text || " "),
  el("div", {class: "where mono"}, placeOf(view), heapCount(view))))));
}
