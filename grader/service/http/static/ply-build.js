// <ply-build>: a tree is built by clicking. Every click is sent to the server, which changes the text of the document;
// here the tree is only drawn, whether or not the document is complete.

const SVG = "http://www.w3.org/2000/svg";
const [ACROSS, SLACK, DOWN, EDGE] = [40, 12, 74, 30];
const PLAIN_TURNS = ["max", "min", "chance", "or", "and"];
const LETTERS = 8.5;

function drawn(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

const nameOf = (path) => path.join(".");

class PlyBuild extends HTMLElement {
  #nodes = [];
  #players = [];
  #selected = "";
  #undo = [];
  #waiting = Promise.resolve();
  #typed = false;

  /** `source` has a `text` that can be set, and `csrf`. */
  connect(source) {
    this.source = source;
    this.hidden = false;
    this.canvas = this.querySelector(".canvas");
    this.said = this.querySelector(".said");
    this.addEventListener("click", (event) => this.#clicked(event));
    this.addEventListener("input", (event) => { if (event.target.dataset.set) this.#typed = true; });
    this.addEventListener("change", (event) => this.#set(event.target));
    this.addEventListener("keydown", (event) => this.#key(event));
    this.refresh();
  }

  /** The text was changed elsewhere. */
  refresh() { return this.#ask({}); }

  get #node() { return this.#nodes.find((each) => nameOf(each.path) === this.#selected) ?? this.#nodes[0]; }

  /** One after the other, in the order of the clicks. */
  #ask(change, keep = true) {
    this.#waiting = this.#waiting.then(() => this.#send(change, keep)).catch((error) => { this.said.textContent = String(error.message); });
    return this.#waiting;
  }

  async #send(change, keep) {
    const before = this.source.text;
    const body = new URLSearchParams({ csrf: this.source.csrf, text: before, change: JSON.stringify(change) });
    const answer = await fetch(this.dataset.edit, { method: "POST", body });
    const found = await answer.json();
    this.classList.toggle("idle", !answer.ok && !change.op);
    this.said.textContent = answer.ok ? "" : found.detail;
    // What is being typed may be no document for a while: the tree that was there stays in sight.
    if (!answer.ok) { this.querySelector(".nested").hidden = !this.#nodes.length; return; }
    if (before !== this.source.text) return this.#send({}, false);
    this.#nodes = found.nodes;
    this.#players = found.players;
    this.querySelector(".flat").hidden = !found.flat;
    if (found.text !== before) {
      if (keep) this.#undo.push(before);
      this.source.text = found.text;
    }
    this.querySelector(".nested").hidden = found.flat;
    if (found.flat) return;
    this.#follow(change);
    this.#draw();
  }

  /** What is selected after a change: the node that was moved, the parent of one that is gone. */
  #follow(change) {
    const path = [...(change.path ?? [])];
    if (change.op === "remove") path.pop();
    else if (change.op === "earlier") path[path.length - 1] -= 1;
    else if (change.op === "later") path[path.length - 1] += 1;
    if (change.op) this.#selected = nameOf(path);
    if (!this.#nodes.some((each) => nameOf(each.path) === this.#selected)) this.#selected = "";
  }

  #do(op, to = "") { return this.#ask({ op, path: this.#node.path, to }); }

  #clicked(event) {
    const on = event.target.closest("[data-op], [data-undo], [data-nest], [data-key], [data-step], [data-path]");
    if (!on) return;
    const { op, key, step, path } = on.dataset;
    if (path !== undefined) this.select(path);
    else if (op) { this.#setTyped(); this.#waiting.then(() => this.#do(op)); }
    else if ("undo" in on.dataset) this.undo();
    else if ("nest" in on.dataset) this.#ask({ op: "nest", path: [] });
    else if (key) this.#press(key);
    else if (step) this.#stepBy(Number(step));
  }

  select(path, focus = true) {
    this.#setTyped();
    this.#waiting = this.#waiting.then(() => { this.#selected = path; this.#draw(focus); });
  }

  undo() {
    this.#waiting = this.#waiting.then(() => {
      const before = this.#undo.pop();
      if (before !== undefined) { this.source.text = before; return this.#send({}, false); }
    });
  }

  get #box() {
    const shown = [...this.querySelectorAll("input[data-set=value], input[data-set=p]")].filter((each) => !each.closest("[hidden]"));
    return shown.find((each) => each === this.lastBox) ?? shown[0] ?? null;
  }

  #press(key) {
    const box = this.#box;
    if (!box) return;
    if (key === "set") { this.#setTyped(); return; }
    if (key === "back") box.value = box.value.slice(0, -1);
    else box.value = this.#typed ? box.value + key : key;
    this.#typed = true;
  }

  #stepBy(by) {
    const box = this.#box;
    if (!box || !/^-?\d+$/.test(box.value)) return;
    box.value = String(Number(box.value) + by);
    this.#typed = true;
    this.#setTyped();
  }

  /** What was typed and not yet said to be done. */
  #setTyped() {
    if (!this.#typed) return;
    for (const box of this.querySelectorAll("input[data-set]")) if (!box.closest("[hidden]")) this.#set(box);
    this.#typed = false;
  }

  #set(box) {
    const key = box.dataset.set;
    if ("players" in box.dataset && box.value.trim() !== this.#players.join(", ")) this.#ask({ op: "players", path: [], to: box.value });
    if (!key || box.closest("[hidden]")) return;
    const node = this.#node;
    if (box.value.trim() === (node[key] ?? "")) return;
    this.#typed = false;
    this.#ask({ op: key, path: node.path, to: box.value });
  }

  #key(event) {
    if (event.target.matches("input")) {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.#set(event.target);
      // Back to the tree, so that the arrows and the next number are for the next leaf.
      if (event.target.matches("[data-set=value]")) this.#waiting.then(() => { if (!this.said.textContent) this.select(this.#selected); });
      return;
    }
    if (!event.target.closest("[data-path]")) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "z") { event.preventDefault(); this.undo(); return; }
    const moves = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };
    const ops = { "+": "add", Insert: "add", Delete: "remove" };
    if (event.altKey && event.key === "ArrowLeft") this.#do("earlier");
    else if (event.altKey && event.key === "ArrowRight") this.#do("later");
    else if (ops[event.key]) this.#do(ops[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.select(event.target.closest("[data-path]").dataset.path);
    else if (/^[-0-9]$/.test(event.key) && !this.#node.turn) { this.#press(event.key); this.querySelector("#build-value").focus(); }
    else if (moves[event.key]) this.#walk(moves[event.key]);
    else return;
    event.preventDefault();
  }

  #walk(where) {
    const path = this.#node.path;
    const level = this.#nodes.filter((each) => each.path.length === path.length);
    const at = level.indexOf(this.#node);
    const to = { up: path.slice(0, -1), down: [...path, 0], left: level[at - 1]?.path, right: level[at + 1]?.path }[where];
    if (to && this.#nodes.some((each) => nameOf(each.path) === nameOf(to))) this.select(nameOf(to));
  }

  #draw(focus = this.canvas.contains(document.activeElement)) {
    const places = new Map();
    let right = 0;
    const room = (node) => Math.max(ACROSS, (node.value ?? "").length * LETTERS + 20);
    const leaves = this.#nodes.filter((node) => !node.turn);
    const left = this.canvas.clientWidth - 16 - leaves.reduce((sum, node) => sum + room(node), 0);
    const slack = Math.min(SLACK, Math.max(0, left / Math.max(1, leaves.length)));
    for (const node of [...this.#nodes].reverse()) {
      const below = this.#nodes.filter((each) => each.path.length === node.path.length + 1 && nameOf(each.path.slice(0, -1)) === nameOf(node.path));
      const xs = below.map((each) => places.get(each).x);
      const wide = room(node) + slack;
      if (!below.length) right += wide;
      places.set(node, { x: below.length ? (Math.min(...xs) + Math.max(...xs)) / 2 : right - wide / 2, y: EDGE + DOWN * node.path.length });
    }
    const deepest = Math.max(0, ...this.#nodes.map((each) => each.path.length));
    const [width, height] = [Math.max(right, ACROSS) + 16, 2 * EDGE + DOWN * deepest];
    // From the last leaf to the first, so the other way round.
    for (const place of places.values()) place.x = width - 8 - place.x;
    const svg = drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
    for (const node of this.#nodes) if (node.path.length) this.#edge(svg, node, places);
    for (const node of this.#nodes) svg.append(this.#drawNode(node, places.get(node)));
    this.canvas.replaceChildren(svg);
    this.#fill();
    if (focus) svg.querySelector('[aria-pressed="true"]')?.focus({ preventScroll: true });
  }

  #edge(svg, node, places) {
    const parent = this.#nodes.find((each) => nameOf(each.path) === nameOf(node.path.slice(0, -1)));
    const [from, to] = [places.get(parent), places.get(node)];
    svg.append(drawn("line", { x1: from.x, y1: from.y + 15, x2: to.x, y2: to.y - 15 }));
    const told = [node.move, node.p && `(${node.p})`].filter(Boolean).join(" ");
    if (told) svg.append(drawn("text", { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 + 4, class: "on-edge" }, told));
  }

  #drawNode(node, { x, y }) {
    const selected = node === this.#node;
    const kind = node.turn && !PLAIN_TURNS.includes(node.turn) ? "player" : node.turn ?? "leaf";
    const text = node.turn ? node.id ?? (kind === "max" || kind === "min" ? "" : node.turn) : node.value;
    const told = [node.turn ? node.turn.toUpperCase() : "", node.id, node.value, nameOf(node.path.map((each) => each + 1))].filter(Boolean).join(" ");
    const group = drawn("g", { role: "button", tabindex: selected ? 0 : -1, "aria-pressed": selected, "aria-label": told, class: kind, "data-path": nameOf(node.path) });
    const half = Math.max(15, (text ?? "").length * LETTERS / 2 + 6);
    group.append(drawn("rect", { class: "target", x: x - half - 4, y: y - 20, width: 2 * half + 8, height: 40, rx: 6 }));
    const up = kind === "max" ? -1 : 1;
    if (kind === "max" || kind === "min") group.append(drawn("path", { class: "shape", d: `M${x} ${y + 15 * up}L${x + half + 4} ${y - 13 * up}H${x - half - 4}Z` }));
    else if (kind === "chance") group.append(drawn("ellipse", { class: "shape", cx: x, cy: y, rx: half, ry: 15 }));
    else group.append(drawn("rect", { class: "shape", x: x - half, y: y - 14, width: 2 * half, height: 28, rx: node.turn ? 14 : 2 }));
    group.append(drawn("text", { x, y: y + 5 }, text ?? ""));
    return group;
  }

  /** The boxes say what the selected node is. */
  #fill() {
    const node = this.#node;
    if (!node) return;
    const parent = this.#nodes.find((each) => node.path.length && nameOf(each.path) === nameOf(node.path.slice(0, -1)));
    const shown = { leaf: !node.turn, inner: Boolean(node.turn), outcome: parent?.turn === "chance", below: Boolean(parent) };
    for (const each of this.querySelectorAll("[data-for]")) each.hidden = !shown[each.dataset.for];
    this.querySelector(".keys").hidden = !shown.leaf && !shown.outcome;
    const turns = this.#players.length ? [...this.#players, "chance"] : PLAIN_TURNS;
    this.querySelector("[data-set=turn]").replaceChildren(...turns.map((turn) => new Option(turn, turn)));
    for (const box of this.querySelectorAll("[data-set]")) box.value = node[box.dataset.set] ?? "";
    this.querySelector("[data-players]").value = this.#players.join(", ");
    this.#typed = false;
    const siblings = parent ? this.#nodes.filter((each) => each.path.length === node.path.length && nameOf(each.path.slice(0, -1)) === nameOf(parent.path)).length : 1;
    const place = node.path.at(-1) ?? 0;
    const may = { remove: Boolean(parent), earlier: parent && place > 0, later: parent && place < siblings - 1 };
    for (const button of this.querySelectorAll("[data-op]")) button.disabled = button.dataset.op in may && !may[button.dataset.op];
    this.querySelector("[data-undo]").disabled = !this.#undo.length;
  }
}

customElements.define("ply-build", PlyBuild);
