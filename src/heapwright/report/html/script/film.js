/* The state of a run at each of its steps. */

export const STATE = "(state)", TYPE = "(type)", NAME = "(name)";

export class Film {
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
