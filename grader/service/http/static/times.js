// Times on a page: the server's clock goes on, the reader's own time stands beside the course's, minutes run down.

const MINUTE = 60_000;
const SHAPE = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const language = document.documentElement.lang;
const calendar = language === "fa" ? "fa-IR-u-ca-gregory" : language;
const mine = Intl.DateTimeFormat().resolvedOptions().timeZone;

const shown = (date, timeZone) => new Intl.DateTimeFormat(calendar, { ...SHAPE, timeZone }).format(date);

/** Beside a time in the course's zone, what the reader's clock will show, if that is something else. */
function addOwnTime(time, words) {
  const date = new Date(time.dateTime);
  if (shown(date, mine) === shown(date, time.dataset.zone)) return;
  const beside = document.createElement("span");
  beside.className = "own-time";
  beside.textContent = ` (${words} ${shown(date, mine)})`;
  time.after(beside);
}

function tick(clock, ahead) {
  const date = new Date(Date.now() + ahead);
  clock.textContent = shown(date, clock.dataset.zone);
}

function runDown(left, ahead) {
  const minutes = Math.ceil((new Date(left.dataset.ends) - Date.now() - ahead) / MINUTE);
  const count = new Intl.NumberFormat(calendar).format(minutes);
  const { one, many, over } = left.dataset;
  left.textContent = minutes <= 0 ? over : minutes === 1 ? one : many.replace("{n}", count);
}

const clock = document.querySelector("time.ticking");
if (clock) {
  const ahead = new Date(clock.dateTime) - Date.now();
  for (const time of document.querySelectorAll("time.when")) addOwnTime(time, clock.dataset.mine);
  if (Intl.DateTimeFormat().resolvedOptions().timeZone) setInterval(tick, 10_000, clock, ahead);
}
const left = document.querySelector("[data-ends]");
if (left) {
  const ahead = new Date(left.dataset.now) - Date.now();
  runDown(left, ahead);
  setInterval(runDown, 5_000, left, ahead);
}
