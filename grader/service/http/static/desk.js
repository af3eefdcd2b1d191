// What the desk's pages do better with script: the browser's zone, files into boxes, lists that ask again, nodes that
// lead to the answers behind them. All of it can be done without.

const AGAIN = 5_000;

const zone = document.querySelector('select[data-guess="yes"]');
if (zone) {
  const mine = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...zone.options].some((each) => each.value === mine)) zone.value = mine;
}

for (const file of document.querySelectorAll("input[type=file][data-into]")) {
  file.closest(".from-file").hidden = false;
  file.addEventListener("change", async () => {
    if (file.files[0]) document.getElementById(file.dataset.into).value = await file.files[0].text();
  });
}

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

for (const button of document.querySelectorAll("[data-sure]")) {
  button.addEventListener("click", (event) => { if (!confirm(button.dataset.sure)) event.preventDefault(); });
}

/** The same part of the page as it is now; nothing happens while somebody is at work in it. */
async function renew(part, address) {
  if (document.hidden || part.contains(document.activeElement)) return;
  const answer = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-live]");
  if (fresh && fresh.innerHTML !== part.innerHTML) part.replaceChildren(...document.adoptNode(fresh).childNodes);
}

const live = document.querySelector("[data-live]");
if (live) setInterval(renew, AGAIN, live, live.dataset.live);

if (document.querySelector("[data-again]")) setTimeout(() => location.reload(), 1_000);

for (const tree of document.querySelectorAll("[data-answers]")) {
  const nodes = new Set(tree.dataset.nodes.split(" "));
  for (const node of tree.querySelectorAll("[data-node]")) {
    const name = node.dataset.node;
    if (!nodes.has(name)) continue;
    node.classList.add("to-answers");
    const part = tree.dataset.part ? `part=${tree.dataset.part}&` : "";
    node.addEventListener("click", () => location.assign(`${tree.dataset.answers}?${part}node=${encodeURIComponent(name)}`));
  }
}
