// A notification as a lock screen shows it, in the style of the phones' cards.

import { h } from "./dom.js";

/** The picture of a push that shows a text; `null` for a push that shows none. */
export function lockScreen(push, topic) {
  const { text } = push.phone;
  if (!text) return null;
  const aps = push.request.payload?.aps ?? {};
  const isUrgent = aps["interruption-level"] === "time-sensitive";
  return h("div", { class: "lock", role: "img", "aria-label": `On the lock screen: ${[text.title, text.subtitle, text.body].filter(Boolean).join(", ")}` },
    h("div", { class: "note note-preview" },
      h("div", { class: "note-face" },
        h("img", { class: "note-icon", src: "icon.svg", alt: "" }),
        h("span", { class: "note-words" },
          isUrgent ? h("span", { class: "note-level", text: "Time Sensitive" }) : null,
          h("span", { class: "note-head" },
            h("strong", { class: "note-title", dir: "auto", text: text.title || topic }), h("span", { class: "note-time", text: "now" })),
          h("span", { class: "note-subtitle", dir: "auto", text: text.subtitle }),
          h("span", { class: "note-body", dir: "auto", text: text.body })))));
}
