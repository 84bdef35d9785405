// What is known of each message, device by device: a list that can be searched.

import { h, reconcile, setText } from "./dom.js";
import { standing } from "./message-words.js";
import { createMessage } from "./timeline-message.js";
import { createRedraw } from "./redraw.js";

/** Messages that are drawn at first, and added by each press of the button below them. */
const step = 10;
/** Between two drawings, ms: the steps of a message come faster than they are read. */
const pause = 200;
/** As long, ms, after a pointer has moved over the messages, they keep their places: what it is about to press stays under it. */
const aiming = 1500;

const filters = [["", "All"], ["shown", "Shown"], ["unseen", "Not shown"], ["ended", "Recalled, expired"], ["apns", "Directly to APNs"]];

/**
 * @param {object} options `recall(id)`; `readElsewhere(id)`: says that its reader has read it on another device, where the page knows the reader; `steer(id, change)`; `again(message)`: a function that sends it again, or `null`; `describe(device)`: the
 *   `id` and `name` under which the page shows a device, and `why` the message is not to be seen there, where that is
 *   known; a page that sees the devices adds `signal()`: `words`, a sentence about the screen, and the `tone` of what it means (`moving`, `good`, `ended`, `stopped`), `isGone()`, `isFormer()`, of an installation that is no
 *   more, and `light(isOn)` for its card; `emptyText`: said while there is no message
 */
export function createTimeline({ recall, readElsewhere, steer, again = () => null, describe, emptyText }) {
  const messages = new Map();
  let limit = step;
  /** In pixels. Asked when it changes, not with each drawing, which would lay the page out once more. */
  let width = 0;
  const list = h("ol", { class: "messages" });
  const empty = h("p", { class: "empty", text: emptyText });
  const search = h("input", { type: "search", class: "timeline-search", placeholder: "Search", "aria-label": "Search titles, ids and states", autocomplete: "off" });
  const filter = h("select", { class: "timeline-filter", "aria-label": "Which messages" }, filters.map(([value, text]) => h("option", { value, text })));
  const older = h("button", { type: "button", class: "quiet older", on: { click: () => { limit += step; redraw(); } } });
  const tools = h("div", { class: "timeline-tools", role: "search" }, search, filter);
  const element = h("div", { class: "timeline" }, tools, empty, list, older);
  for (const [control, event] of [[search, "input"], [filter, "change"]]) {
    control.addEventListener(event, () => {
      limit = step;
      redraw();
    });
  }

  const note = (account) => {
    messages.set(account.id, { ...messages.get(account.id), ...account });
    redraw();
  };
  const steered = async (id, change) => note({ id, state: (await steer(id, change)).state });
  /** The messages that keep their places, by their ids, and until when. */
  const held = { ids: new Set(), until: -Infinity, at: "", timer: null };
  const aim = ({ clientX, clientY }) => {
    // A browser may say that a pointer has moved when what lies under it has.
    if (held.at === `${clientX} ${clientY}`) return;
    held.at = `${clientX} ${clientY}`;
    if (performance.now() > held.until) held.ids = new Set([...list.children].map(({ dataset }) => dataset.message));
    held.until = performance.now() + aiming;
  };
  for (const event of ["pointermove", "pointerdown"]) list.addEventListener(event, aim, { passive: true });
  list.addEventListener("pointerleave", () => {
    held.until = -Infinity;
    if (messages.size > held.ids.size) redraw();
  });
  const redraw = createRedraw(() => {
    const rest = held.until - performance.now();
    const isHeld = rest > 0 && held.ids.size > 0;
    clearTimeout(held.timer);
    if (isHeld) held.timer = setTimeout(redraw, rest + 1);
    const found = [...messages.values()].filter((message) => matches(message, search.value, filter.value) && (!isHeld || held.ids.has(message.id)))
      .sort((a, b) => Date.parse(b.created) - Date.parse(a.created));
    empty.hidden = found.length > 0;
    setText(empty, messages.size > 0 ? "No message matches." : emptyText);
    tools.hidden = messages.size === 0;
    older.hidden = found.length <= limit;
    setText(older, `Show older (${found.length - limit})`);
    reconcile(list, found.slice(0, limit), {
      key: (message) => message.id,
      create: () => createMessage({ recall, readElsewhere, steer: steered, again, describe }),
      update: (item, message) => item.show(message, width),
    });
  }, pause);
  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width === width) return;
    width = contentRect.width;
    redraw();
  }).observe(list);
  redraw();

  return {
    element,
    /** What the service knows of one message: its report and its timeline. */
    message: note,
    /** Forgets everything: the server is about to say it again. */
    reset() {
      messages.clear();
      redraw();
    },
    /** Takes back that nobody has answered. */
    settle() {
      for (const item of list.children) item.settle?.();
    },
    /** Lights the lanes that `matches(device, message)` picks; no others. */
    light(matches) {
      for (const item of list.children) item.light?.(matches);
    },
    /** Time has passed. */
    tick() {
      for (const item of list.children) item.tick?.();
    },
  };
}

function matches(message, words, filter) {
  const has = (...names) => message.devices.some(({ events }) => events.some(({ event }) => names.includes(event)));
  const isShown = has("shown", "opened", "acted");
  const state = standing(message);
  if (filter === "shown" && !isShown) return false;
  if (filter === "unseen" && isShown) return false;
  if (filter === "ended" && state !== "recalled" && state !== "cancelled" && state !== "expired") return false;
  if (filter === "apns" && message.origin !== "apns") return false;
  const text = [message.title, message.id, state, message.mode, ...message.devices.map(({ why }) => why)].join(" ").toLowerCase();
  return words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}
