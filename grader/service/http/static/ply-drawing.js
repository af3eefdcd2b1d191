// What was entered, drawn on the picture of the tree. The picture has a group for each node (`data-node`) and each edge
// (`data-edge`, by the node it leads to), with places for a value and a window; the rest is added here.

const SVG = "http://www.w3.org/2000/svg";
const SMALLEST = 24;
const NARROWEST_LETTERS = 0.62;
const LONGEST = 24;
const WIDEST_LETTER = 17;
const COMMON_LETTERS = /^[ -~−∞≤≥]*$/;

function made(name, attributes = {}, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

/** Of a very long text only the beginning is drawn; the form has all of it. */
function beginning(text) { return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text; }

/** One node of the picture. */
class DrawnNode {
  #slots = new Map();
  #extra = null;
  #badges = new Map();
  #descriptions = "";
  #blankWidth;

  constructor(group) {
    this.group = group;
    this.id = group.dataset.node;
    this.shape = group.querySelector(".shape");
    this.box = this.shape.getBBox();
    this.blank = group.querySelector(".blank");
    this.#blankWidth = this.blank?.getBBox().width ?? 0;
    for (const slot of group.querySelectorAll("[data-slot]")) this.#slots.set(slot.dataset.slot, slot);
    this.group.querySelector("title")?.remove();
    this.group.prepend(this.#target());
    for (const gap of this.group.childNodes) if (gap.nodeType === Node.TEXT_NODE) gap.data = " ";
  }

  get x() { return this.box.x + this.box.width / 2; }
  get y() { return this.box.y + this.box.height / 2; }

  /** Whether the picture has a place for it. */
  hasSlot(name) { return this.#slots.has(name); }

  write(name, written) {
    const slot = this.#slots.get(name);
    const text = beginning(written);
    if (slot.textContent === text) return;
    slot.textContent = text;
    this.#fit(slot, name === "note" && this.blank ? this.#blankWidth : this.box.width);
  }

  /** Lines beside the node, for what has no place of its own. */
  writeBeside(lines) {
    if (!this.#extra && lines.length === 0) return;
    this.#extra ??= this.#added("beside");
    const x = this.box.x - 5;
    const first = this.box.y + (this.blank ? 36 : 12);
    this.#extra.replaceChildren(...lines.flatMap((line, row) => [made("text", { x, y: first + 14 * row, class: "note" }, beginning(line)), " "]));
  }

  /** A visit's number in a disc at the upper left corner. */
  numberVisit(text) {
    const [x, y] = [this.box.x, this.box.y];
    this.#number("visit", text, x, y, () => made("circle", { cx: x, cy: y, r: 9 }));
  }

  /** A place among the children in a square at the upper right corner. */
  numberPlace(text) {
    const [x, y] = [this.box.x + this.box.width, this.box.y];
    this.#number("place", text, x, y, () => made("rect", { x: x - 8, y: y - 8, width: 16, height: 16, rx: 2 }));
  }

  #number(kind, text, x, y, shape) {
    if (!this.#badges.has(kind) && !text) return;
    if (!this.#badges.has(kind)) this.#badges.set(kind, this.#added(`badge ${kind}`));
    const badge = this.#badges.get(kind);
    if (badge.textContent !== text) badge.replaceChildren(...(text ? [shape(), made("text", { x, y: y + 4.2 }, text)] : []));
  }

  /** What a screen reader says: first what is seen, in the order in which it is drawn. */
  describe(parts) {
    const seen = [...this.group.querySelectorAll("text")].map((text) => text.textContent.trim()).filter(Boolean);
    const told = [seen.join(" "), ...parts].filter(Boolean).join(", ");
    if (told !== this.#descriptions) this.group.setAttribute("aria-label", (this.#descriptions = told));
  }

  /** A group at the end, apart from the text before it. */
  #added(kind) {
    const group = made("g", { class: kind });
    this.group.append(" ", group);
    return group;
  }

  /** Large enough for a finger, and what shows the focus. */
  #target() {
    const width = Math.max(this.box.width + 8, SMALLEST);
    const height = Math.max(this.box.height + 8, SMALLEST);
    return made("rect", { class: "target", x: this.x - width / 2, y: this.y - height / 2, width, height, rx: 6 });
  }

  /** A long text is set narrower, a very long one smaller. */
  #fit(slot, room) {
    slot.removeAttribute("textLength");
    slot.classList.remove("tight");
    // Measuring has the page laid out: a text that fits whatever its letters are need not be measured.
    if (COMMON_LETTERS.test(slot.textContent) && slot.textContent.length * WIDEST_LETTER <= room) return;
    let width = slot.getComputedTextLength();
    if (width > room) {
      slot.classList.add("tight");
      width = slot.getComputedTextLength();
    }
    if (width > room) {
      slot.setAttribute("textLength", Math.max(room, width * NARROWEST_LETTERS));
      slot.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
  }
}

/** One edge of the picture, with a wide line to press. */
class DrawnEdge {
  #count = null;

  constructor(group) {
    this.group = group;
    this.id = group.dataset.edge;
    this.line = group.querySelector(".edge");
    const wide = this.line.cloneNode();
    wide.setAttribute("class", "press");
    group.append(wide);
  }

  cut(isCut, text) {
    this.group.classList.toggle("is-cut", isCut);
    if (!this.#count && !text) return;
    this.#count ??= this.group.appendChild(made("text", { class: "count" }));
    if (this.#count.textContent === text) return;
    this.#count.textContent = text;
    if (text && !this.#count.hasAttribute("x")) this.#placeCount();
  }

  #placeCount() {
    const strokes = this.group.querySelector(".cut").getBBox();
    // In a narrow picture the node comes right after the strokes.
    const before = /\bnarrow/.test(this.group.ownerSVGElement.getAttribute("class"));
    this.#count.setAttribute("text-anchor", before ? "end" : "start");
    this.#count.setAttribute("x", before ? strokes.x - 3 : strokes.x + strokes.width + 3);
    this.#count.setAttribute("y", strokes.y + strokes.height / 2 + 4);
  }
}

export class Drawing {
  nodes = new Map();
  edges = new Map();
  #leftOut = new Set();
  #chosen = new Set();
  #cut = new Set();

  constructor(svg) {
    this.svg = svg;
    this.tree = svg.querySelector("[role=tree]");
    for (const group of svg.querySelectorAll("[data-node]")) this.nodes.set(group.dataset.node, new DrawnNode(group));
    for (const group of svg.querySelectorAll("[data-edge]")) this.edges.set(group.dataset.edge, new DrawnEdge(group));
  }

  /** Everything below a cut is dashed. Like its neighbours it gives back the nodes of which something changed. */
  leaveOut(ids) {
    const changed = differing(this.#leftOut, ids);
    for (const id of changed) {
      this.nodes.get(id)?.group.classList.toggle("left-out", ids.has(id));
      this.edges.get(id)?.group.classList.toggle("left-out", ids.has(id));
    }
    this.#leftOut = ids;
    return changed;
  }

  choose(ids) {
    const changed = differing(this.#chosen, ids);
    for (const id of changed) this.edges.get(id)?.group.classList.toggle("chosen", ids.has(id));
    this.#chosen = ids;
    return changed;
  }

  /** `count(id)`: what is said beside a cut. */
  cut(ids, count) {
    const changed = differing(this.#cut, ids);
    for (const id of changed) this.edges.get(id)?.cut(ids.has(id), ids.has(id) ? count(id) : "");
    this.#cut = ids;
    return changed;
  }

  /** The neighbour in a direction, as drawn. Up and down lead to the parent and the first child, or along a column. */
  neighbour(id, key, game) {
    const here = this.nodes.get(id);
    const level = [...this.nodes.values()].filter((each) => each !== here && game.depth(each.id) === game.depth(id));
    const inColumn = level.filter((each) => Math.abs(each.x - here.x) < 2);
    switch (key) {
      case "ArrowUp": return nearest(inColumn, (each) => here.y - each.y)?.id ?? game.parent(id);
      case "ArrowDown": return game.children(id)[0] ?? nearest(inColumn, (each) => each.y - here.y)?.id ?? null;
      case "ArrowLeft": return nearest(level, (each) => here.x - each.x - 2)?.id ?? null;
      case "ArrowRight": return nearest(level, (each) => each.x - here.x - 2)?.id ?? null;
    }
    return null;
  }
}

/** What is in one of two sets only. */
function differing(one, other) {
  return [...one].filter((id) => !other.has(id)).concat([...other].filter((id) => !one.has(id)));
}

/** The one that is ahead by least. */
function nearest(nodes, ahead) {
  return nodes.filter((each) => ahead(each) > 0).sort((one, other) => ahead(one) - ahead(other))[0] ?? null;
}
