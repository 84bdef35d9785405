// The question for Face ID (or Touch ID), which a locked phone asks before an action that needs its owner.

import { h, icon, reconcile } from "./dom.js";
import { playOut } from "./note-list.js";

const pictures = {
  "Face ID": "M4 8V6a2 2 0 0 1 2-2h2M16 4h2a2 2 0 0 1 2 2v2M20 16v2a2 2 0 0 1-2 2h-2M8 20H6a2 2 0 0 1-2-2v-2M8.5 9v1.5M15.5 9v1.5M12 9v4h-1M9 15.5c1.6 1.3 4.4 1.3 6 0",
  "Touch ID": "M7 19c1-2 1.3-4 1.3-6.5a3.7 3.7 0 0 1 7.4 0c0 2.5-.2 5-1 7M12 12.5c0 3-.3 5.5-1.4 8M5 15.5c.3-1 .4-2 .4-3a6.6 6.6 0 0 1 13.2 0c0 1.5 0 3-.3 4.5",
};

/** Shows what the phone asks in `slot`, and tells it the answer. */
export function showAuthentication(slot, { authentication }, send) {
  reconcile(slot, authentication ? [authentication] : [], {
    key: ({ title, message }) => title + message,
    create: (sheet) => authenticationSheet(sheet, send),
    leave: playOut,
  });
}

function authenticationSheet({ title, message }, send) {
  const answer = (owner) => send("authenticate", { owner });
  const use = h("button", { type: "button", class: "strong", text: `Use ${title}`, on: { click: () => answer(true) } });
  const shade = h("div", { class: "sheet-shade", on: { keydown: (event) => { if (event.key === "Escape") answer(false); } } },
    h("div", { class: "sheet face-sheet", role: "alertdialog", "aria-modal": "true", "aria-label": `${title}: ${message}` },
      icon(pictures[title] ?? pictures["Face ID"]), h("h3", { text: title }), h("p", { text: message }),
      h("div", { class: "sheet-buttons" },
        h("button", { type: "button", text: "Cancel", on: { click: () => answer(false) } }), use)));
  requestAnimationFrame(() => use.focus({ preventScroll: true }));
  return shade;
}
