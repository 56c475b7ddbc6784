/* The list of findings with its filters, and one finding. */
import {el, fill, plural, replace} from "./elements.js";
import {MARKS, ORDER, checks, packedFilm, page, unpacked} from "./data.js";
import {Film} from "./film.js";
import {Player} from "./player.js";
import {choose, chosen, finding, list, markCurrent, more, present, remember, source} from "./panels.js";

const MOST_ROWS = 200;
export const sorted = [...checks].sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
const films = new Map();
export const filters = {verdict: "open", kind: "", file: "", engine: "", words: ""};
const count = el("div", {class: "wide dim", role: "status"});
let most = MOST_ROWS;

export const isShown = (check) => (filters.verdict === "" || check.verdict === filters.verdict ||
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

export function filterBar() {
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

export function listFindings() {
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

export async function select(check, step) {
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

export function about() {
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
