// What is written on an answer sheet is kept: on the server after a pause and when the page is left, and in this
// browser beside it until the answers are handed in. Two windows are told of each other. What was written is read back.
//
// On the form: `data-draft` and `data-read` (addresses), `data-revision`, `data-attempt`, `data-person`, `data-csrf`;
// `data-rest` if the pause before saving is to be another than two seconds (in milliseconds).
// A page that shows a receipt has an element with `data-receipt` (the attempt) and `data-person`.

import { element, pageData, seen, speaker } from "./ply-page.js";

const REST = 2000;
const READING_REST = 400;
const FIRST_RETRY = 1000;
const LONGEST_RETRY = 30_000;
const BOXES = "input[data-question], select[data-question], textarea[data-question]";
const KEEP = "plymark.draft.";

/** The boxes of a form, as texts by name and as a document of answers. */
export class Boxes {
  #controls;

  constructor(form) { this.#controls = [...form.querySelectorAll(BOXES)]; }

  get texts() {
    return Object.fromEntries(this.#controls.map(({ name, value }) => [name, seen(value)]));
  }

  /** As the API takes it: what is blank is left out. */
  get answers() {
    const answers = {};
    for (const { name, value, dataset } of this.#controls) {
      if (seen(value)) put(answers, pathOf(name, dataset), seen(value));
    }
    return answers;
  }

  /** What a document of answers says of each box. */
  textsOf(answers) {
    return Object.fromEntries(this.#controls.map(({ name, dataset }) => [name, asText(found(answers, pathOf(name, dataset)))]));
  }

  write(texts) {
    for (const control of this.#controls) {
      const text = texts[control.name] ?? "";
      if (seen(control.value) === text) continue;
      if (control.localName === "select" && ![...control.options].some((option) => option.value === text)) {
        control.append(element("option", {}, text));
      }
      control.value = text;
      control.dispatchEvent(new Event("input", { bubbles: true }));
      control.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }

  /** As a person would call a box. */
  title(name) {
    const control = this.#controls.find((each) => each.name === name);
    const question = [control.dataset.part, control.dataset.question].filter(Boolean).join(": ");
    return control.dataset.item ? `${question}: ${control.labels[0].textContent.trim()}` : question;
  }

  show(reading, say) {
    for (const control of this.#controls) {
      const output = control.closest(".field").querySelector(".read");
      const told = control.value.trim() ? reading[control.name] ?? {} : {};
      const text = told.problem ? told.problem : told.read ? say("read", { text: printed(told.read) }) : "";
      if (output.textContent !== text) output.textContent = text;
      output.classList.toggle("unread", Boolean(told.problem));
    }
  }
}

function pathOf(name, { part, question, item }) {
  const above = part ? [part, question] : [question];
  if (!item) return above;
  return [...above, ...(name === `${above.join(".")}.${item}` ? [item] : item.split(" "))];
}

function put(answers, path, text) {
  let place = answers;
  for (const name of path.slice(0, -1)) place = place[name] ??= {};
  place[path.at(-1)] = text;
}

function found(answers, path) {
  return path.reduce((place, name) => (place && typeof place === "object" ? place[name] : undefined), answers);
}

function asText(answer) {
  if (answer === undefined || answer === null) return "";
  return Array.isArray(answer) ? answer.map(asText).join(", ") : typeof answer === "object" ? JSON.stringify(answer) : String(answer);
}

function printed(text) {
  return text.replace("<=", "≤").replace(">=", "≥").replace(/(^|[\s(,;])-(?=\d)/g, "$1−");
}

function same(one, other) {
  return Object.keys({ ...one, ...other }).every((name) => (one[name] ?? "") === (other[name] ?? ""));
}

/** This browser's copy. Each window has its own, so that none writes over another's. */
export class LocalCopy {
  #prefix; #key;

  constructor(person, attempt) {
    this.#prefix = `${KEEP}${person}.${attempt}.`;
    this.#key = this.#prefix + windowName();
  }

  write(copy) {
    try {
      localStorage.setItem(this.#key, JSON.stringify({ ...copy, at: Date.now() }));
    } catch {
      // No storage, or none left: the server's copy has to do.
    }
  }

  /** The newest copy that was not saved on the server, of whichever window. */
  get unsaved() {
    const copies = this.#keys.map((key) => JSON.parse(localStorage.getItem(key))).filter((copy) => !copy.saved);
    return copies.sort((one, other) => other.at - one.at)[0] ?? null;
  }

  /** Copies that are dealt with are no longer unsaved, but stay until the receipt. */
  settle() {
    for (const key of this.#keys) {
      localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key)), saved: true }));
    }
  }

  clear() { for (const key of this.#keys) localStorage.removeItem(key); }

  get #keys() {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(this.#prefix));
    } catch {
      return [];
    }
  }
}

function windowName() {
  try {
    let name = sessionStorage.getItem(KEEP + "window");
    if (name === null) sessionStorage.setItem(KEEP + "window", (name = Math.random().toString(36).slice(2)));
    return name;
  } catch {
    return "window";
  }
}

/** Asks the service; the answer's status is 0 if there was none. */
async function ask(address, method, body, csrf, keepalive = false) {
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrf };
  try {
    const response = await fetch(address, { method, headers, body: JSON.stringify(body), keepalive, credentials: "same-origin" });
    return { status: response.status, data: await response.json().catch(() => ({})) };
  } catch {
    return { status: 0, data: {} };
  }
}

