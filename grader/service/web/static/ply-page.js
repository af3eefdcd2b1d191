// Small things that the scripts of the answer sheet share.

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
