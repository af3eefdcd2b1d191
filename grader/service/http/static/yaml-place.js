// Where in a YAML text a place is: in which keys and lists, and whether a key or a value is written there. The text need
// not be whole: a mark stands for the word that is being written, and the editor's own parser says where the mark is.
import { yaml } from "./vendor/codemirror.js";

const { parser } = yaml().language;
const MARK = "\u2038";
const WORD = /[^\s,:[\]{}#"']*/;
const PLAIN = ["Literal", "QuotedLiteral"];

/** `{path, expects, from, siblings, column, flow}` of a place, or null where nothing can be offered: in a comment, in a
 * text of several words. `path` has keys and, for lists, numbers; `siblings` is what the mapping says beside it. */
export function placeAt(text, at) {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  const from = at - text.slice(line, at).match(`${WORD.source}$`)[0].length;
  const behind = text.slice(at).replace(WORD, "");
  // What comes later may not fit what is being written: then only what stands before it counts.
  return markedPlace(text.slice(0, from), behind, from - line) ?? markedPlace(text.slice(0, from), "", from - line);
}

function markedPlace(before, behind, column) {
  const starts = /^[ \t]*(-[ \t]+)*$/.test(before.slice(before.length - column));
  const text = before + MARK + (starts && !/^[ \t]*:/.test(behind) ? ":" : "") + behind;
  const mark = parser.parse(text).resolveInner(before.length, 1);
  if (mark.name !== "Literal" || text.slice(mark.from, mark.to) !== MARK) return null;
  const steps = stepsTo(mark, text);
  const own = steps.at(-1);
  if (!own || steps.some(({ key }) => key !== MARK && String(key).includes(MARK))) return null;
  const isKey = own.key === MARK;
  const siblings = new Map(isKey ? pairsOf(own.inside, text).filter(([key]) => key !== MARK) : []);
  // An item of a list, and the first word below a key, may become a key or a text.
  const isOpen = isKey ? starts && !own.flow && steps.length > 1 && !siblings.size : typeof own.key === "number";
  const path = steps.map(({ key }) => key).filter((key) => key !== MARK);
  const expects = isOpen ? "either" : isKey ? "key" : "value";
  return { path, expects, from: before.length, siblings, column, flow: own.flow };
}

/** `[{key, inside, flow}]` from the outermost mapping or list inwards: the key or number under which the mark is. */
function stepsTo(mark, text) {
  const steps = [];
  for (let node = mark; node.parent; node = node.parent) {
    const inside = node.parent, flow = inside.name.startsWith("Flow");
    const place = () => inside.getChildren("Item").findIndex((item) => item.from === node.from);
    if (node.name === "Item") steps.unshift({ key: place(), inside, flow });
    else if (node.name === "Pair" && !isCutShort(node, mark)) steps.unshift({ key: keyOf(node, text), inside, flow });
  }
  return steps;
}

/** In a list that is not closed the parser takes what comes last for the key of a pair without braces. */
function isCutShort(pair, mark) {
  const braced = pair.parent.name !== "FlowMapping" || pair.parent.getChild("{");
  return !braced && pair.getChild("Key")?.to >= mark.from;
}

function pairsOf(mapping, text) {
  return mapping.getChildren("Pair").map((pair) => {
    const value = pair.lastChild;
    return [keyOf(pair, text), PLAIN.includes(value.name) ? bare(text.slice(value.from, value.to)) : ""];
  });
}

function keyOf(pair, text) {
  const key = pair.getChild("Key");
  return key ? bare(text.slice(key.from, key.to)) : "";
}

const bare = (text) => text.trim().replace(/^(["'])(.*)\1$/s, "$2");
