// The log of APNs and of the phones, line by line, the newest first; drawn only while it is visible.

import { h, reconcile } from "./dom.js";
import { stamp } from "./phone-time.js";
import { createRedraw } from "./redraw.js";

const lineLimit = 150;

export function createLog() {
  let entries = [];
  const list = h("ol", { class: "log", tabindex: "0", "aria-label": "Log of APNs and the phones" });
  const element = h("div", { on: { reveal: () => redraw() } }, list);
  const redraw = createRedraw(() => {
    if (!element.hidden) reconcile(list, entries, { key: (item) => item.id, create: line });
  });
  return {
    element,
    /** Lines that come after all others, the oldest first. */
    add(lines) {
      entries = [...lines.toReversed(), ...entries].slice(0, lineLimit);
      redraw();
    },
    /** Forgets everything: the server is about to say it again. */
    reset() {
      entries = [];
      redraw();
    },
  };
}

function line(entry) {
  return h("li", { data: { source: entry.source } },
    h("time", { text: stamp(entry.at) }), h("span", { class: "log-source", text: entry.source }), h("span", { text: entry.text }));
}
