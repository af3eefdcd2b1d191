// Where in a YAML text a place is: in which keys and lists, and whether a key or a value is written there. The text need
// not be whole: only what stands before the place counts, line by line.

const KEY = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#[\]{},&*!|>'"%@`][^#]*?)[ \t]*:(?=\s|$)/;
const WORD = /[^\s,:[\]{}#"']*$/;

const bare = (text) => text.trim().replace(/^(["'])(.*)\1$/s, "$2");

/** `{path, expects, from, siblings, column, flow}` of a place, or null where nothing can be offered: in a comment, in a
 * text of several words. `path` has keys and, for lists, numbers; `siblings` is what the mapping says beside it. */
export function placeAt(text, at) {
  const from = at - text.slice(text.lastIndexOf("\n", at - 1) + 1, at).match(WORD)[0].length;
  const found = new Reading(text.slice(0, from)).end();
  if (!found) return null;
  const { stack, expects, column } = found;
  const inner = stack.at(-1);
  const siblings = new Map(inner?.keys ?? []);
  if (expects === "key" && inner?.kind === "map") for (const [key, value] of later(text.slice(at), inner)) siblings.set(key, value);
  return { path: stack.map((each) => each.key).filter((key) => key !== null), expects, from, siblings, column, flow: Boolean(inner?.flow) };
}

/** Pairs of the same mapping behind the place. */
function* later(rest, map) {
  if (map.flow) {
    const own = rest.slice(0, closing(rest)).replace(/[[{][^[\]{}]*[\]}]/g, "");
    for (const pair of own.matchAll(/([\w-]+)\s*:\s*([^,\n]*)/g)) yield [pair[1], bare(pair[2])];
    return;
  }
  for (const line of rest.split("\n").slice(1)) {
    const indent = line.search(/\S/);
    if (indent < 0 || line[indent] === "#" || indent > map.column) continue;
    const key = indent === map.column ? line.slice(indent).match(KEY) : null;
    if (!key) return;
    yield [bare(key[1]), bare(line.slice(indent + key[0].length).replace(/(^|\s)#.*/, ""))];
  }
}

function closing(rest) {
  let depth = 0;
  for (let at = 0; at < rest.length; at += 1) {
    if ("[{".includes(rest[at])) depth += 1;
    else if ("]}".includes(rest[at]) && (depth -= 1) < 0) return at;
  }
  return rest.length;
}

/** What is open at the end of a text: a stack of maps and lists, each with the key or number that is being written. */
class Reading {
  #stack = [];
  #token = "";
  #quote = "";
  #block = -1;
  #said = null;

  constructor(text) {
    const lines = text.split("\n");
    this.last = lines.pop();
    for (const line of lines) this.#line(line);
  }

  get #top() { return this.#stack.at(-1); }

  end() {
    const line = this.last;
    const indent = line.length - line.trimStart().length;
    if (this.#block >= 0 && (!line.trim() || indent > this.#block)) return null;
    if (!this.#top?.flow && !line.trim()) return this.#blank(line.length);
    this.#said = { expects: null, column: indent };
    this.#line(line);
    return this.#said?.expects && !this.#quote ? { stack: this.#stack, ...this.#said } : null;
  }

  /** At the beginning of a line: the next key of a mapping that stands there, or the first below a key. */
  #blank(column) {
    while (this.#top && this.#top.column > column) this.#stack.pop();
    const top = this.#top;
    if (!top) return { stack: [], expects: "key", column };
    if (top.column === column && top.kind === "map") { top.key = null; return { stack: this.#stack, expects: "key", column }; }
    if (top.column < column && (top.kind === "list" || !top.keys.get(top.key))) return { stack: this.#stack, expects: "either", column };
    return null;
  }

  #line(line) {
    if (this.#top?.flow) { this.#flow(line); return; }
    let column = line.search(/\S/);
    if (this.#block >= 0) {
      if (column < 0 || column > this.#block) return;
      this.#block = -1;
    }
    if (column < 0 || line[column] === "#") { if (this.#said) this.#said.expects = null; return; }
    let rest = line.slice(column);
    while (this.#top && (this.#top.column > column || (this.#top.column === column && this.#top.kind === "list" && !/^-(\s|$)/.test(rest)))) this.#stack.pop();
    while (/^-(\s|$)/.test(rest)) {
      const top = this.#top;
      if (top?.kind === "list" && top.column === column) top.key += 1;
      else this.#stack.push({ kind: "list", column, key: 0, flow: false });
      const more = rest.slice(1).match(/^\s*/)[0].length + 1;
      column += more;
      rest = rest.slice(more);
      this.#expect("either", column);
    }
    const key = rest.match(KEY);
    if (key) {
      if (this.#top?.kind !== "map" || this.#top.column !== column) this.#stack.push({ kind: "map", column, key: null, keys: new Map(), flow: false });
      this.#top.key = bare(key[1]);
      this.#top.keys.set(this.#top.key, "");
      rest = rest.slice(key[0].length);
      this.#expect(/^\s+$/.test(rest) ? "value" : null, column);
    }
    if (rest.trim()) this.#value(rest.trimStart(), column);
  }

  #expect(what, column) { if (this.#said) this.#said = { expects: what, column }; }

  #value(rest, column) {
    if (rest[0] === "#") { this.#expect(null, column); return; }
    if (/^[|>]/.test(rest)) this.#block = this.#top?.column ?? 0;
    if ("[{".includes(rest[0])) { this.#flow(rest); return; }
    if (this.#top?.kind === "map") this.#top.keys.set(this.#top.key, bare(rest.replace(/\s#.*/, "")));
    this.#expect(null, column);
  }

  #flow(text) {
    for (let at = 0; at < text.length; at += 1) {
      const sign = text[at], top = this.#top;
      if (this.#quote) {
        this.#token += sign;
        if (sign === "\\" && this.#quote === '"') at += 1;
        else if (sign === this.#quote) this.#quote = "";
      } else if (sign === "#" && (at === 0 || /\s/.test(text[at - 1]))) {
        if (this.#said) this.#expect(null, 0);
        this.#token += " ";
        return;
      } else if (/["']/.test(sign) && !this.#token.trim()) { this.#quote = sign; this.#token += sign; }
      else if (sign === "[") this.#open("list");
      else if (sign === "{") this.#open("map");
      else if (sign === "]" || sign === "}") {
        this.#close();
        this.#stack.pop();
        if (!this.#top?.flow) { this.#expect(null, 0); return; }
      } else if (sign === "," && top?.flow) {
        this.#close();
        if (top.kind === "list") top.key += 1;
        else top.key = null;
      } else if (sign === ":" && top?.flow && top.kind === "map" && top.key === null && /^(\s|$)/.test(text.slice(at + 1))) {
        top.key = bare(this.#token);
        top.keys.set(top.key, "");
        this.#token = "";
      } else this.#token += sign;
    }
    const top = this.#top;
    if (this.#said && top?.flow) this.#expect(this.#token.trim() ? null : top.kind === "list" ? "either" : top.key === null ? "key" : "value", 0);
    this.#token += " ";
  }

  #open(kind) {
    this.#token = "";
    this.#stack.push(kind === "list" ? { kind, column: Infinity, key: 0, flow: true } : { kind, column: Infinity, key: null, keys: new Map(), flow: true });
  }

  #close() {
    const top = this.#top;
    if (top?.kind === "map" && top.key !== null && this.#token.trim()) top.keys.set(top.key, bare(this.#token));
    this.#token = "";
  }
}
