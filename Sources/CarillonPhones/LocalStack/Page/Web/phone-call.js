// A call over everything on the phone's screen: who calls, and what can be done about it.

import { h, icon, reconcile, setText } from "./dom.js";
import { playOut } from "./note-list.js";
import { phoneIcons } from "./phone-icons.js";
import { worded } from "./settings-words.js";

const pictures = {
  up: phoneIcons.call,
  down: "M3 15.5v-2C5.5 10.6 8.6 9.5 12 9.5s6.5 1.1 9 4v2a1.5 1.5 0 0 1-1.8 1.5l-2.7-.6a1.5 1.5 0 0 1-1.2-1.5v-1.6a12 12 0 0 0-6.6 0v1.6a1.5 1.5 0 0 1-1.2 1.5l-2.7.6A1.5 1.5 0 0 1 3 15.5",
};

/** Shows the phone's calls in `slot`, the one that rings first, and tells the phone what is done about them. */
export function showCalls(slot, { calls, app, screen: shown }, send) {
  const first = calls.find(({ state }) => state === "ringing") ?? calls[0];
  reconcile(slot, first ? [first] : [], {
    key: ({ id }) => id,
    create: (call) => callScreen(call, send),
    update: (screen, call) => screen.show(call, app.name, shown !== "lock"),
    leave: (screen) => playOut(screen),
  });
}

function callScreen({ id }, send) {
  const name = h("h3", { class: "call-name" });
  const state = h("p", { class: "call-state" });
  const button = (kind, picture, label, command) =>
    h("button", { type: "button", class: `call-button call-${kind}`, on: { click: () => send(command, { call: id }) } },
      h("span", { class: "call-circle" }, icon(pictures[picture])), h("span", worded(label)));
  const decline = button("end", "down", "Decline", "decline-call");
  const accept = button("accept", "up", "Accept", "answer-call");
  const end = button("end", "down", "End", "end-call");
  const element = h("div", { class: "call", role: "alertdialog", "aria-modal": "true" }, state, name,
    h("div", { class: "call-buttons" }, decline, accept, end));
  /** Somebody has made the banner as large as the screen. */
  let isWhole = false;
  let isCompact = false;
  element.addEventListener("click", ({ target }) => {
    if (!isCompact || target.closest("button")) return;
    isWhole = true;
    element.classList.remove("compact");
  });
  return Object.assign(element, {
    show(call, app, isUnlocked) {
      const rings = call.state === "ringing";
      setText(name, call.name);
      setText(state, rings ? `${app} ${call.video ? "Video" : "Audio"}…` : call.state === "active" ? `${app} · active` : `${app} · connecting…`);
      element.setAttribute("aria-label", `${rings ? "Incoming call" : "Call"}: ${call.name}`);
      element.dataset.state = call.state;
      isCompact = rings && isUnlocked && !isWhole;
      element.classList.toggle("compact", isCompact);
      // A banner leaves the rest of the screen to the person.
      element.setAttribute("aria-modal", String(!isCompact));
      for (const part of [decline, accept]) part.hidden = !rings;
      end.hidden = rings;
    },
  });
}
