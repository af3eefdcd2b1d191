/* A long tree goes with the form, and a problem's line is selected in the box. */
const form = document.querySelector("form.trying");
const box = form?.querySelector("textarea");
form?.addEventListener("submit", (event) => {
  if (event.submitter?.formMethod === "post") { form.elements.csrf.disabled = false; return; }
  if (box.value.length > Number(form.dataset.longest)) { form.method = "post"; form.elements.csrf.disabled = false; }
});
for (const link of document.querySelectorAll("[data-line]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const lines = box.value.split("\n");
    const line = Math.min(Number(link.dataset.line), lines.length) - 1;
    const start = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
    const at = start + Math.min(Number(link.dataset.column) - 1, lines[line].length);
    box.focus();
    box.setSelectionRange(at, start + lines[line].length);
  });
}
const share = document.querySelector("#share");
if (share) share.value = new URL(share.value, location.href).href;
