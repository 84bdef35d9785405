// The inbox of the simulated APNs: its list, and the push that is chosen, which the address names as #/42.

import { setAttribute, setText } from "./dom.js";
import { listen, loadPush, loadPushes, loadSimulator } from "./inbox-api.js";
import { drawDetail, drawNothing } from "./push-detail.js";
import { createList } from "./push-list.js";

const main = document.getElementById("inbox");
const detail = document.getElementById("detail");
const connection = document.getElementById("connection");

let query = { search: "", outcome: "" };
/** The cursor of the page that is shown; `null` for the newest, which goes on by itself. */
let before = null;
let older = null;
let isLoading = false;
let isStale = false;

const say = (state, words) => {
  setAttribute(connection, "data-state", state);
  setText(connection, words);
};

/** One call at a time: what rings meanwhile is one further call, not many. */
async function refresh() {
  isStale = true;
  if (isLoading) return;
  isLoading = true;
  while (isStale) {
    isStale = false;
    const asked = { ...query, before };
    try {
      const page = await loadPushes(asked);
      if (asked.search !== query.search || asked.outcome !== query.outcome || asked.before !== before) continue;
      older = page.older;
      list.show(page, { isNewest: before === null, isAsked: Boolean(query.search || query.outcome) });
      say("live", before === null ? "Live" : "Older pushes");
    } catch (error) {
      say("lost", error.message);
    }
  }
  isLoading = false;
}

const list = createList(document.getElementById("pushes"), {
  ask: (asked) => {
    query = asked;
    before = null;
    refresh();
  },
  open: (number) => { location.hash = `/${number}`; },
  older: () => {
    before = older;
    refresh();
  },
  newest: () => {
    before = null;
    refresh();
  },
});

const chosen = () => Number(location.hash.match(/^#\/(\d+)$/)?.[1] ?? 0) || null;
let current = "";

async function showChosen() {
  const number = chosen();
  list.choose(number);
  main.classList.toggle("reading", number !== null);
  if (number === null) {
    current = "";
    return drawNothing(detail, "Choose a push to see its request, its answer, and what a phone makes of it.");
  }
  try {
    const push = await loadPush(number);
    if (chosen() !== number) return;
    // What is drawn already keeps its place and its selection.
    const text = JSON.stringify(push);
    if (text === current) return;
    current = text;
    drawDetail(detail, push, () => { location.hash = ""; });
  } catch (error) {
    current = "";
    if (chosen() === number) drawNothing(detail, error.message);
  }
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select") || event.altKey || event.ctrlKey || event.metaKey) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const next = step ? list.neighbour(step) : undefined;
  if (event.key === "Escape") location.hash = "";
  if (next === undefined) return;
  event.preventDefault();
  location.hash = `/${next}`;
});
window.addEventListener("hashchange", showChosen);

loadSimulator().then(
  (simulator) => setText(document.getElementById("address"), `${simulator.host}:${simulator.port} · ${simulator.environment} · ${simulator.topics.join(", ")}`),
  (error) => say("lost", error.message));
listen(() => {
  if (before === null) refresh();
  if (chosen() !== null) showChosen();
}, (isConnected) => {
  if (!isConnected) return say("lost", "Connection lost, trying again…");
  refresh();
});
showChosen();
