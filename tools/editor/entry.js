// What grader/service/http/static uses of CodeMirror, and nothing else: the rest is left out of the vendored file.
export { Compartment, EditorState, Transaction } from "@codemirror/state";
export {
  EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
} from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
export { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { yaml } from "@codemirror/lang-yaml";
export { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
export { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, startCompletion } from "@codemirror/autocomplete";
export { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
export { tags } from "@lezer/highlight";
