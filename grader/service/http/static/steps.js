/* A step is answered at the tree, too: pressing a node fills in the form, which stays the truth. */
const form = document.querySelector("#step");
const figure = document.querySelector(".led figure.tree");
const AHEAD = new Set(["ArrowRight", "ArrowDown"]);
const BACK = new Set(["ArrowLeft", "ArrowUp"]);

/** What a node means as an answer to the step; null if it means none. */
function meant(node) {
  if (form.dataset.kind === "next") return node;
  if (node === form.dataset.node) return "yes";
  return JSON.parse(form.dataset.children).includes(node) ? "no" : null;
}

/** Puts an answer into the form. */
function fill(answer) {
  if (form.dataset.kind === "next") form.elements.answer.value = answer;
  else for (const box of form.elements.answer) box.checked = box.value === answer;
}

/** Shows on the tree what the form holds. */
function show(node) {
  for (const each of figure.querySelectorAll("[data-node]")) {
    const chosen = each.dataset.node === node;
    each.classList.toggle("chosen", chosen);
    each.setAttribute("aria-selected", String(chosen));
  }
}

function choose(node) {
  const answer = meant(node);
  if (answer === null) return;
  fill(answer);
  show(node);
  form.querySelector(".chosen-node").textContent = form.dataset.said.replace("NODE", node);
}

/** Every picture has one node that the tab key comes to. */
function stopAt(picture, group) {
  for (const each of picture.querySelectorAll("[data-node]")) each.setAttribute("tabindex", each === group ? "0" : "-1");
}

function onKey(event) {
  const group = event.target.closest("[data-node]");
  if (!group || event.ctrlKey || event.metaKey || event.altKey) return;
  const all = [...group.closest("svg").querySelectorAll("[data-node]")];
  const at = all.indexOf(group);
  const places = { Home: 0, End: all.length - 1 };
  const place = AHEAD.has(event.key) ? at + 1 : BACK.has(event.key) ? at - 1 : places[event.key];
  if (event.key === "Enter" || event.key === " ") choose(group.dataset.node);
  else if (place === undefined) return;
  else if (all[place]) {
    stopAt(group.closest("svg"), all[place]);
    all[place].focus();
  }
  event.preventDefault();
}

if (form && figure && ["next", "cut"].includes(form.dataset.kind)) {
  figure.classList.add("choosing");
  figure.removeAttribute("tabindex");
  form.querySelector(".on-tree").hidden = false;
  for (const picture of figure.querySelectorAll("svg")) {
    stopAt(picture, picture.querySelector("[data-node].current") ?? picture.querySelector("[data-node]"));
  }
  figure.addEventListener("click", ({ target }) => {
    const group = target.closest("[data-node]");
    if (group) choose(group.dataset.node);
  });
  figure.addEventListener("keydown", onKey);
  form.addEventListener("change", () => show(form.dataset.kind === "next" ? form.elements.answer.value : ""));
  if (form.dataset.kind === "next") show(form.elements.answer.value);
}
