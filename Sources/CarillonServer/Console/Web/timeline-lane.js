// One device's line of a message. A long one shows its end; the rest is folded until someone asks for it.

import { h, reconcile, setText } from "./dom.js";
import { inOrder, stepName } from "./message-words.js";
import { inWords } from "./receipt-words.js";
import { offset } from "./time.js";

/** What becomes of a message that was taken back, where the device has not confirmed that it is gone. */
const standings = {
  replaced: "A quiet notice stands in its place.",
  "pending until launch": "It goes when the app is opened, at the latest.",
};

/** How an event is coloured: what is known to have gone well, to have ended, or to have gone wrong. */
const tones = {
  accepted: "known", received: "known", shown: "good", opened: "good", acted: "good", dismissed: "ended",
  recalled: "ended", expired: "ended", cancelled: "ended", rejected: "bad", unanswered: "bad",
};

/** The room of the device's name and of the time at the end, of a step beside its words, and of the button that unfolds, in pixels. */
const room = { fixed: 186, step: 31.5, fold: 40, replaced: 112 };
/** Of a detail, in letters. */
const detailLimit = 28;
/** Narrower than this, steps may take several lines. */
const narrow = 528;

export function createLane() {
  const name = h("span", { class: "lane-name" });
  const fold = h("button", { type: "button", class: "fold", "aria-expanded": "false" });
  const steps = h("ol", { class: "steps", "aria-label": "What the service knows" });
  const time = h("time", { class: "lane-time" });
  const line = h("div", { class: "lane-line" }, fold, steps, time);
  const present = h("span", { class: "lane-now", title: "What the device itself says" });
  const notes = h("span", { class: "lane-notes" });
  const why = h("p", { class: "why", hidden: true }, present, notes);
  const element = h("li", { class: "lane" }, name, line, why);
  let shown = null;
  let isOpen = false;
  /** Of an installation that is no more: its end alone is of interest. */
  let isFormer = false;
  fold.addEventListener("click", () => {
    isOpen = !isOpen;
    draw();
  });

  function draw() {
    const { device, message, described, width } = shown;
    element.classList.toggle("former", isFormer);
    element.dataset.device = isFormer ? `${described.id}-former` : described.id;
    const all = inOrder(device.events.filter((event) => isWorthAStep(event, device.events)));
    const revision = message.revision ?? 1;
    const current = all.filter((event) => (event.revision ?? 1) >= revision && !isNotNeeded(event));
    const replaced = all.filter((event) => (event.revision ?? 1) < revision).length;
    const fitting = lastThatFit(current, width);
    const end = isOpen ? all : isFormer ? all.slice(-1) : fitting.length === all.length ? fitting : lastThatFit(current, width, replaced > 0 ? room.replaced : room.fold);
    const folded = all.length - end.length;
    element.classList.toggle("open", isOpen);
    fold.hidden = !isOpen && folded === 0;
    setText(fold, isOpen ? "Fold" : replaced > 0 ? `+${folded}, replaced` : `+${folded}`);
    fold.setAttribute("aria-expanded", String(isOpen));
    fold.setAttribute("aria-label", isOpen ? "Fold the earlier steps" : `Show ${folded} earlier steps`);
    reconcile(steps, end, {
      key: (event) => event.key, create: createStep,
      update: (step, event) => step.show(event, message.created, revision, stepName(event, device.events)),
    });
    const last = end.at(-1);
    setText(time, last ? offset(last.at, message.created) : "");
  }

  /** The countdown of an assured message. */
  element.tick = () => {
    if (!shown) return;
    const { device, described } = shown;
    const wasFormer = isFormer;
    isFormer = described.isFormer?.() ?? false;
    if (isFormer !== wasFormer) draw();
    if (isFormer) {
      why.hidden = false;
      setText(present, "Former installation: the app was deleted since. ");
      return setText(notes, "");
    }
    const { words: now = described.why, tone = "" } = described.signal?.() ?? {};
    if (element.dataset.signal !== tone) element.dataset.signal = tone;
    const left = device.stands_in_at ? Math.ceil((Date.parse(device.stands_in_at) - Date.now()) / 1000) : 0;
    const words = [left > 0 ? `An alert push follows in ${left} s unless it is shown before.` : "", described.isGone?.() ? "" : standings[device.recall]].filter(Boolean).join(" ");
    why.hidden = !now && words === "";
    setText(present, now ? `${now} ` : "");
    setText(notes, words);
  };
  element.light = (matches) => {
    if (shown) element.classList.toggle("lit", matches(shown.device, shown.message));
  };
  element.show = (device, message, described, width) => {
    shown = { device, message, described, width };
    isFormer = described.isFormer?.() ?? false;
    element.onpointerenter = () => described.light?.(true);
    element.onpointerleave = () => described.light?.(false);
    setText(name, described.name);
    name.title = described.name;
    draw();
    element.tick();
  };
  return element;
}

/** The newest steps for which one line has room; all of them where lines may wrap and there are not many. */
function lastThatFit(events, width, reserved = 0) {
  let left = width <= narrow ? width * 2 - 60 : width - room.fixed - reserved;
  const fitting = [];
  for (const event of events.toReversed()) {
    left -= room.step + textWidth(stepName(event)) + textWidth(detailOf(event).slice(0, detailLimit));
    if (left < 0 && fitting.length > 0) break;
    fitting.unshift(event);
  }
  return fitting;
}

const ruler = document.createElement("canvas").getContext("2d");
const widths = new Map();

/** How wide a text is in a step, in pixels. */
function textWidth(text) {
  if (!widths.has(text)) {
    if (widths.size > 200) widths.clear();
    ruler.font = `520 13px ${getComputedStyle(document.body).fontFamily}`;
    widths.set(text, Math.ceil(ruler.measureText(text).width));
  }
  return widths.get(text);
}

function createStep() {
  const name = h("span", { class: "step-name" });
  const detail = h("span", { class: "step-detail" });
  const time = h("time", { class: "step-time" });
  const element = h("li", { class: "step" }, name, detail, time);
  element.show = (event, start, revision, words) => {
    element.dataset.event = event.event;
    element.dataset.tone = event.purpose === "removal" ? "plain" : tones[event.event] ?? "plain";
    const isReplaced = (event.revision ?? 1) < revision;
    element.classList.toggle("is-replaced", isReplaced);
    setText(name, isReplaced ? `${words} (revision ${event.revision ?? 1}, replaced)` : words);
    setText(detail, detailOf(event));
    setText(time, offset(event.at, start));
    element.title = [offset(event.at, start), inWords(event.detail), event.apns_id && `apns-id ${event.apns_id}`].filter(Boolean).join("\n");
  };
  return element;
}

/** That a removal was sent goes without saying once APNs has answered. */
function isWorthAStep(event, all) {
  return event.event !== "sent" || event.purpose === "show" || !all.some((other) => other.apns_id === event.apns_id && other !== event);
}

/** That an alert push did not have to follow is a step of the unfolded line only. */
const isNotNeeded = ({ event, purpose }) => event === "cancelled" && purpose !== undefined && purpose !== "show";

const detailOf = ({ event, detail }) => (detail && ["rejected", "acted", "cancelled", "unanswered"].includes(event) ? detail : "");
