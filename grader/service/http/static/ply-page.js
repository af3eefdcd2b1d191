// Small things that the scripts of the answer sheet share.

// What no document may hold, and what comes along when a name is copied from a page in another direction.
const INVISIBLE = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** What a person sees of a text. */
export function seen(text) { return text.replace(INVISIBLE, "").trim(); }

/** An element with attributes and contents. */
export function element(name, attributes = {}, ...contents) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...contents);
  return made;
}

export function isNarrow() {
  return window.matchMedia("(max-width: 48rem)").matches;
}

/** `say(key, facts, count)`: the page's sentences, from the JSON that came with it. */
export function speaker(texts, language) {
  const plural = new Intl.PluralRules(language);
  return (key, facts = {}, count = null) => {
    const forms = texts[key] ?? [key];
    const form = count === null || plural.select(count) === "one" ? forms[0] : forms.at(-1);
    const known = count === null ? facts : { ...facts, count: count.toLocaleString(language) };
    return form.replace(/\{(\w+)\}/g, (whole, name) => known[name] ?? whole);
  };
}

/** Data that came with the page, in a script of the type application/json. */
export function pageData(root) {
  const found = root.querySelector('script[type="application/json"]');
  return found ? JSON.parse(found.textContent) : null;
}
