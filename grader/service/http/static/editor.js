// The editor: what is typed is looked at on the server after a pause, and the newest answer is shown.
import "./ply-build.js";
import { completeFrom } from "./schema-completion.js";
import { openEditor } from "./text-editor.js";

const PAUSE = 300;
const form = document.querySelector("form.writing");
const box = form.querySelector("#document");
const build = form.querySelector("ply-build");
const shown = form.querySelector(".look");
let asked = 0;
let timer = 0;

let offered = () => null;
let typing = 0;
let moved = null;
const nodes = new Set();

const editor = openEditor(box, {
  nonce: form.dataset.nonce,
  words: JSON.parse(form.dataset.words),
  complete: (context) => offered(context),
  changed() {
    later();
    clearTimeout(typing);
    typing = setTimeout(() => build?.refresh(), PAUSE);
  },
});

const source = {
  get text() { return editor.text; },
  set text(text) { editor.text = text; later(); },
  get csrf() { return form.elements.csrf.value; },
};

function later() {
  clearTimeout(timer);
  timer = setTimeout(look, PAUSE);
}

async function post(address, fields) {
  return fetch(address, { method: "POST", body: new URLSearchParams({ csrf: source.csrf, text: source.text, ...fields }) });
}

/** An answer that a newer question has overtaken is left out. */
async function look() {
  const mine = ++asked;
  const answer = await post(form.dataset.look, {});
  const html = await answer.text();
  if (mine !== asked || !answer.ok) return;
  const marks = shown.querySelector("#marks")?.value;
  const focused = placeOf(document.activeElement);
  shown.innerHTML = html;
  if (marks && shown.querySelector("#marks")) shown.querySelector("#marks").value = marks;
  if (focused) shown.querySelector(focused)?.focus();
  seen();
  if (build) build.hidden = shown.querySelector(".state").dataset.kind === "recipe/1";
  form.querySelector(".recipe").toggleAttribute("data-idle", shown.querySelector(".state").dataset.kind !== "recipe/1" && !("recipes" in form.dataset));
}

/** Where the focus is to return to when the part of the page is replaced. */
function placeOf(focused) {
  if (!shown.contains(focused)) return "";
  if (focused.id) return `#${focused.id}`;
  const row = moved ?? focused.closest("[data-place]")?.dataset.place;
  moved = null;
  return row === undefined ? "" : `[data-place="${row}"] [data-question="${focused.dataset.question}"]`;
}

async function changeQuestion(box) {
  const row = box.closest("[data-place]"), place = Number(row.dataset.place), op = box.dataset.question;
  const change = { op, path: [place], to: box.value ?? "" };
  const answer = await post(form.dataset.question, { change: JSON.stringify(change) });
  const found = await answer.json();
  row.closest(".wide").nextElementSibling.textContent = answer.ok ? "" : found.detail;
  if (!answer.ok) return;
  moved = place + ({ earlier: -1, later: 1 }[op] ?? 0);
  source.text = found.text;
}

async function addQuestion() {
  const answer = await post(form.dataset.ask, { ask: shown.querySelector("#ask").value, marks: shown.querySelector("#marks").value });
  const found = await answer.json();
  shown.querySelector(".asking .said").textContent = answer.ok ? "" : found.detail;
  if (answer.ok) { source.text = found.text; build?.refresh(); }
}

/** Problems are marked at their lines; the names of the nodes that are drawn can be completed. */
function seen() {
  const problems = [...shown.querySelectorAll(".problem")].map((each) => {
    const at = each.querySelector("[data-line]")?.dataset;
    return { line: Number(at?.line ?? 0), column: Number(at?.column ?? 1), message: each.querySelector("[lang]").textContent };
  });
  editor.show(problems);
  form.querySelector("[data-said]").textContent = shown.querySelector(".state strong, .state .note")?.textContent ?? "";
  const drawn = shown.querySelectorAll("figure [data-node]");
  if (drawn.length) nodes.clear();
  for (const each of drawn) nodes.add(each.dataset.node);
}

document.documentElement.classList.add("scripted");
build?.connect(source);
if (build) build.hidden = shown.querySelector(".state").dataset.kind === "recipe/1";
seen();
fetch(form.dataset.offers).then((answer) => answer.json()).then((offers) => { offered = completeFrom(offers, nodes); });
shown.addEventListener("click", (event) => {
  const link = event.target.closest("[data-line]");
  if (link) { event.preventDefault(); editor.goTo(Number(link.dataset.line), Number(link.dataset.column)); }
  if (event.target.closest("button[data-ask]")) addQuestion();
  const button = event.target.closest("button[data-question]");
  if (button) changeQuestion(button);
});
shown.addEventListener("change", (event) => { if (event.target.matches("input[data-question]")) changeQuestion(event.target); });
shown.addEventListener("keydown", (event) => { if (event.key === "Enter" && event.target.matches("input")) { event.preventDefault(); event.target.blur(); } });
async function preview() {
  const button = form.querySelector("button[value=preview]"), place = form.querySelector(".preview");
  button.disabled = true;
  place.setAttribute("aria-busy", "true");
  const { seed, drawn, other } = form.elements;
  const sent = { seed: seed.value, drawn: drawn.value, other: other?.checked ? other.value : "" };
  const answer = await post(form.dataset.preview, sent);
  place.innerHTML = answer.ok ? await answer.text() : "";
  place.removeAttribute("aria-busy");
  button.disabled = false;
}

form.addEventListener("submit", (event) => {
  if (event.submitter?.value !== "preview") return;
  event.preventDefault();
  preview();
});
// Whoever has just taken a recipe wants to see what it makes.
if (form.dataset.recipes && !form.querySelector(".preview").textContent.trim()) preview();
