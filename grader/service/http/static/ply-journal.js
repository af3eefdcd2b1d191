// What was written, box by box, so that it can be taken back.

export class Journal {
  #texts = new Map();
  #done = [];
  #undone = [];
  #open = false;

  constructor(boxes) {
    for (const { name, value } of boxes) this.#texts.set(name, value);
  }

  get canUndo() { return this.#done.length > 0; }
  get canRedo() { return this.#undone.length > 0; }

  /** A box holds another text now. What is typed into one box without a pause between is one step. */
  note(name, text) {
    const before = this.#texts.get(name);
    if (before === text) return;
    this.#texts.set(name, text);
    const last = this.#done.at(-1);
    if (this.#open && last?.name === name) last.after = text;
    else this.#done.push({ name, before, after: text });
    this.#undone = [];
    this.#open = true;
  }

  /** What comes next is a step of its own. */
  seal() { this.#open = false; }

  /** What a box should hold now: `{name, text}`, or null. */
  undo() { return this.#step(this.#done, this.#undone, "before"); }
  redo() { return this.#step(this.#undone, this.#done, "after"); }

  #step(from, to, side) {
    this.seal();
    const step = from.pop();
    if (!step) return null;
    to.push(step);
    this.#texts.set(step.name, step[side]);
    return { name: step.name, text: step[side] };
  }
}
