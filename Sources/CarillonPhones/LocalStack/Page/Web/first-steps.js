// Five steps for someone who sees the page for the first time. Each ticks itself off when it has happened, however it came about.

import { h, setAttribute, setText } from "./dom.js";
import { address } from "./stage-mode.js";

const key = "first-steps";
const has = (message, ...names) => message.devices.some(({ events }) => events.some(({ event, purpose }) => names.includes(event) && purpose !== "removal"));
const fromHere = ({ origin }) => origin !== "apns";
/** iOS asks once: who has refused allows notifications in Settings. */
const allowHint = ({ phones }) => (phones.length > 0 && phones.every(({ permission, sheet }) => permission === "denied" && !sheet)
  ? "Switch notifications on in a phone’s Settings: iOS asks only once." : "Press Allow on a phone: until then iOS shows nothing.");
const isGone = (message) => ["recalled", "cancelled"].includes(message.state) || has(message, "expired");
/** Where the newest message's card is, on a phone where it does not lie open. */
const placeHint = ({ phones, listed }) => {
  const isSeen = phones.some(({ banner, screen, id }) => banner || (screen === "lock" && listed.get(id) > 0));
  const hiding = phones.find(({ id, center_open: isOpen }) => listed.get(id) > 0 && !isOpen);
  return isSeen || !hiding ? "" : `Its banner has gone: it is in the list. Press Center below ${hiding.name}.`;
};
const tapHint = (world) => (world.messages.filter(fromHere).every(isGone)
  ? "Send one more, and click it: it is read, and leaves the other phone." : placeHint(world) || "Click its banner or card: it is read, and leaves the other phone.");
const recallHint = ({ messages }) => (messages.some((one) => fromHere(one) && !isGone(one))
  ? "Press Recall in the timeline: it leaves both phones." : "Send one more, and press Recall in the timeline: it leaves both phones.");

const steps = [
  { id: "allow", page: "why-not-shown", title: "Allow", hint: allowHint, isDone: ({ phones }) => phones.some(({ permission }) => permission === "authorized") },
  { id: "send", page: "sending", title: "Send", hint: "Press Send: it goes through the service and APNs to both phones.", isDone: ({ messages }) => messages.some(fromHere) },
  { id: "tap", page: "sending", title: "Tap", hint: tapHint, isDone: ({ messages }) => messages.some((one) => has(one, "opened", "acted")) },
  { id: "recall", page: "sending", title: "Recall", hint: recallHint, isDone: ({ messages }) => messages.some(({ state }) => state === "recalled") },
  { id: "expire", page: "sending", title: "Let one expire", hint: "Choose “In 10 seconds” under Expires, send, and wait.", isDone: ({ messages }) => messages.some((one) => has(one, "expired")) },
];

/** Which control makes a step: its own, or Send while there is no message to do it with. */
const controlOf = (id, { messages }) => ((id === "tap" || id === "recall") && messages.filter(fromHere).every(isGone) ? "send" : id);

/**
 * @returns the strip, and `look(world)` for when something has happened; `world` has `phones`, their states, `messages`, and as `listed`,
 *   by phone, how many notifications are in its list
 */
export function createFirstSteps() {
  let done = read();
  // A page on which the last step was made says so at the end, until somebody hides the steps.
  let hasJustEnded = false;
  let world = { phones: [], messages: [], listed: new Map() };
  const words = h("span", {});
  const more = h("a", { text: "Read more" });
  const hint = h("p", { class: "first-hint" }, words, " ", more);
  const items = steps.map(({ id, title }) => h("li", { class: "first-step", data: { step: id } }, h("span", { class: "first-mark", "aria-hidden": "true" }), h("span", { text: title })));
  const close = h("button", { type: "button", class: "quiet first-close", text: "Hide", on: { click: () => { hasJustEnded = false; note([...steps.map(({ id }) => id), "hidden"]); } } });
  const element = h("section", { class: "first-steps", "aria-label": "First steps", hidden: true }, h("ol", { class: "first-list" }, items), hint, close);

  function note(ids) {
    done = new Set([...done, ...ids]);
    try {
      localStorage.setItem(key, JSON.stringify([...done]));
    } catch {
      // Nothing is kept beyond this page.
    }
    draw();
  }
  function draw() {
    const next = steps.find(({ id }) => !done.has(id));
    element.hidden = !next && !hasJustEnded;
    items.forEach((item, index) => {
      const isDone = done.has(steps[index].id);
      item.classList.toggle("done", isDone);
      item.toggleAttribute("aria-current", steps[index] === next);
      setText(item.firstElementChild, isDone ? "✓" : String(index + 1));
    });
    setText(words, typeof next?.hint === "function" ? next.hint(world) : next?.hint ?? "That was all five. The guided scenes show the rest.");
    // The control of the step is marked: looks.css.
    if (next && !element.hidden) document.documentElement.dataset.step = controlOf(next.id, world);
    else delete document.documentElement.dataset.step;
    setText(more, next ? "Read more" : "Guided scenes");
    setAttribute(more, "href", address(next ? { guide: next.page } : { scene: "" }));
  }
  draw();
  // Another tab has ticked a step off, or has put everything back.
  addEventListener("storage", (event) => {
    if (event.key !== key && event.key !== null) return;
    const known = read();
    // Both have seen the last step.
    if (known.size === done.size) return;
    // The other tab was the first to see it.
    hasJustEnded = done.size < steps.length && known.size === steps.length;
    done = known;
    draw();
  });

  return {
    element,
    look(next) {
      world = next;
      const fresh = steps.filter(({ id, isDone }) => !done.has(id) && isDone(world)).map(({ id }) => id);
      hasJustEnded ||= fresh.length > 0 && done.size + fresh.length === steps.length;
      if (fresh.length > 0) note(fresh);
      else draw();
    },
  };
}

function read() {
  try {
    return new Set(JSON.parse(localStorage.getItem(key)) ?? []);
  } catch {
    return new Set();
  }
}
