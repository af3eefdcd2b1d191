// <ply-tree>: the tree as an answer sheet. It stands around the picture of a tree and the boxes of a form, draws on the
// tree what the boxes hold, and lets one write into them at the nodes and edges, by pointer, touch or keyboard.

import { Game } from "./ply-answers.js";
import { CellDialog } from "./ply-cell.js";
import { Drawing } from "./ply-drawing.js";
import { Journal } from "./ply-journal.js";
import { KeyRow } from "./ply-keys.js";
import { element, isNarrow, pageData, speaker } from "./ply-page.js";
import { Places, Visits } from "./ply-places.js";

const ARROWS = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]);
const BEGINS_CELL = /^[0-9۰-۹٠-٩\-−+.<>≤≥=∞(/]$/;
const BOXES = "input[data-question], select[data-question], textarea[data-question]";
const VIEW = "plymark.sheet.view";

class PlyTree extends HTMLElement {
  #game; #places; #drawing; #journal; #dialog; #say; #told; #data;
  #current = null; #tool = null; #buttons = {};
  #drawings = new Map();
  #listening = new AbortController();

  connectedCallback() {
    this.#data = pageData(this);
    if (!this.#data || this.#places) return;
    this.#say = speaker(this.#data.texts, document.documentElement.lang || "en");
    this.#game = new Game(this.#data.nodes);
    this.#places = new Places(this.querySelectorAll(BOXES), this.#game, this.#data.noneWords);
    this.#journal = new Journal(this.querySelectorAll(BOXES));
    this.#listenToForm();
    new KeyRow(this, BOXES, this.#say, this.#listening.signal);
    if (!this.#places.any || !this.querySelector("figure svg")) return;
    this.#dialog = new CellDialog(this.#places, this.#say, {
      anchor: (id) => this.#drawing.nodes.get(id).group,
      title: (id) => this.#title(id),
      closed: (id) => this.focusNode(id),
      go: (id) => this.#open(id),
      toggle: (mark, id) => this.#toggle(mark, id),
    });
    this.#addControls();
    this.#listenToPointer();
    this.classList.add("live");
    new ResizeObserver(() => this.#useVisible()).observe(this.querySelector("figure"));
    this.#useVisible();
  }

  /** Of several pictures, for wide and for narrow pages, the one that is seen is drawn on. */
  #useVisible() {
    const svg = [...this.querySelectorAll("figure svg")].find((each) => each.getClientRects().length > 0);
    if (!svg || this.#drawing?.svg === svg) return;
    if (!this.#drawings.has(svg)) {
      this.#drawings.set(svg, new Drawing(svg));
      this.#listenToTree(this.#drawings.get(svg));
    }
    this.#drawing = this.#drawings.get(svg);
    this.#dialog.close();
    this.#drawAll();
  }

  disconnectedCallback() {
    this.#listening.abort();
    this.#dialog?.remove();
  }

  /** The node that has the tree's tab stop. */
  get current() { return this.#current; }

  focusNode(id) {
    this.#journal.seal();
    this.#select(id);
    this.#drawing.nodes.get(id).group.focus();
  }

  undo() { this.#replay(this.#journal.undo(), "undone"); }
  redo() { this.#replay(this.#journal.redo(), "redone"); }

  // What is around the tree.

  #addControls() {
    const figure = this.querySelector("figure");
    this.#told = element("p", { class: "told", role: "status" });
    const how = element("details", { class: "how" }, element("summary", {}, this.#say("keys")),
      ...["how-pointer", "how-keys", "how-marks"].map((key) => element("p", {}, this.#say(key))));
    figure.before(this.#toolBar());
    figure.after(this.#told, how);
    for (const fieldset of this.querySelectorAll("fieldset[data-question]")) this.#markPlaced(fieldset);
    this.#show(localStorageGet(VIEW) ?? (isNarrow() ? "tree" : "form"));
  }

  #toolBar() {
    const button = (name, act, ...more) => {
      const made = element("button", { type: "button", class: "tool" }, this.#say(name), ...more);
      made.addEventListener("click", act);
      return (this.#buttons[name] = made);
    };
    const bar = element("div", { class: "tree-bar", role: "group", "aria-label": this.#say("tools") });
    if (this.#places.marks.length) bar.append(...this.#pens());
    bar.append(button("undo", () => this.undo()), button("redo", () => this.redo()));
    if (this.#places.cells.length > 0) {
      bar.append(button("as-form", () => this.#show(this.dataset.view === "form" ? "tree" : "form", true)));
    }
    for (const cut of this.#places.cuts) bar.append(button("none-pruned", () => this.#sayNone(cut)));
    return bar;
  }

  /** With a pen other than the first, pressing a node or an edge marks it at once. */
  #pens() {
    const pens = [null, ...this.#places.marks].map((mark) => {
      const pen = element("button", { type: "button", class: "tool", "aria-pressed": String(mark === null) },
        this.#say(mark === null ? "pen-write" : `pen-${mark.name}`));
      pen.addEventListener("click", () => {
        this.#tool = mark;
        for (const each of pens) each.setAttribute("aria-pressed", String(each === pen));
      });
      return pen;
    });
    return pens;
  }

  /** Questions whose every box is on the tree need not be shown a second time. */
  #markPlaced(fieldset) {
    const boxes = [...fieldset.querySelectorAll(BOXES)];
    if (boxes.length < 2 || !boxes.every((box) => this.#places.byName(box.name))) return;
    fieldset.classList.add("placed");
    fieldset.append(element("p", { class: "filled" }));
  }

  #show(view, remember = false) {
    this.dataset.view = view;
    this.#buttons["as-form"]?.setAttribute("aria-pressed", String(view === "form"));
    if (remember) localStorageSet(VIEW, view);
  }

  #sayNone(cut) {
    this.#journal.seal();
    cut.box.write(cut.saysNone ? "" : this.#data.none);
    this.#journal.seal();
  }

  #tell(text) { this.#told.textContent = text; }

  // Listening.

  #listenToForm() {
    const { signal } = this.#listening;
    this.addEventListener("input", ({ target }) => this.#onInput(target), { signal });
    this.addEventListener("change", () => this.#journal.seal(), { signal });
    this.addEventListener("keydown", (event) => this.#onUndoKey(event), { signal });
    this.closest("form")?.addEventListener("ply-read", () => this.#dialog?.refresh(), { signal });
  }

  #listenToTree({ svg, tree }) {
    const { signal } = this.#listening;
    svg.addEventListener("click", (event) => this.#onPress(event), { signal });
    tree.addEventListener("keydown", (event) => this.#onKey(event), { signal });
    tree.addEventListener("focusin", ({ target }) => {
      const id = target.closest("[data-node]")?.dataset.node;
      if (id) this.#select(id);
    }, { signal });
  }

  #listenToPointer() {
    const { signal } = this.#listening;
    document.addEventListener("pointerdown", ({ target }) => {
      if (!this.#dialog.contains(target) && !target.closest?.("[data-node], [data-edge]")) this.#dialog.close();
    }, { signal });
  }

  #onInput(box) {
    if (!box.matches(BOXES)) return;
    this.#journal.note(box.name, box.value);
    if (!this.#drawing) return;
    const place = this.#places.byName(box.name);
    if (place?.node !== undefined) this.#drawNode(place.node);
    else if (place) this.#drawMarks();
    this.#drawState(box);
    this.#dialog.refresh();
  }

  #onPress({ target }) {
    const edge = target.closest("[data-edge]")?.dataset.edge;
    const id = target.closest("[data-node]")?.dataset.node ?? edge;
    if (id === undefined) return;
    this.#select(id);
    if (this.#tool?.applies(id)) return this.#toggle(this.#tool, id);
    const marks = this.#places.marksAt(id).filter((mark) => !(mark instanceof Visits));
    if (edge && marks.length === 1) return this.#toggle(marks[0], id);
    if (this.#places.has(id)) this.#open(id, { at: edge ? "mark" : null });
  }

  #onKey(event) {
    const id = event.target.closest("[data-node]")?.dataset.node;
    if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#acted(id, event)) event.preventDefault();
  }

  /** Whether the key means something here. */
  #acted(id, event) {
    const { key } = event;
    if (ARROWS.has(key)) return this.#goTo(this.#drawing.neighbour(id, key, this.#game));
    if (key === "Home") return this.#goTo(this.#game.root);
    if (key === "End") return this.#goTo(this.#game.ids.at(-1));
    if (key === "Enter" || key === " " || key === "F2") return this.#open(id);
    if (BEGINS_CELL.test(key)) return this.#places.at(id).some((cell) => !cell.box.choices) && this.#open(id, { typed: key });
    // On a keyboard of another script a letter's place counts.
    const letter = /^[a-z]$/i.test(key) ? key.toLowerCase() : event.code.replace("Key", "").toLowerCase();
    if (letter === "w") return this.#openWindow(id);
    return this.#toggleByKey(letter, id);
  }

  #onUndoKey(event) {
    if (!(event.ctrlKey || event.metaKey) || event.target.matches?.("input, textarea")) return;
    const letter = /^[a-z]$/i.test(event.key) ? event.key.toLowerCase() : event.code.replace("Key", "").toLowerCase();
    if (letter !== "z" && letter !== "y") return;
    event.preventDefault();
    if (letter === "y" || event.shiftKey) this.redo();
    else this.undo();
  }

  // Acting.

  #goTo(id) {
    if (id === null || id === undefined) return true;
    this.focusNode(id);
    return true;
  }

  #open(id, options = {}) {
    this.#journal.seal();
    this.#select(id);
    if (this.#places.has(id)) this.#dialog.open(id, options);
    return true;
  }

  #openWindow(id) {
    const cell = this.#places.at(id).find((each) => each.isWindow);
    return cell ? this.#open(id, { at: cell }) : false;
  }

  /** Where a key could mean several marks, one is asked which. */
  #toggleByKey(letter, id) {
    const marks = this.#places.marksAt(id).filter((mark) => mark.key === letter);
    if (marks.length > 1) return this.#open(id, { at: "mark" });
    if (marks.length === 1) this.#toggle(marks[0], id);
    return marks.length > 0;
  }

  #toggle(mark, id) {
    const above = mark.above?.(id) ?? null;
    if (above !== null) return this.#tell(this.#say("below-cut", { node: id, above }));
    this.#journal.seal();
    mark.toggle(id);
    this.#journal.seal();
    this.#tellMark(mark, id);
  }

  #tellMark(mark, id) {
    if (mark.name === "cut" && mark.isOn(id)) {
      this.#tell(this.#say("told-cut", { node: id }, this.#game.leavesBelow(id).length));
    } else this.#tell(this.#say(mark.isOn(id) ? "told-on" : "told-off", { node: id, what: this.#say(`do-${mark.name}`) }));
  }

  #replay(step, key) {
    if (!step) return this.#tell(this.#say("nothing-to-undo"));
    const box = [...this.querySelectorAll(BOXES)].find((each) => each.name === step.name);
    box.value = step.text;
    box.dispatchEvent(new Event("input", { bubbles: true }));
    this.#tell(this.#say(key, { what: this.#boxTitle(box), text: step.text || this.#say("empty") }));
    const node = this.#places.byName(step.name)?.node;
    if (node !== undefined && this.#drawing.tree.contains(document.activeElement)) this.focusNode(node);
  }

  #boxTitle(box) {
    return box.labels?.[0]?.textContent.trim() || box.dataset.question;
  }

  // Drawing.

  #select(id) {
    this.#drawing.nodes.get(this.#current).group.setAttribute("tabindex", "-1");
    this.#current = id;
    this.#drawing.nodes.get(id).group.setAttribute("tabindex", "0");
  }

  #drawAll() {
    this.#current ??= this.#game.root;
    for (const id of this.#drawing.nodes.keys()) {
      this.#drawing.nodes.get(id).group.setAttribute("tabindex", id === this.#current ? "0" : "-1");
      if (this.#game.has(id)) this.#drawCells(id);
    }
    this.#drawMarks(true);
    for (const box of this.querySelectorAll(BOXES)) this.#drawState(box);
  }

  #drawNode(id) {
    this.#drawCells(id);
    this.#describe(id);
  }

  #drawCells(id) {
    const node = this.#drawing.nodes.get(id);
    const beside = [];
    const cells = this.#places.at(id);
    let valueIsFree = node?.hasSlot("value");
    for (const cell of cells) {
      if (cell.isWindow && node.hasSlot("note")) node.write("note", cell.shown);
      else if (!cell.isWindow && valueIsFree) {
        node.write("value", cell.shown);
        valueIsFree = false;
      } else if (cell.shown) beside.push(cells.length > 1 ? `${this.#say(cell.box.ask)} ${cell.shown}` : cell.shown);
    }
    node?.writeBeside(beside);
  }

  #drawMarks(all = false) {
    const drawing = this.#drawing;
    const leftOut = new Set();
    const chosen = new Set();
    for (const cut of this.#places.cuts) for (const id of cut.marked) this.#game.subtree(id).forEach((each) => leftOut.add(each));
    for (const mark of this.#places.marks) if (mark.key === "m") mark.marked.forEach((id) => chosen.add(id));
    const visits = this.#numbers(this.#places.marks.filter((mark) => mark instanceof Visits));
    const places = this.#numbers(this.#places.orders);
    const changed = [...drawing.leaveOut(leftOut), ...drawing.choose(chosen), ...this.#drawCuts()];
    for (const [id, node] of drawing.nodes) if (this.#game.has(id)) {
      node.numberVisit(visits.get(id) ?? "");
      node.numberPlace(places.get(id) ?? "");
    }
    // With one kind of cut and one of choice it is known which nodes have something else to say.
    const known = this.#places.marks.length <= this.#places.cuts.length + 1 && this.#places.orders.length === 0 && !this.#places.marks.some((mark) => mark instanceof Visits);
    for (const id of known && !all ? new Set(changed) : drawing.nodes.keys()) if (this.#game.has(id)) this.#describe(id);
  }

  #numbers(places) {
    const language = document.documentElement.lang;
    return new Map(places.flatMap((place) => [...place.drawn]).map(([id, text]) => [id, Number(text).toLocaleString(language)]));
  }

  #drawCuts() {
    const cut = new Set(this.#places.cuts.flatMap((each) => [...each.marked]));
    for (const each of this.#places.cuts) this.#buttons["none-pruned"].setAttribute("aria-pressed", String(each.saysNone));
    return this.#drawing.cut(cut, (id) => {
      const leaves = this.#game.isLeaf(id) ? 0 : this.#game.leavesBelow(id).length;
      return leaves ? this.#say("leaves", {}, leaves) : "";
    });
  }

  /** How many boxes of a question that is on the tree are filled in, and whether there is something to undo. */
  #drawState(box) {
    const fieldset = box.closest("fieldset");
    const filled = fieldset?.querySelector(".filled");
    if (filled) {
      const boxes = [...fieldset.querySelectorAll(BOXES)];
      const count = boxes.filter((each) => each.value.trim()).length;
      filled.textContent = this.#say("filled", { done: count, of: boxes.length });
    }
    this.#buttons.undo.disabled = !this.#journal.canUndo;
    this.#buttons.redo.disabled = !this.#journal.canRedo;
  }

  #describe(id) {
    const blanks = this.#places.at(id).filter((cell) => !cell.box.text);
    const marks = this.#places.marksAt(id).filter((mark) => mark.isOn(id));
    this.#drawing.nodes.get(id)?.describe([
      ...this.#about(id),
      ...blanks.map((cell) => `${this.#say(cell.box.ask)}: ${this.#say("empty")}`),
      ...marks.map((mark) => this.#say(`is-${mark.name}`)),
      this.#places.cuts.some((cut) => cut.above(id) !== null) ? this.#say("is-below") : "",
    ]);
  }

  #about(id) {
    const turn = this.#game.isLeaf(id) ? this.#say("leaf") : this.#turn(this.#game.turn(id));
    const move = this.#game.move(id);
    return [turn, ...(move === null ? [] : [this.#say("move-of", { move })])];
  }

  #turn(turn) {
    if (turn === "chance") return this.#say("chance");
    return ["max", "min", "or", "and"].includes(turn) ? turn.toUpperCase() : this.#say("turn-of", { player: turn });
  }

  #title(id) { return [id, ...this.#about(id)].join(" · "); }
}

function localStorageGet(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function localStorageSet(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Without storage a page is shown as usual.
  }
}

customElements.define("ply-tree", PlyTree);
