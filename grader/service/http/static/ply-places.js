// Where on the tree a question is answered: in cells at nodes, or by marks on nodes and edges. Each place reads the
// box of the form that it stands for, and writes it.

import { Names, readLine, readOrder, readPlan, readWindow, saysNothing, writeLine, writeOrder, writePlan, writeWindow }
  from "./ply-answers.js";
import { seen } from "./ply-page.js";

const CELLS = new Set(["values", "inequalities", "vectors", "windows", "ucb", "backup", "prunable"]);

/** One box of the form. */
export class Box {
  #control;

  constructor(control) {
    this.#control = control;
    ({ name: this.name } = control);
    ({ question: this.question, item: this.item = "", kind: this.kind } = control.dataset);
    this.ask = control.closest("[data-ask]").dataset.ask;
    this.output = control.closest(".field").querySelector(".read");
  }

  get text() { return seen(this.#control.value); }
  get choices() {
    return this.#control.localName === "select" ? [...this.#control.options].map((each) => each.value) : null;
  }

  /** Writes as if a person had: whoever watches the form hears of it. */
  write(text) {
    if (this.#control.value === text) return;
    this.#control.value = text;
    this.#control.dispatchEvent(new Event("input", { bubbles: true }));
  }

  focus() { this.#control.focus(); }
}

/** A text at a node: a value, a bound, a window, a vector, a choice. */
export class Cell {
  constructor(box) {
    this.box = box;
    this.node = box.item;
    this.kind = box.kind;
    this.isWindow = box.ask === "windows";
  }

  /** What is drawn: signs as they are printed. */
  get shown() { return shownText(this.box.text); }
  get window() { return readWindow(this.box.text); }
  writeWindow(alpha, beta) { this.box.write(writeWindow(alpha, beta)); }
}

export function shownText(text) {
  return text.replace(/<=|=</g, "≤").replace(/>=|=>/g, "≥").replace(/(^|[\s(,;≤≥<>/[])-(?=\S)/g, "$1−")
    .replace(/\b(inf|infinity|oo)\b/gi, "∞");
}

/** What a text was read as, until there is another text. */
class LastReading {
  #read; #text = null; #found = null;

  constructor(read) { this.#read = read; }

  of(text) {
    if (text !== this.#text) [this.#text, this.#found] = [text, this.#read(text)];
    return this.#found;
  }
}

/** Something that is or is not at a node or the edge above it; `key` toggles it. */
class Mark {
  constructor(box, game) {
    this.box = box;
    this.game = game;
  }

  /** By id, how it is drawn. */
  get drawn() { return new Map([...this.marked].map((id) => [id, ""])); }
  isOn(id) { return this.marked.has(id); }
}

/** A mark on each of the nodes that a box lists. */
class Listed extends Mark {
  constructor(box, game, noneWords) {
    super(box, game);
    this.noneWords = noneWords;
    this.reading = new LastReading((text) => {
      const names = Names.read(text, game, noneWords);
      return { names, marked: new Set(names.ids) };
    });
  }

  get names() { return this.reading.of(this.box.text).names; }
  get marked() { return this.reading.of(this.box.text).marked; }
}

export class Cut extends Listed {
  key = "x";
  name = "cut";

  get saysNone() { return saysNothing(this.box.text, this.noneWords); }
  applies(id) { return id !== this.game.root; }

  /** The cut above a node's own edge that leaves it out, if there is one. */
  above(id) {
    const marked = this.marked;
    return this.game.path(id).find((each) => each !== id && marked.has(each)) ?? null;
  }

  toggle(id) {
    const names = this.names;
    if (names.has(id)) this.box.write(names.without(id).text);
    else this.box.write(names.without(...this.game.subtree(id)).with(id).text);
  }
}

/** One child among those that a box offers, by its move or its name. */
export class Pick extends Mark {
  key = "m";

  constructor(box, game) {
    super(box, game);
    this.name = box.ask === "ucb" ? "select" : "move";
  }

  #written(id) { return this.name === "select" ? id : this.game.move(id); }
  get marked() { return new Set(this.game.children(this.game.root).filter((id) => this.#written(id) === this.box.text)); }
  applies(id) { return this.game.parent(id) === this.game.root && this.#written(id) !== null; }
  toggle(id) { this.box.write(this.isOn(id) ? "" : this.#written(id)); }
}

export class Line extends Mark {
  key = "m";
  name = "line";

  get marked() { return new Set(readLine(this.box.text, this.game)); }
  applies(id) { return id !== this.game.root; }

  toggle(id) {
    const line = this.game.path(id);
    this.#write(this.isOn(id) ? line.slice(0, -1) : line);
  }

  /** Where whole lines are offered, only one of them can be written. */
  #write(line) {
    const choices = this.box.choices;
    const same = (choice) => readLine(choice, this.game).join() === line.join();
    this.box.write(choices ? choices.find(same) ?? choices.find((each) => this.#begins(each, line)) ?? "" : writeLine(line, this.game));
  }

  #begins(choice, line) {
    return line.length > 0 && readLine(choice, this.game).slice(0, line.length).join() === line.join();
  }
}

export class Plan extends Mark {
  key = "m";
  name = "plan";

  get chosen() { return readPlan(this.box.text, this.game) ?? new Map(); }
  get marked() { return new Set(this.chosen.values()); }
  applies(id) { return id !== this.game.root && this.game.turn(this.game.parent(id)) === "or"; }

  toggle(id) {
    const chosen = this.chosen;
    if (chosen.get(this.game.parent(id)) === id) chosen.delete(this.game.parent(id));
    else for (const each of this.game.path(id)) if (this.applies(each)) chosen.set(this.game.parent(each), each);
    const text = writePlan(chosen, this.game);
    const choices = this.box.choices;
    this.box.write(choices ? choices.find((each) => this.#same(each, chosen)) ?? "" : text);
  }

  #same(choice, chosen) {
    const other = readPlan(choice, this.game);
    return other !== null && writePlan(other, this.game) === writePlan(chosen, this.game);
  }
}

/** The order of visits: each node that is marked comes after those marked before. */
export class Visits extends Listed {
  key = "o";
  name = "visited";

  get drawn() { return new Map([...this.marked].map((id, place) => [id, String(place + 1)])); }
  applies() { return true; }

  toggle(id) {
    const names = this.names;
    this.box.write((names.has(id) ? names.without(id) : names.with(id)).text);
  }
}

/** The children of a node in another order. */
export class Order {
  name = "reorder";

  constructor(box, game) {
    this.box = box;
    this.game = game;
  }

  applies(id) { return this.game.children(id).length > 1; }
  of(id) { return readOrder(this.box.text, this.game).get(id) ?? this.game.children(id); }

  /** By child, its place where its parent's children have a new order. */
  get drawn() {
    const orders = [...readOrder(this.box.text, this.game).values()];
    return new Map(orders.flatMap((children) => children.map((child, place) => [child, String(place + 1)])));
  }

  /** One step earlier or later among its siblings. */
  shift(child, by) {
    const parent = this.game.parent(child);
    const children = [...this.of(parent)];
    const from = children.indexOf(child);
    const to = from + by;
    if (to < 0 || to >= children.length) return;
    [children[from], children[to]] = [children[to], children[from]];
    this.box.write(writeOrder(readOrder(this.box.text, this.game).set(parent, children), this.game));
  }
}

/** All places of a form: cells, marks, orders. Boxes that have no place on the tree stay where they are. */
export class Places {
  cells = [];
  marks = [];
  orders = [];
  #byNode = new Map();
  #byName = new Map();

  constructor(controls, game, noneWords) {
    this.game = game;
    for (const control of controls) this.#place(new Box(control), noneWords);
    for (const cell of this.cells) this.#byNode.set(cell.node, [...this.at(cell.node), cell]);
  }

  at(id) { return this.#byNode.get(id) ?? []; }
  marksAt(id) { return this.marks.filter((mark) => mark.applies(id)); }
  ordersAt(id) { return this.orders.filter((order) => order.applies(id)); }
  byName(name) { return this.#byName.get(name) ?? null; }
  has(id) { return this.at(id).length + this.marksAt(id).length + this.ordersAt(id).length > 0; }
  get cuts() { return this.marks.filter((mark) => mark instanceof Cut); }
  get any() { return this.#byName.size > 0; }

  #place(box, noneWords) {
    const made = this.#made(box, noneWords);
    if (made === null) return;
    this.#byName.set(box.name, made);
    (made instanceof Cell ? this.cells : made instanceof Order ? this.orders : this.marks).push(made);
  }

  #made(box, noneWords) {
    if (box.ask === "ucb" && box.item === "select" && box.choices) return new Pick(box, this.game);
    if (CELLS.has(box.ask) && this.game.has(box.item)) return new Cell(box);
    switch (box.item === "" && box.ask) {
      case "pruned": return new Cut(box, this.game, noneWords);
      case "move": return new Pick(box, this.game);
      case "line": return new Line(box, this.game);
      case "plan": return new Plan(box, this.game);
      case "visited": return new Visits(box, this.game, noneWords);
      case "reorder": return new Order(box, this.game);
    }
    return null;
  }
}
