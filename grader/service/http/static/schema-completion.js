// What can be written where the cursor is: keys and words of the schemas, and names that the document itself has.
import { startCompletion } from "./vendor/codemirror.js";
import { placeAt } from "./yaml-place.js";

const TURNS = ["max", "min", "chance", "or", "and"];
const HEADER = "plymark";

/** A completion source; `offers` is what the server says of the schemas, `nodes` the names of nodes that are drawn. */
export function completeFrom(offers, nodes = []) {
  return (context) => {
    const text = context.state.doc.toString();
    const place = placeAt(text, context.pos);
    if (!place || (place.from === context.pos && !context.explicit && !/[\s{[,]/.test(text[context.pos - 1] ?? ""))) return null;
    const options = optionsAt(offers, text, place, nodes);
    return options.length ? { from: place.from, options, validFor: /^[^\s,:[\]{}#"']*$/ } : null;
  };
}

/** `[{label, type, detail, text, …}]`; a pure function of what the schemas say, a text and a place in it. */
export function optionsAt(offers, text, place, nodes = []) {
  const kind = text.match(/^plymark:\s*["']?([\w/]+)/m)?.[1];
  const known = offers[kind];
  if (place.path.length === 1 && place.path[0] === HEADER && place.expects === "value")
    return Object.entries(offers).map(([name, each]) => option(name, "enum", each.root.text));
  if (!known) return place.path.length || place.expects !== "key" || place.siblings.has(HEADER) ? [] : [keyed(HEADER, Object.values(offers)[0].root.keys[HEADER], place)];
  const shapes = place.path.reduce((found, step) => below(known, found, step), expanded(known, [known.root]));
  const options = [];
  if (place.expects !== "value") options.push(...keys(shapes, place));
  if (place.expects !== "key") options.push(...words(shapes, written(text, nodes)));
  return options.map((each, index) => ({ ...each, boost: -index / 2 }));
}

function expanded(known, shapes) {
  const found = [];
  for (const shape of shapes) if (shape && !found.includes(shape)) found.push(shape, ...expanded(known, (shape.also ?? []).map((name) => known.shapes[name])));
  return found;
}

function below(known, shapes, step) {
  const next = shapes.map((shape) => (typeof step === "number" ? shape.items : shape.keys?.[step] ?? shape.any));
  return expanded(known, next.filter(Boolean));
}

function* keys(shapes, place) {
  const apart = new Set(shapes.flatMap((shape) => Object.entries(shape.unless ?? {}).flatMap(([key, by]) => by[place.siblings.get(key)] ?? [])));
  const told = new Set(place.siblings.keys());
  for (const shape of shapes)
    for (const [key, inner] of Object.entries(shape.keys ?? {}))
      if (!told.has(key) && !apart.has(key)) { told.add(key); yield keyed(key, inner, place); }
}

function* words(shapes, names) {
  const told = new Set();
  for (const shape of shapes) {
    const groups = [["enum", shape.values ?? []], ["variable", shape.from ? names[shape.from] : []], ["text", shape.examples ?? []]];
    for (const [type, each] of groups)
      for (const word of each.map(String)) if (!told.has(word)) { told.add(word); yield option(word, type, shape.text, type === "text" ? shape.title : ""); }
  }
}

const option = (label, type, text = "", detail = "") => ({ label, type, detail, ...(text ? { info: () => said(text) } : {}), text });

/** Schemas are in English, whatever the page is in. */
function said(text) {
  const made = document.createElement("p");
  made.lang = "en";
  made.dir = "ltr";
  made.textContent = text;
  return made;
}

function keyed(key, shape, place) {
  const title = shape.title && shape.title.toLowerCase() !== key ? shape.title : "";
  return { ...option(key, "property", shape.text, title), apply: (view, _, from, to) => insertKey(view, key, shape, place, from, to) };
}

/** A key with what always follows it: a list of mappings begins on the next line. */
function insertKey(view, key, shape, place, from, to) {
  const already = /^[ \t]*:/.test(view.state.sliceDoc(to, to + 20));
  const inLines = !place.flow && shape.items?.also && !shape.keys && !shape.examples && key !== "children";
  const after = already ? "" : inLines ? `:\n${" ".repeat(place.column + 2)}- ` : ": ";
  view.dispatch({ changes: { from, to, insert: key + after }, selection: { anchor: from + key.length + after.length }, userEvent: "input.complete" });
  if (shape.values || shape.from || shape.also?.length) setTimeout(() => startCompletion(view));
}

/** Names that the document has by now: of nodes, moves, unknowns and players. */
export function written(text, nodes = []) {
  const after = (key) => [...text.matchAll(new RegExp(`(?:^|[\\s{,-])${key}:[ \\t]*["']?([^\\s,:\\[\\]{}#"']+)`, "g"))].map((each) => each[1]);
  const list = (key) => text.match(new RegExp(`(?:^|\\s)${key}:\\s*\\[([^\\]]*)\\]`))?.[1].split(",").map((each) => each.trim().replace(/^["']|["']$/g, "")).filter(Boolean) ?? [];
  const players = list("players");
  const body = text.slice(0, Math.max(0, text.search(/^questions:/m)) || undefined);
  const ids = [...body.matchAll(/(?:^|[\s{,-])id:[ \t]*["']?([^\s,:[\]{}#"']+)/g)].map((each) => each[1]);
  const top = text.match(/^id:[ \t]*["']?([^\s,:[\]{}#"']+)/m)?.[1];
  const flat = [...(text.match(/^\s*nodes:[ \t]*\n((?:[ \t]+.*\n?|\s*\n)*)/m)?.[1] ?? "").matchAll(/^\s*([^\s,:[\]{}#"']+):\s*(?:\{|$)/gm)].map((each) => each[1]).filter((each) => each !== "children");
  return {
    ids: [...new Set([...nodes, ...ids.filter((each) => each !== top), ...flat])],
    moves: [...new Set(after("move"))],
    unknowns: list("unknowns"),
    turns: players.length ? [...players, "chance"] : TURNS,
  };
}
