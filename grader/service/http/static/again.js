// What is being marked is looked for again, until it is there; less and less often.

const KEY = "plymark.again";
const looked = Number(sessionStorage.getItem(KEY) ?? 0);
sessionStorage.setItem(KEY, String(looked + 1));
setTimeout(() => location.reload(), Math.min(1000 * 1.5 ** looked, 30_000));
addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); });
