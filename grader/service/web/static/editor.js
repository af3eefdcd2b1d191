// The editor: what is typed is looked at on the server after a pause, and the newest answer is shown.
import "./ply-build.js";

const PAUSE = 300;
const form = document.querySelector("form.writing");
const box = form.querySelector("#document");
const build = form.querySelector("ply-build");
const shown = form.querySelector(".look");
let asked = 0;
let timer = 0;

const source = {
  get text() { return box.value; },
  set text(text) { box.value = text; later(); },
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
  shown.innerHTML = html;
  if (marks && shown.querySelector("#marks")) shown.querySelector("#marks").value = marks;
  form.querySelector(".recipe").toggleAttribute("data-idle", shown.querySelector(".state").dataset.kind !== "recipe/1");
}

async function addQuestion() {
  const answer = await post(form.dataset.ask, { ask: shown.querySelector("#ask").value, marks: shown.querySelector("#marks").value });
  const found = await answer.json();
  shown.querySelector(".asking .said").textContent = answer.ok ? "" : found.detail;
  if (answer.ok) { source.text = found.text; build.refresh(); }
}

function goTo(line, column) {
  const lines = box.value.split("\n");
  const row = Math.min(line, lines.length) - 1;
  const start = lines.slice(0, row).reduce((sum, each) => sum + each.length + 1, 0);
  box.focus();
  box.setSelectionRange(start + Math.min(column - 1, lines[row].length), start + lines[row].length);
}

document.documentElement.classList.add("scripted");
build.connect(source);
let typing = 0;
box.addEventListener("input", () => {
  later();
  clearTimeout(typing);
  typing = setTimeout(() => build.refresh(), PAUSE);
});
shown.addEventListener("click", (event) => {
  const link = event.target.closest("[data-line]");
  if (link) { event.preventDefault(); goTo(Number(link.dataset.line), Number(link.dataset.column)); }
  if (event.target.closest("button[data-ask]")) addQuestion();
});
form.addEventListener("submit", async (event) => {
  if (event.submitter?.value !== "preview") return;
  event.preventDefault();
  event.submitter.disabled = true;
  const answer = await post(form.dataset.preview, { seed: form.elements.seed.value });
  form.querySelector(".preview").innerHTML = answer.ok ? await answer.text() : "";
  event.submitter.disabled = false;
});
