/* Memory in words. */
import {plural} from "./elements.js";
import {NAME, STATE, TYPE} from "./film.js";

export const words = (value) => value.text !== undefined ? value.text
  : `#${value.object}${value.index ? `[${value.index}]` : ""}`;
export const titleOf = (id, fields) => {
  const type = fields.get(TYPE).text, name = fields.get(NAME);
  return name ? `${name.text} #${id}` : `#${id} ${type}`.trim();
};
export const stateOf = (fields) => fields.get(STATE).text;
export const isRecord = (fields) => fields.has(TYPE) && fields.get(TYPE).text.startsWith("activation of ");

/* The variables that point to each object. */
export function tagsOf(memory) {
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

export const rowsOf = (fields) => [...fields].filter(([name]) => ![STATE, TYPE, NAME].includes(name))
  .map(([name, value]) => `${name || "value"} ${words(value)}`);

/* The objects behind a field that are not drawn. If each has the same type and the same field leads on from it, they are
 * a run, which is told by its length and by what it ends with; all others are counted. */
export function foldedBehind(memory, source, field, shown) {
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

export function heapInWords(memory, hidden) {
  const lines = [], left = new Set(hidden);
  for (const [id, fields] of memory) {
    if (!id || left.has(id) || isRecord(fields)) continue;
    const state = stateOf(fields) === "live" ? "" : ` (${stateOf(fields)})`;
    lines.push(`${titleOf(id, fields)}${state}: ${rowsOf(fields).join(", ") || "no values"}.`);
  }
  if (hidden.length) lines.push(`${plural(hidden.length, "object")} not drawn.`);
  return lines.join("\n") || "The heap is empty.";
}
