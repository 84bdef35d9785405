// What APNs and the phones did, line by line, the newest first.

import { h, reconcile } from "./dom.js";
import { stamp } from "./phone-time.js";

const lineLimit = 200;

export function createLog() {
  const entries = [];
  const list = h("ol", { class: "log", tabindex: "0", "aria-label": "Log of APNs and the phones" });
  return {
    element: h("div", {}, list),
    add(entry) {
      entries.unshift(entry);
      entries.length = Math.min(entries.length, lineLimit);
      reconcile(list, entries, { key: (item) => item.id, create: line });
    },
    /** Forgets everything: the server is about to say it again. */
    reset() {
      entries.length = 0;
      reconcile(list, entries, { key: (item) => item.id, create: line });
    },
  };
}

function line(entry) {
  return h("li", { data: { source: entry.source } },
    h("time", { text: stamp(entry.at) }), h("span", { class: "log-source", text: entry.source }), h("span", { text: entry.text }));
}
