// What is known of each message, device by device.

import { h, icon, reconcile, setText } from "./dom.js";
import { icons } from "./icons.js";
import { createRedraw } from "./redraw.js";
import { offset } from "./time.js";

const messageLimit = 12;

/** How an event is coloured: what is known to have gone well, to have ended, or to have gone wrong. */
const tones = {
  accepted: "known", received: "known", shown: "good", opened: "good", acted: "good", dismissed: "ended",
  recalled: "ended", expired: "ended", cancelled: "ended", rejected: "bad", unanswered: "bad",
};

/**
 * @param {object} options `recall(id)`; `describe(device)`: the `id` and `name` under which the page shows a device, and
 *   `why` the message is not to be seen there, where that is known; `emptyText`: said while there is no message
 */
export function createTimeline({ recall, describe, emptyText }) {
  const messages = new Map();
  const list = h("ol", { class: "messages" });
  const empty = h("p", { class: "empty", text: emptyText });
  const element = h("div", {}, empty, list);

  const redraw = createRedraw(() => {
    const sorted = [...messages.values()].sort((a, b) => Date.parse(b.created) - Date.parse(a.created)).slice(0, messageLimit);
    empty.hidden = sorted.length > 0;
    reconcile(list, sorted, { key: (item) => item.id, create: () => messageElement(recall), update: (item, message) => item.show(message, describe) });
  });

  return {
    element,
    /** What the service knows of one message: its report and its timeline. */
    message(account) {
      messages.set(account.id, { ...messages.get(account.id), ...account });
      redraw();
    },
    /** Forgets everything: the server is about to say it again. */
    reset() {
      messages.clear();
      redraw();
    },
    /** Time has passed. */
    tick() {
      for (const item of list.children) item.tick?.();
    },
  };
}

function messageElement(recall) {
  const title = h("strong", { class: "message-title" });
  const id = h("code", { class: "message-id" });
  const state = h("span", { class: "pill" });
  const button = h("button", { type: "button", class: "quiet recall" }, icon(icons.undo), h("span", { text: "Recall" }));
  const lanes = h("ul", { class: "lanes" });
  const nobody = h("p", { class: "empty", text: "The audience has no registered device.", hidden: true });
  const element = h("li", { class: "message" },
    h("div", { class: "message-head" }, h("span", { class: "message-names" }, title, id), state, button), lanes, nobody);
  let current = null;
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await recall(current.id);
    } catch {
      button.disabled = false;
    }
  });
  /** An expiry passes without anyone saying so. */
  element.tick = () => {
    const words = standing(current);
    setText(state, words);
    state.dataset.state = words;
  };
  element.show = (message, describe) => {
    if (message === current) return;
    current = message;
    element.dataset.message = message.id;
    setText(title, message.title || "Message");
    setText(id, message.id.length > 20 ? `${message.id.slice(0, 8)}…` : message.id);
    id.title = message.id;
    element.tick();
    button.disabled = message.state === "recalled";
    nobody.hidden = message.devices.length > 0;
    reconcile(lanes, message.devices, {
      key: (lane) => lane.device, create: laneElement,
      update: (lane, device) => lane.show(device, message, describe(device)),
    });
  };
  return element;
}

/** Where the message stands, in a word or two. */
function standing({ state, until }) {
  if (!until || state === "recalled") return state ?? "";
  const left = Math.ceil((Date.parse(until) - Date.now()) / 1000);
  if (left <= 0) return "expired";
  return left < 120 ? `expires in ${left} s` : state;
}

function laneElement() {
  const name = h("span", { class: "lane-name" });
  const steps = h("ol", { class: "steps" });
  const why = h("p", { class: "why", hidden: true });
  const element = h("li", { class: "lane" }, name, steps, why);
  element.show = (device, message, described) => {
    element.dataset.device = described.id;
    setText(name, described.name);
    reconcile(steps, device.events.filter((event) => isWorthAStep(event, device.events)), {
      key: (event) => event.key,
      create: stepElement,
      update: (step, event) => step.show(event, message.created),
    });
    why.hidden = !described.why;
    setText(why, described.why ?? "");
  };
  return element;
}

function stepElement() {
  const name = h("span", { class: "step-name" });
  const time = h("time", { class: "step-time" });
  const element = h("li", { class: "step" }, name, time);
  element.show = (event, start) => {
    element.dataset.event = event.event;
    element.dataset.tone = event.purpose === "removal" ? "plain" : tones[event.event] ?? "plain";
    setText(name, stepName(event));
    setText(time, offset(event.at, start));
    element.title = [event.detail, event.apns_id && `apns-id ${event.apns_id}`].filter(Boolean).join("\n");
    const detail = event.detail ?? "";
    if (detail && !element.querySelector(".step-detail")) name.after(h("span", { class: "step-detail" }));
    const shown = element.querySelector(".step-detail");
    if (shown) setText(shown, detail);
  };
  return element;
}

/** That a removal was sent goes without saying once APNs has answered. */
function isWorthAStep(event, all) {
  return event.event !== "sent" || event.purpose === "show" || !all.some((other) => other.apns_id === event.apns_id && other !== event);
}

/** A push that is not the message itself says what it is. */
function stepName({ event, purpose }) {
  const isReceipt = !purpose || purpose === "show";
  return isReceipt ? event : `${purpose} ${event}`;
}
