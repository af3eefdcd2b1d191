// What stands in the boxes of an answer sheet, as something that can be drawn on a tree: lists of nodes, windows,
// lines of play, orders of children, plans. Reading is forgiving, writing has one form. Nothing here knows the page.

const SEPARATORS = /[,;،؛\n]+/;
const ARROWS = /\s*(?:→|⟶|->|=>|>)\s*/;
const RUN = /^(.+?)\s*(?:–|—|\.\.+|…|-|\bto\b)\s*(.+)$/;
const NOTHING = new Set(["[]", "{}", "()", "∅", "-", "–", "—", "−"]);

/** A name without what people write differently: case, space, the digits' script, a full stop. */
export function folded(name) {
  return String(name).normalize("NFKC").replace(/[\s.]+/g, "").toLowerCase()
    .replace(/[۰-۹٠-٩]/g, (digit) => digit.charCodeAt(0) & 15);
}

/** The tree: who is below whom, and by which move. */
export class Game {
  #nodes = new Map();
  #byName = new Map();

  constructor(nodes) {
    for (const node of nodes) {
      const parent = this.#nodes.get(node.parent);
      this.#nodes.set(node.id, { ...node, children: [], depth: parent ? parent.depth + 1 : 0 });
      parent?.children.push(node.id);
      this.#byName.set(folded(node.id), node.id);
    }
    this.ids = [...this.#nodes.keys()];
    this.leaves = this.ids.filter((id) => this.isLeaf(id));
  }

  get root() { return this.ids[0]; }
  has(id) { return this.#nodes.has(id); }
  parent(id) { return this.#nodes.get(id).parent; }
  children(id) { return this.#nodes.get(id).children; }
  depth(id) { return this.#nodes.get(id).depth; }
  move(id) { return this.#nodes.get(id).move; }
  turn(id) { return this.#nodes.get(id).turn; }
  isLeaf(id) { return this.children(id).length === 0; }

  /** The node that is called so, by its id or by a move that only one edge has; null if there is none. */
  named(text) {
    const name = folded(text);
    if (this.#byName.has(name)) return this.#byName.get(name);
    const moved = this.ids.filter((id) => this.move(id) !== null && folded(this.move(id)) === name);
    return moved.length === 1 ? moved[0] : null;
  }

  /** The child that a move or a name leads to. */
  child(id, text) {
    const name = folded(text);
    return this.children(id).find((each) => folded(this.move(each) ?? "") === name || folded(each) === name) ?? null;
  }

  /** From below the root down to a node. */
  path(id) {
    const path = [];
    for (let at = id; this.parent(at) !== null; at = this.parent(at)) path.unshift(at);
    return path;
  }

  isBelow(id, above) {
    for (let at = this.parent(id); at !== null; at = this.parent(at)) if (at === above) return true;
    return false;
  }

  /** A node and all below it, in document order. */
  subtree(id) { return [id, ...this.children(id).flatMap((child) => this.subtree(child))]; }
  leavesBelow(id) { return this.subtree(id).filter((each) => this.isLeaf(each)); }
}

/** Nodes in a list. What is no node's name is kept as it was written. */
export class Names {
  constructor(parts) { this.parts = parts; }

  static read(text, game, noneWords = []) {
    const bare = text.trim();
    if (saysNothing(bare, noneWords)) return new Names([]);
    const inside = bare.replace(/^[[({]([^]*)[\])}]\.?$/, "$1");
    const parts = inside.split(SEPARATORS).map((part) => part.trim()).filter(Boolean);
    return new Names(parts.flatMap((part) => readName(part, game)));
  }

  get ids() { return this.parts.filter((part) => part.id !== null).map((part) => part.id); }
  has(id) { return this.parts.some((part) => part.id === id); }
  place(id) { return this.ids.indexOf(id); }
  with(id) { return new Names([...this.parts, { id, text: id }]); }
  without(...ids) { return new Names(this.parts.filter((part) => !ids.includes(part.id))); }
  get text() { return this.parts.map((part) => part.text).join(", "); }
}

export function saysNothing(text, noneWords) {
  return NOTHING.has(text) || noneWords.some((word) => folded(word) === folded(text));
}

/** A part of a list: a node, or a run of leaves such as L5–L8. */
function readName(part, game) {
  const id = game.named(part);
  if (id !== null) return [{ id, text: id }];
  const run = RUN.exec(part);
  const [first, last] = run ? [run[1], run[2]].map((name) => game.leaves.indexOf(game.named(name))) : [-1, -1];
  if (first < 0 || last < first) return [{ id: null, text: part }];
  return game.leaves.slice(first, last + 1).map((leaf) => ({ id: leaf, text: leaf }));
}

/** The two numbers of a window; all of the text in the first place if it is something else. */
export function readWindow(text) {
  const inside = text.trim().replace(/^[[(\]]([^]*)[\])[]$/, "$1");
  const parts = inside.split(/[;؛]/.test(inside) ? /[;؛]/ : /[,،]/).map((part) => part.trim());
  return parts.length === 2 ? parts : [text.trim(), ""];
}

/** A comma within a number needs another separator; without β, α may be "–": never visited. */
export function writeWindow(alpha, beta) {
  const [low, high] = [alpha.trim(), beta.trim()];
  if (low === "" && high === "") return "";
  if (high === "" && (NOTHING.has(low) || /[,;،؛]/.test(low))) return low;
  return /[,،]/.test(low + high) ? `(${low}; ${high})` : `(${low}, ${high})`;
}

/** The nodes that a line of play goes through, as far as its moves can be made. */
export function readLine(text, game) {
  const inside = text.trim().replace(/^[[(]([^]*)[\])]$/, "$1");
  const joint = ARROWS.test(inside) ? ARROWS : SEPARATORS.test(inside) ? SEPARATORS : /\s+/;
  const line = [];
  let at = game.root;
  for (const move of inside.split(joint).filter((part) => part.trim())) {
    at = game.child(at, move);
    if (at === null) break;
    line.push(at);
  }
  return line;
}

export function writeLine(line, game) {
  return line.map((id) => game.move(id) ?? id).join(", ");
}

/** By node its children in a new order: "A: D, B, C; D: L9, L8, L7". */
export function readOrder(text, game) {
  const order = new Map();
  for (const part of text.split(/[;؛\n]+/)) {
    const [name, written = ""] = part.split(/[:=]/, 2);
    const node = game.named(name);
    if (node === null) continue;
    const named = written.split(/[,،\s]+/).map((child) => game.child(node, child));
    const children = [...new Set(named.filter((child) => child !== null))];
    if (children.length === game.children(node).length) order.set(node, children);
  }
  return order;
}

/** Nodes whose children stay as they are need not be named. */
export function writeOrder(order, game) {
  const changed = game.ids.filter((id) => order.has(id) && order.get(id).join() !== game.children(id).join());
  return changed.map((id) => `${id}: ${order.get(id).join(", ")}`).join("; ");
}

/** By OR node the child that a plan moves to; null if the text is no plan for this tree in brackets. */
export function readPlan(text, game) {
  const tokens = text.match(/[[\]{},:;،؛]|[^[\]{},:;،؛]+/g)?.map((token) => token.trim()).filter(Boolean) ?? [];
  try {
    const chosen = new Map();
    if (tokens.length) follow(steps(tokens, null), game.root, game, chosen);
    return tokens.length ? null : chosen;
  } catch (problem) {
    if (problem instanceof NoPlan) return null;
    throw problem;
  }
}

class NoPlan extends Error {}

function steps(tokens, closing) {
  const found = [];
  while (tokens.length && tokens[0] !== closing) {
    const token = tokens.shift();
    if (token === "[") found.push(...steps(tokens, "]"));
    else if (token === "{") found.push(branches(tokens));
    else if (/^[,;،؛]$/.test(token)) continue;
    else if (/^[\]}:]$/.test(token)) throw new NoPlan();
    else found.push(token);
  }
  if (closing && tokens.shift() !== closing) throw new NoPlan();
  return found;
}

function branches(tokens) {
  const found = [];
  while (tokens.length && tokens[0] !== "}") {
    const state = tokens.shift();
    if (/^[,;،؛]$/.test(state)) continue;
    if (tokens.shift() !== ":") throw new NoPlan();
    found.push([state, tokens[0] === "[" ? (tokens.shift(), steps(tokens, "]")) : [tokens.shift() ?? ""]]);
  }
  if (tokens.shift() !== "}") throw new NoPlan();
  return found;
}

function follow(plan, from, game, chosen) {
  let at = from;
  for (const step of plan) {
    at = pastSingle(at, game);
    if (Array.isArray(step)) {
      for (const [state, rest] of step) follow(rest, childNamed(at, state, game), game, chosen);
      return;
    }
    const child = childNamed(at, step, game);
    chosen.set(at, child);
    at = child;
  }
}

function childNamed(node, text, game) {
  const child = game.child(node, text);
  if (child === null) throw new NoPlan();
  return child;
}

/** An AND node with one outcome needs no branches. */
function pastSingle(node, game) {
  return game.turn(node) === "and" && game.children(node).length === 1 ? game.children(node)[0] : node;
}

export function writePlan(chosen, game) {
  return chosen.has(pastSingle(game.root, game)) || game.turn(game.root) === "and" ? planText(game.root, chosen, game) : "";
}

function planText(from, chosen, game) {
  const written = [];
  let at = pastSingle(from, game);
  while (chosen.has(at)) {
    const child = chosen.get(at);
    written.push(game.move(child) ?? child);
    at = pastSingle(child, game);
  }
  if (game.turn(at) === "and" && game.children(at).length) {
    written.push(`{${game.children(at).map((each) => `${each}: ${planText(each, chosen, game)}`).join(", ")}}`);
  }
  return `[${written.join(", ")}]`;
}
