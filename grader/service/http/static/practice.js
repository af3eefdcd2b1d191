/* What was practised is kept in this browser alone: by mistake, how often it was made, and avoided in a row. */
const KEY = "plymark-practice";
const IN_A_ROW = 2;
const MOST_SEEN = 500;

export function empty() { return { plymark: "practice/1", mistakes: {}, seen: [] }; }

export function noted(record, exercise, evidence) {
  if (record.seen.includes(exercise)) return record;
  const mistakes = { ...record.mistakes };
  for (const [mistake, what] of Object.entries(evidence)) {
    const { made, avoided } = mistakes[mistake] ?? { made: 0, avoided: 0 };
    mistakes[mistake] = what === "made" ? { made: made + 1, avoided: 0 } : { made, avoided: avoided + 1 };
  }
  return { ...record, mistakes, seen: [...record.seen, exercise].slice(-MOST_SEEN) };
}

export function gone(of) { return of.avoided >= IN_A_ROW; }

export function sound(data) {
  const whole = (number) => Number.isInteger(number) && number >= 0;
  return data?.plymark === "practice/1" && Array.isArray(data.seen) && data.seen.every((each) => typeof each === "string")
    && typeof data.mistakes === "object" && data.mistakes !== null
    && Object.values(data.mistakes).every((of) => whole(of?.made) && whole(of?.avoided));
}

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return sound(found) ? found : empty();
  } catch { return empty(); }
}

function keep(record) { try { localStorage.setItem(KEY, JSON.stringify(record)); } catch { /* a browser that keeps nothing */ } }

function still(record) { return Object.keys(record.mistakes).filter((name) => record.mistakes[name].made > 0 && !gone(record.mistakes[name])); }

const result = globalThis.document?.querySelector("[data-practice-evidence]");
if (result) {
  const record = noted(kept(), result.dataset.exercise, JSON.parse(result.dataset.practiceEvidence));
  keep(record);
  const follow = result.querySelector(".follow");
  const [mistake] = still(record);
  if (follow && mistake && !result.querySelector(".ways-on .main")) {
    follow.href = `${follow.dataset.next}&mistake=${encodeURIComponent(mistake)}`;
    follow.hidden = false;
  }
}

const page = globalThis.document?.querySelector("#progress");
if (page) {
  const texts = JSON.parse(page.querySelector("script").textContent);
  const rows = page.querySelector("tbody");
  const said = page.querySelector(".said");
  const cell = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  const show = () => {
    const record = kept();
    const names = Object.keys(texts.mistakes).filter((name) => record.mistakes[name]);
    rows.replaceChildren(...names.map((name) => {
      const of = record.mistakes[name];
      const state = of.made === 0 ? texts.never : gone(of) ? texts.gone : of.avoided ? texts.once : texts.made;
      const row = document.createElement("tr");
      const head = cell("th", texts.mistakes[name].title);
      head.scope = "row";
      const last = document.createElement("td");
      if (of.made > 0 && !gone(of)) {
        const link = cell("a", texts.practise);
        link.className = "button";
        link.href = `${page.dataset.next}&mistake=${encodeURIComponent(name)}`;
        link.setAttribute("aria-label", `${texts.practise}: ${texts.mistakes[name].title}`);
        last.append(link);
      }
      row.append(head, cell("td", state), last);
      return row;
    }));
    page.querySelector(".scroll").hidden = !names.length;
    page.querySelector(".empty").hidden = names.length > 0;
  };
  page.hidden = false;
  show();
  page.querySelector("#export").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(kept(), null, 1)], { type: "application/json" }));
    link.download = "plymark-practice.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  page.querySelector("#clear").addEventListener("click", () => { keep(empty()); show(); });
  page.querySelector("#import").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    said.textContent = "";
    try {
      const found = JSON.parse(await file.text());
      if (!sound(found)) throw new Error();
      keep(found);
    } catch { said.textContent = texts.bad; }
    event.target.value = "";
    show();
  });
}
