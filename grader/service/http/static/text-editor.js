// The text of a document in an editor that knows YAML. The form's own box stays what is sent: it is hidden, kept in step,
// and what somebody else writes into it (with an `input` event) is taken over.
import {
  EditorState, EditorView, HighlightStyle, autocompletion, bracketMatching, closeBrackets, closeBracketsKeymap,
  completionKeymap, defaultKeymap, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars,
  history, historyKeymap, indentOnInput, indentUnit, indentWithTab, isolateHistory, keymap, lineNumbers, lintGutter,
  lintKeymap, search, searchKeymap, setDiagnostics, syntaxHighlighting, tags, yaml,
} from "./vendor/codemirror.js";

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--muted)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.atom, tags.labelName, tags.typeName], color: "var(--cut)" },
  { tag: [tags.squareBracket, tags.brace, tags.separator, tags.punctuation], color: "var(--muted)" },
]);
const MONO = 'ui-monospace, "SF Mono", Menlo, Consolas, monospace';
const look = EditorView.theme({
  "&": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1.5px solid var(--muted)", borderRadius: "var(--round)", overflow: "hidden", fontSize: ".95rem" },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "2px" },
  ".cm-scroller": { fontFamily: MONO, lineHeight: "1.55", minHeight: "22rem", maxHeight: "70vh" },
  ".cm-content": { caretColor: "var(--ink)", padding: ".5rem 0" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--max)" },
  ".cm-gutters": { backgroundColor: "var(--soft)", color: "var(--muted)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--line)", color: "var(--ink)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--min)", color: "inherit", outline: "1px solid var(--muted)" },
  ".cm-tooltip": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1.5px solid var(--muted)", borderRadius: ".4rem", boxShadow: "0 4px 18px rgb(0 0 0 / .18)", overflow: "hidden" },
  ".cm-tooltip.cm-tooltip-autocomplete": { overflow: "visible" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: MONO, maxHeight: "20rem", minWidth: "12rem", borderRadius: ".4rem" },
  ".cm-tooltip-autocomplete > ul > li": { padding: ".22rem .7rem !important", lineHeight: "1.5" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--accent) !important", color: "var(--on-accent) !important" },
  ".cm-completionDetail": { fontFamily: "system-ui, sans-serif", fontStyle: "normal", color: "var(--muted)", marginInlineStart: "1rem" },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionInfo": { fontFamily: "system-ui, sans-serif", fontSize: ".95rem", padding: ".5rem .8rem", maxWidth: "22rem", lineHeight: "1.45" },
  ".cm-completionInfo p": { margin: "0" },
  ".cm-diagnostic": { padding: ".4rem .8rem", fontFamily: "system-ui, sans-serif", maxWidth: "34rem", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeft: ".3rem solid var(--cut)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--cut)", textDecorationSkipInk: "none", textUnderlineOffset: ".25em" },
  ".cm-gutter-lint": { width: "1.3em" },
  ".cm-lint-marker-error": { content: "none", width: ".75em", height: ".75em", margin: ".35em auto", background: "var(--cut)", borderRadius: "50%" },
  ".cm-panels": { backgroundColor: "var(--soft)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panel.cm-search": { padding: ".5rem .7rem 1rem", fontSize: ".9rem" },
  ".cm-panel.cm-search input, .cm-panel.cm-search button": { fontSize: ".9rem", minHeight: "2rem" },
  ".cm-panel.cm-search label": { fontSize: ".9rem" },
  ".cm-textfield, .cm-button": { backgroundImage: "none", backgroundColor: "var(--paper)", color: "var(--ink)", border: "1.5px solid var(--muted)", borderRadius: ".4rem" },
  ".cm-searchMatch": { backgroundColor: "var(--min)" },
});

/** `words` are what the editor itself says; `changed` is called after each change of the text. */
export function openEditor(box, { nonce, words, complete, changed }) {
  let own = false;
  const label = box.labels[0];
  label.id ||= `${box.id}-label`;
  const view = new EditorView({
    doc: box.value,
    extensions: [
      EditorView.cspNonce.of(nonce),
      EditorState.phrases.of(words),
      EditorView.contentAttributes.of({ "aria-labelledby": label.id, "aria-describedby": box.getAttribute("aria-describedby") ?? "", autocapitalize: "off", dir: "ltr", lang: "en", tabindex: "0" }),
      EditorView.editorAttributes.of({ dir: "ltr" }),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        box.value = update.state.doc.toString();
        if (!own) changed();
      }),
      lineNumbers(), lintGutter(), highlightActiveLineGutter(), highlightSpecialChars(), history(), drawSelection(),
      indentOnInput(), indentUnit.of("  "), EditorState.tabSize.of(2), bracketMatching(), closeBrackets(),
      highlightActiveLine(), search({ top: true }), EditorView.lineWrapping, yaml(), syntaxHighlighting(colours), look,
      autocompletion({ override: [complete], icons: false }),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
    ],
  });
  box.before(view.dom);
  box.hidden = true;
  label.addEventListener("click", () => view.focus());
  const take = () => replace(view, box.value);
  box.addEventListener("input", take);
  // A page that the browser shows again has the boxes as they were left.
  addEventListener("pageshow", take);
  return {
    get text() { return view.state.doc.toString(); },
    set text(text) { own = true; replace(view, text); own = false; },
    goTo(line, column) {
      const found = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      const from = Math.min(found.from + column - 1, found.to);
      view.dispatch({ selection: { anchor: from, head: Math.max(from, endOfWord(found, from)) }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
    /** `[{line, column, message}]`. */
    show(problems) {
      const { doc } = view.state;
      const found = problems.filter((each) => each.line >= 1 && each.line <= doc.lines).map(({ line, column, message }) => {
        const at = doc.line(line);
        const from = Math.min(at.from + Math.max(column, 1) - 1, at.to);
        return { from, to: endOfWord(at, from), severity: "error", message };
      });
      view.dispatch(setDiagnostics(view.state, found.sort((a, b) => a.from - b.from)));
    },
  };
}

function endOfWord(line, from) {
  const rest = line.text.slice(from - line.from);
  return from + (rest.match(/^(\[|\{|"(?:[^"\\]|\\.)*"|[^\s,\]}]+)/)?.[0].length ?? Math.min(1, rest.length));
}

/** Only what differs, as one step that can be undone. */
function replace(view, text) {
  const before = view.state.doc.toString();
  if (text === before) return;
  let start = 0, end = 0;
  const most = Math.min(before.length, text.length);
  while (start < most && before[start] === text[start]) start += 1;
  while (end < most - start && before[before.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  view.dispatch({ changes: { from: start, to: before.length - end, insert: text.slice(start, text.length - end) }, annotations: isolateHistory.of("full") });
}