/** Says beside each box how it was read, a moment after the last keystroke. */
class Reader {
  #boxes; #say; #form; #timer = 0; #latest = 0;

  constructor(form, boxes, say) {
    [this.#form, this.#boxes, this.#say] = [form, boxes, say];
    form.addEventListener("input", () => this.#wait());
    if (Object.keys(boxes.answers).length) this.#read();
  }

  #wait() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#read(), READING_REST);
  }

  async #read() {
    const number = ++this.#latest;
    const { read, csrf = "" } = this.#form.dataset;
    const { status, data } = await ask(read, "POST", { answers: this.#boxes.answers }, csrf);
    if (status !== 200 || number !== this.#latest) return;
    this.#boxes.show(data.fields, this.#say);
    for (const whole of this.#form.querySelectorAll("[data-read-of]")) {
      const several = whole.closest("fieldset").querySelectorAll("[data-question][name]").length > 1;
      const problem = several ? data.fields[whole.dataset.readOf]?.problem ?? "" : "";
      whole.textContent = problem;
      whole.hidden = !problem;
    }
    this.#form.dispatchEvent(new CustomEvent("ply-read"));
  }
}

export class DraftKeeper {
  #form; #boxes; #say; #copy; #state; #conflict;
  #revision; #saved; #timer = 0; #retry = 0; #busy = false; #stopped = false; #theirs = null;
  #sent = false; #whenIdle = null;

  constructor(form, boxes, say) {
    [this.#form, this.#boxes, this.#say] = [form, boxes, say];
    this.#copy = new LocalCopy(form.dataset.person, form.dataset.attempt);
    this.#state = form.querySelector(".draft-state");
    this.#conflict = form.querySelector(".conflict");
    this.#revision = Number(form.dataset.revision);
    this.#saved = boxes.texts;
    this.#restore();
    this.#listen();
  }

  #listen() {
    this.#form.addEventListener("input", ({ target }) => { if (target.matches(BOXES)) this.#changed(); });
    this.#form.addEventListener("submit", (event) => this.#onSubmit(event));
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.#save(true); });
    window.addEventListener("pagehide", () => this.#save(true));
    window.addEventListener("online", () => this.#save());
    // A page that comes back from the browser's memory may be behind.
    window.addEventListener("pageshow", ({ persisted }) => {
      if (!persisted) return;
      this.#sent = false;
      this.#save();
    });
  }

  /** The form takes everything along. It waits for a draft that is on its way, lest the two meet. */
  #onSubmit(event) {
    this.#keepHere();
    clearTimeout(this.#timer);
    this.#sent = true;
    if (!this.#busy) return;
    event.preventDefault();
    this.#whenIdle = () => this.#form.requestSubmit(event.submitter);
  }

  /** What another visit left behind: the same draft, further on; or one that has been overtaken. */
  #restore() {
    const left = this.#copy.unsaved;
    if (left === null || same(left.texts, this.#saved)) return;
    if (left.revision === this.#revision) {
      this.#boxes.write(left.texts);
      this.#tell("restored");
      this.#wait();
      return;
    }
    const stored = this.#saved;
    this.#boxes.write(left.texts);
    this.#showConflict({ texts: stored, revision: this.#revision });
  }

  #changed() {
    this.#keepHere();
    if (this.#theirs || this.#stopped) return;
    this.#tell("unsaved");
    this.#wait();
  }

  #keepHere(saved = false) {
    this.#copy.write({ texts: this.#boxes.texts, revision: this.#revision, saved });
  }

  #wait(pause = Number(this.#form.dataset.rest ?? REST)) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#save(), pause);
  }

  /** One request at a time: the next one needs this one's revision. */
  async #save(leaving = false) {
    const texts = this.#boxes.texts;
    if (this.#busy || this.#stopped || this.#sent || this.#theirs || same(texts, this.#saved)) return;
    clearTimeout(this.#timer);
    this.#busy = true;
    this.#tell("saving");
    const { draft, csrf = "" } = this.#form.dataset;
    const body = { answers: this.#boxes.answers, revision: this.#revision };
    const { status, data } = await ask(draft, "PUT", body, csrf, leaving);
    this.#busy = false;
    this.#answered(status, data, texts);
    this.#whenIdle?.();
    this.#whenIdle = null;
  }

  #answered(status, data, texts) {
    if (status === 200) return this.#acknowledged(data.revision, texts);
    if (status === 409 && data.revision !== undefined) {
      return this.#overtaken({ texts: this.#boxes.textsOf(data.answers), revision: data.revision });
    }
    if (status === 0 || status === 429 || status >= 500) return this.#again("offline");
    if (status === 401) return this.#again("signed-out");
    this.#stopped = true;
    this.#tell("refused", { why: data.detail ?? status });
  }

  #acknowledged(revision, texts) {
    [this.#saved, this.#retry] = [texts, 0];
    this.#setRevision(revision);
    const current = same(texts, this.#boxes.texts);
    this.#keepHere(current);
    if (!current) return this.#wait();
    const time = new Date().toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
    this.#tell("saved", { time });
  }

  /** The form's own field goes along when it is sent without this script. */
  #setRevision(revision) {
    this.#revision = revision;
    const field = this.#form.querySelector('input[type="hidden"][name="revision"]');
    if (field) field.value = revision;
  }

  #again(key) {
    this.#retry = Math.min(LONGEST_RETRY, this.#retry * 2 || FIRST_RETRY);
    this.#tell(key);
    this.#wait(this.#retry);
  }

  /** Another window saved meanwhile; nothing is the matter if it saved the same. */
  #overtaken(theirs) {
    if (same(theirs.texts, this.#boxes.texts)) return this.#acknowledged(theirs.revision, theirs.texts);
    this.#showConflict(theirs);
  }

  // Two versions.

  #showConflict(theirs) {
    this.#theirs = theirs;
    this.#keepHere();
    this.#tell("conflict");
    const mine = this.#boxes.texts;
    const names = Object.keys(mine).filter((name) => mine[name] !== (theirs.texts[name] ?? ""));
    const heads = ["field", "mine", "theirs"].map((key) => element("th", { scope: "col" }, this.#say(key)));
    const rows = names.map((name) => element("tr", {},
      element("th", { scope: "row" }, this.#boxes.title(name)), this.#version(mine[name]), this.#version(theirs.texts[name])));
    const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
    this.#conflict.replaceChildren(
      element("h2", {}, this.#say("conflict")), element("p", {}, this.#say("conflict-why")), table,
      element("p", { class: "choices" }, this.#button("keep-mine"), this.#button("take-theirs")));
    this.#conflict.hidden = false;
  }

  #version(text) {
    return element("td", { dir: "auto" }, text || this.#say("empty"));
  }

  #button(choice) {
    const button = element("button", { type: "button" }, this.#say(choice));
    button.addEventListener("click", () => this.#choose(choice));
    return button;
  }

  #choose(choice) {
    const { texts, revision } = this.#theirs;
    this.#theirs = null;
    this.#conflict.hidden = true;
    this.#copy.settle();
    this.#saved = texts;
    this.#setRevision(revision);
    if (choice === "take-theirs") this.#boxes.write(texts);
    this.#keepHere(choice === "take-theirs");
    if (choice === "keep-mine") this.#save();
    else this.#acknowledged(revision, texts);
    this.#form.querySelector("ply-tree [tabindex='0'], input, button")?.focus();
  }

  #tell(key, facts = {}) {
    this.#state.textContent = this.#say(key, facts);
    this.#state.dataset.state = key;
  }
}

function begin() {
  const language = document.documentElement.lang || "en";
  for (const form of document.querySelectorAll("form[data-read], form[data-draft]")) {
    const data = pageData(form);
    if (!data) continue;
    const [boxes, say] = [new Boxes(form), speaker(data.texts, language)];
    if (form.dataset.draft) new DraftKeeper(form, boxes, say);
    if (form.dataset.read) new Reader(form, boxes, say);
  }
  for (const receipt of document.querySelectorAll("[data-receipt]")) {
    new LocalCopy(receipt.dataset.person, receipt.dataset.receipt).clear();
  }
}

begin();
