// The cell of a node: all that can be written there, near the node or, on a narrow screen, at the bottom. It writes
// into the form at once; Escape takes back what was written since it was opened.

import { signButton, signsOf, typeInto } from "./ply-keys.js";
import { element, isNarrow } from "./ply-page.js";

const LISTS = ["vector", "windows"];
let dialogs = 0;

export class CellDialog {
  #places; #game; #say; #hooks;
  #dialog; #form; #title; #fields; #keys; #before; #after;
  #node = null;
  #refreshers = [];
  #taken = new Map();
  #typing = null;

  /** `hooks`: `closed(node)`, `go(node)`, `toggle(mark, node)`, `anchor(node)` (an element) and `title(node)`. */
  constructor(places, say, hooks) {
    this.#places = places;
    this.#game = places.game;
    this.#say = say;
    this.#hooks = hooks;
    this.#build();
  }

  get node() { return this.#dialog.open ? this.#node : null; }

  /** `at`: the cell, or the kind "mark", that is wanted; `typed`: what was typed to open it. */
  open(node, { at = null, typed = "" } = {}) {
    this.#node = node;
    this.#taken = new Map(this.#places.at(node).map((cell) => [cell.box, cell.box.text]));
    this.#fill();
    if (!this.#dialog.open) this.#dialog.show();
    document.documentElement.classList.add("cell-open");
    this.#place();
    this.#focus(at, typed);
  }

  close() {
    if (!this.#dialog.open) return;
    this.#dialog.close();
    document.documentElement.classList.remove("cell-open");
  }

  /** Brings what is shown into step with the form. */
  refresh() { if (this.#dialog.open) for (const refresh of this.#refreshers) refresh(); }

  contains(target) { return this.#dialog.contains(target); }
  remove() { this.#dialog.remove(); }

  #build() {
    const id = `cell-title-${++dialogs}`;
    this.#title = element("h2", { id });
    this.#fields = element("div", { class: "cell-fields" });
    this.#keys = element("div", { class: "keys", role: "group", "aria-label": this.#say("key-row") });
    this.#before = element("button", { type: "button", class: "quiet" });
    this.#after = element("button", { type: "button", class: "quiet" });
    const done = element("button", { class: "done" }, this.#say("done"));
    const foot = element("div", { class: "cell-foot" }, this.#before, this.#after, done);
    this.#form = element("form", { method: "dialog", autocomplete: "off" }, this.#title, this.#fields, this.#keys, foot);
    this.#dialog = element("dialog", { class: "cell", "aria-labelledby": id }, this.#form);
    document.body.append(this.#dialog);
    this.#listen();
  }

  #listen() {
    // Focus returns here and not when the dialog has closed, which is told later: a key pressed between would go astray.
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#leave();
    });
    this.#dialog.addEventListener("keydown", (event) => this.#onKey(event));
    this.#dialog.addEventListener("focusin", ({ target }) => { if (target.matches("input")) this.#typing = target; });
    this.#before.addEventListener("click", () => this.#hooks.go(this.#before.value));
    this.#after.addEventListener("click", () => this.#hooks.go(this.#after.value));
    window.visualViewport?.addEventListener("resize", () => this.#place());
    window.visualViewport?.addEventListener("scroll", () => this.#place());
  }

  #leave() {
    const node = this.#node;
    this.close();
    this.#hooks.closed(node);
  }

  #onKey(event) {
    if (event.key === "Escape") {
      event.preventDefault();
      for (const [box, text] of this.#taken) box.write(text);
      this.#leave();
    } else if (event.key === "Tab") this.#keepInside(event);
  }

  /** Tab goes round: behind the dialog there is nothing to go to. */
  #keepInside(event) {
    const stops = [...this.#dialog.querySelectorAll("input, select, button:not(:disabled)")].filter((each) => each.offsetParent);
    const edge = event.shiftKey ? stops[0] : stops.at(-1);
    if (document.activeElement !== edge) return;
    event.preventDefault();
    (event.shiftKey ? stops.at(-1) : stops[0]).focus();
  }

  #fill() {
    const node = this.#node;
    this.#refreshers = [];
    this.#typing = null;
    this.#title.textContent = this.#hooks.title(node);
    const cells = this.#places.at(node);
    this.#fields.replaceChildren(
      ...cells.map((cell) => this.#cell(cell)),
      ...this.#places.marksAt(node).map((mark) => this.#mark(mark, node)),
      ...this.#places.ordersAt(node).map((order) => this.#order(order, node)));
    this.#fillKeys(cells.filter((cell) => !cell.box.choices));
    this.#fillNeighbours(node);
    this.refresh();
    for (const refresh of this.#refreshers) refresh();
  }

  #label(name, box) {
    const twins = [...this.#places.cells, ...this.#places.marks, ...this.#places.orders].filter(
      (each) => each.box.ask === box.ask && each.box.question !== box.question);
    return this.#say(name) + (twins.length ? ` (${box.question})` : "");
  }

  #cell(cell) {
    const read = element("span", { class: "read" });
    this.#refreshers.push(() => {
      read.textContent = cell.box.output.textContent;
      read.classList.toggle("unread", cell.box.output.classList.contains("unread"));
    });
    const label = this.#label(cell.box.ask, cell.box);
    if (cell.kind === "window") return element("fieldset", { class: "cell-field" }, element("legend", {}, label), this.#window(cell), read);
    const control = cell.box.choices ? this.#choice(cell) : this.#input(cell);
    return element("div", { class: "cell-field" }, element("label", {}, element("span", {}, label), control), read);
  }

  #input(cell) {
    const input = textInput(cell);
    input.addEventListener("input", () => cell.box.write(input.value));
    this.#refreshers.push(() => { if (input.value.trim() !== cell.box.text) input.value = cell.box.text; });
    return input;
  }

  #window(cell) {
    const inputs = ["alpha", "beta"].map((name) => {
      const input = textInput(cell);
      return [input, element("label", {}, element("span", {}, this.#say(name)), input)];
    });
    const [[alpha], [beta]] = inputs;
    for (const input of [alpha, beta]) input.addEventListener("input", () => cell.writeWindow(alpha.value, beta.value));
    this.#refreshers.push(() => {
      const [low, high] = cell.window;
      if (alpha.value.trim() !== low) alpha.value = low;
      if (beta.value.trim() !== high) beta.value = high;
    });
    return element("div", { class: "pair", dir: "ltr" }, ...inputs.map(([, label]) => label));
  }

  #choice(cell) {
    const select = element("select", { "data-cell": cell.box.name },
      ...cell.box.choices.map((choice) => element("option", { value: choice }, choice || this.#say("blank-cell"))));
    select.addEventListener("change", () => cell.box.write(select.value));
    this.#refreshers.push(() => { select.value = cell.box.text; });
    return select;
  }

  #mark(mark, node) {
    const button = element("button", { type: "button", class: "mark", "data-mark": mark.name }, this.#label(`do-${mark.name}`, mark.box));
    button.addEventListener("click", () => this.#hooks.toggle(mark, node));
    this.#refreshers.push(() => {
      button.setAttribute("aria-pressed", String(mark.isOn(node)));
      button.disabled = mark.name === "cut" && mark.above(node) !== null;
    });
    return button;
  }

  /** The children in their order, each with a button to either side. */
  #order(order, node) {
    const list = element("ol", { class: "order" });
    const shift = (child, by) => {
      order.shift(child, by);
      list.querySelector(`[value="${CSS.escape(child)}"][data-by="${by}"]`)?.focus();
    };
    this.#refreshers.push(() => {
      const children = order.of(node);
      list.replaceChildren(...children.map((child, place) => element("li", {},
        this.#shifter(child, -1, place === 0, shift), element("b", {}, child), this.#shifter(child, 1, place === children.length - 1, shift))));
    });
    const label = this.#label("reorder", order.box);
    return element("fieldset", { class: "cell-field" }, element("legend", {}, label), list);
  }

  #shifter(child, by, atEnd, shift) {
    const sign = by < 0 ? "‹" : "›";
    const button = element("button", { type: "button", value: child, "data-by": by },
      sign, element("span", { class: "unseen" }, ` ${this.#say(by < 0 ? "earlier" : "later", { node: child })}`));
    button.disabled = atEnd;
    button.addEventListener("click", () => shift(child, by));
    return button;
  }

  #fillKeys(cells) {
    const listed = cells.find((cell) => LISTS.includes(cell.kind));
    this.#keys.hidden = cells.length === 0;
    this.#keys.replaceChildren(...signsOf(listed?.kind).map((sign) => signButton(sign, this.#say, (typed) => this.#type(typed))));
  }

  #type(sign) {
    const input = this.#typing ?? this.#dialog.querySelector("input");
    if (!input) return;
    input.focus();
    typeInto(input, sign);
  }

  #fillNeighbours(node) {
    const nodes = this.#game.ids.filter((id) => this.#places.has(id));
    const at = nodes.indexOf(node);
    for (const [button, other, key] of [[this.#before, nodes[at - 1], "before"], [this.#after, nodes[at + 1], "after"]]) {
      button.hidden = other === undefined;
      button.value = other ?? "";
      button.replaceChildren(key === "before" ? `‹ ${other}` : `${other} ›`);
    }
  }

  #focus(at, typed) {
    const wanted = at === "mark" ? this.#dialog.querySelector(".mark:not(:disabled)")
      : at && this.#dialog.querySelector(`[data-cell="${CSS.escape(at.box.name)}"]`);
    const control = wanted ?? this.#dialog.querySelector("input, select, .mark:not(:disabled)") ?? this.#form.querySelector(".done");
    control.focus({ preventScroll: true });
    if (!control.matches("input")) return;
    if (typed) {
      control.value = "";
      typeInto(control, typed);
    } else control.select();
  }

  /** Beside the node, or at the bottom of what is seen of a narrow page. */
  #place() {
    if (!this.#dialog.open) return;
    const style = this.#dialog.style;
    const view = window.visualViewport;
    for (const side of ["left", "top", "bottom"]) style.removeProperty(side);
    const anchor = this.#hooks.anchor(this.#node);
    anchor.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (isNarrow()) {
      style.setProperty("bottom", `${Math.max(0, window.innerHeight - view.height - view.offsetTop)}px`);
      const hidden = anchor.getBoundingClientRect().bottom + 12 - this.#dialog.getBoundingClientRect().top;
      if (hidden > 0) window.scrollBy(0, hidden);
      return;
    }
    const node = anchor.getBoundingClientRect();
    style.setProperty("left", `${this.#besideTree(node, anchor.ownerSVGElement.getBoundingClientRect())}px`);
    style.setProperty("top", `${Math.max(8, Math.min(node.top, window.innerHeight - this.#dialog.offsetHeight - 8))}px`);
  }

  /** To a side of the tree; without room there, over the half that the node is not in: its children stay in sight. */
  #besideTree(node, tree) {
    const room = document.documentElement.clientWidth - this.#dialog.offsetWidth - 8;
    if (tree.right + 8 <= room) return tree.right + 8;
    const middle = node.left + node.width / 2;
    return middle <= document.documentElement.clientWidth / 2 ? room : 8;
  }
}

function textInput(cell) {
  return element("input", {
    type: "text", inputmode: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "done",
    dir: "ltr", size: cell.kind === "window" ? 5 : 10, "data-cell": cell.box.name,
  });
}
