// A row of keys for signs that phone keyboards lack. It types where the cursor is, and the box keeps the focus.

import { element } from "./ply-page.js";

const SIGNS = ["−", "/", "∞", "≤", "≥"];
const LIST_SIGNS = ["(", ",", ")"];
const LISTED = new Set(["vector", "window", "windows"]);
const OF_NAMES = { names: [","], moves: ["→", ","] };
const CALLED = {
  "−": "minus", "/": "slash", "∞": "infinity", "≤": "at-most", "≥": "at-least", "(": "open", ",": "comma", ")": "close", "→": "arrow",
};

/** What may be wanted in a box of a kind. */
export function signsOf(kind) {
  return OF_NAMES[kind] ?? [...SIGNS, ...(LISTED.has(kind) ? LIST_SIGNS : [])];
}

/** At the cursor, in place of what is selected. */
export function typeInto(input, text) {
  input.setRangeText(text, input.selectionStart, input.selectionEnd, "end");
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

export function signButton(sign, say, press) {
  const button = element("button", { type: "button", tabindex: -1, "aria-label": `${sign} ${say(`sign-${CALLED[sign]}`)}` }, sign);
  // The box keeps the focus, and a phone's keyboard stays open.
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  button.addEventListener("click", () => press(sign));
  return button;
}

/** The row of a form, for the box that has the focus: at the bottom, above the keyboard of a phone. It is one stop,
 * after its box. */
export class KeyRow {
  #row; #say;
  #box = null;

  constructor(root, boxes, say, signal) {
    this.#say = say;
    this.#row = element("div", { class: "keys of-box", role: "toolbar", "aria-label": say("key-row") });
    root.addEventListener("focusin", ({ target }) => {
      if (this.#row.contains(target)) return;
      if (target.matches(boxes) && target.matches("input:not([readonly])")) this.#show(target);
      else this.#hide();
    }, { signal });
    root.addEventListener("focusout", ({ relatedTarget }) => { if (!root.contains(relatedTarget)) this.#hide(); }, { signal });
    this.#row.addEventListener("keydown", (event) => this.#onKey(event));
    window.visualViewport?.addEventListener("resize", () => this.#place(), { signal });
    window.visualViewport?.addEventListener("scroll", () => this.#place(), { signal });
  }

  #show(box) {
    if (box === this.#box) return;
    this.#box = box;
    this.#row.replaceChildren(...signsOf(box.dataset.kind).map((sign) => signButton(sign, this.#say, (typed) => this.#type(typed))));
    this.#row.firstChild.tabIndex = 0;
    box.closest(".field").append(this.#row);
    this.#place();
  }

  #hide() {
    this.#box = null;
    this.#row.remove();
  }

  #type(sign) {
    this.#box.focus();
    typeInto(this.#box, sign);
  }

  /** Arrows go along the row, Escape back to the box; Tab leaves as everywhere. */
  #onKey(event) {
    const keys = [...this.#row.children];
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Escape") this.#box.focus();
    else if (by) {
      const to = keys[(keys.indexOf(document.activeElement) + by + keys.length) % keys.length];
      for (const key of keys) key.tabIndex = key === to ? 0 : -1;
      to.focus();
    } else return;
    event.preventDefault();
  }

  /** At the bottom of what is seen, where it hides no question, and the box above it. */
  #place() {
    if (!this.#box) return;
    const view = window.visualViewport;
    this.#row.style.setProperty("bottom", `${Math.max(0, window.innerHeight - view.height - view.offsetTop)}px`);
    const hidden = this.#box.getBoundingClientRect().bottom + 8 - this.#row.getBoundingClientRect().top;
    if (hidden > 0) window.scrollBy(0, hidden);
  }
}
