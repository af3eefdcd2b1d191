/* A live exercise: what is so now comes as an event, on the phone and on the projector. Without it the page is loaded
   again by hand. What was typed is never touched. */
const AGAIN = 5_000;
const INSTEAD = { close: "open", open: "close", judge: "plain", plain: "judge", previous: "next", nothing: "next" };

class Live {
  #place; #part; #said; #lost; #source = null;

  constructor(place) {
    this.#place = place;
    [this.#part, this.#said, this.#lost] = [".live-part", ".live-said", ".live-lost"].map((each) => place.querySelector(each));
    this.#listen();
    // A browser may have let go of the stream while the page was not seen.
    document.addEventListener("visibilitychange", () => { if (!document.hidden && this.#source.readyState === EventSource.CLOSED) this.#listen(); });
  }

  #listen() {
    this.#source?.close();
    const source = this.#source = new EventSource(this.#place.dataset.live);
    source.addEventListener("open", () => { this.#lost.hidden = true; });
    source.addEventListener("state", ({ data }) => this.#show(JSON.parse(data)));
    source.addEventListener("error", () => {
      this.#lost.hidden = false;
      // The browser comes back by itself, but not after it was refused.
      if (source.readyState === EventSource.CLOSED) setTimeout(() => { if (this.#source === source) this.#listen(); }, AGAIN);
    });
  }

  #show({ html, said, open, ...rest }) {
    this.#lost.hidden = true;
    const made = new DOMParser().parseFromString(html, "text/html");
    const focused = this.#part.contains(document.activeElement) ? document.activeElement.className : null;
    this.#part.replaceChildren(...made.body.childNodes);
    if (focused) this.#part.getElementsByClassName(focused)[0]?.focus({ preventScroll: true });
    if (this.#said && this.#said.textContent !== said) this.#said.textContent = said;
    if (open !== undefined) for (const button of document.querySelectorAll(".live-form .send")) button.disabled = !open;
    for (const [name, value] of Object.entries(rest)) this.#place.dataset[name] = value;
    if (rest.state) offer(new Set(rest.state.split(" ")));
  }
}

/** Buttons for which there is something to do; who pressed one that goes is at the one that takes its place. */
function offer(states) {
  for (const button of document.querySelectorAll("[data-when]")) {
    const gone = !states.has(button.dataset.when), pressed = button === document.activeElement;
    button.hidden = gone;
    if (gone && pressed) queueMicrotask(() => (button.parentElement.querySelector(`[value=${INSTEAD[button.value]}]`) ?? document.querySelector("main")).focus());
  }
}

/** The teacher's buttons: the page stays, and the stream tells what became of it. */
function quietly(form) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form, event.submitter));
    try {
      const answer = await fetch(form.action, { method: "POST", body, redirect: "manual", credentials: "same-origin" });
      if (answer.type !== "opaqueredirect" && !answer.ok) location.reload();
    } catch {
      location.reload();
    }
  });
}

for (const place of document.querySelectorAll("[data-live]")) new Live(place);
for (const form of document.querySelectorAll("form.controls")) quietly(form);
for (const button of document.querySelectorAll("[data-sure]")) {
  button.addEventListener("click", (event) => { if (!confirm(button.dataset.sure)) event.preventDefault(); });
}
