/* Why a variable is not null. */
import {el} from "./elements.js";
import {views} from "./data.js";

/* "view heap": the heaps that come from it. */
export const after = new Map();
views.forEach((view, v) => view.heaps.forEach((heap, h) => (heap.from || []).forEach((place) => {
  const key = place.join(" ");
  (after.get(key) || after.set(key, []).get(key)).push([v, h]);
})));

export const shortName = (view, name) => name.startsWith(`${view.function}:`) ? name.slice(view.function.length + 1) : name;

/* Follows the heaps in which a variable points to an object backwards, to the statements that made it do so, and names
 * the lines at which heaps with null go another way. `link` makes a button from a view and a heap. */
export function whyNotNull(view, name, link) {
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
