// The newest push on its way: a dot for each phone between service, APNs and phone. The lanes below say all of it in words, and
// more, so nothing of this is read aloud.

import { h, reconcile, setText } from "./dom.js";
import { stations } from "./journey.js";

/** @param {(device: object, message: object) => { name: string, isFormer?: () => boolean, signal?: () => object }} describe as of timeline.js */
export function createTravel(describe) {
  const element = h("ul", { class: "travel", "aria-hidden": "true", hidden: true });
  let newest = null;
  const draw = () => {
    if (newest === null) return;
    const devices = newest.devices.map((device) => ({ device, words: describe(device, newest) })).filter(({ device, words }) => device.phone && words.signal && !words.isFormer?.());
    element.hidden = devices.length === 0;
    reconcile(element, devices, {
      key: ({ device }) => `${newest.id} ${device.device}`, create: createRow,
      update: (row, { words }) => row.show(words.name, words.signal()),
    });
  };

  return {
    element,
    /** Time has passed, or something has happened on the phones. */
    tick: draw,
    /** A message as of the timeline; only the newest is shown. */
    show(message) {
      if (newest && message.id !== newest.id && Date.parse(message.created) < Date.parse(newest.created)) return;
      newest = message;
      draw();
    },
    reset() {
      newest = null;
      element.hidden = true;
    },
  };
}

function createRow() {
  const name = h("span", { class: "travel-name" });
  const dot = h("span", { class: "travel-dot" });
  const track = h("span", { class: "travel-track", data: { at: "start" } }, stations.map(([id, words]) => h("span", { class: "travel-stop", data: { station: id }, text: words })), dot);
  const reason = h("span", { class: "travel-reason" });
  const element = h("li", { class: "travel-row" }, name, track, reason);
  element.show = (words, { at, tone, words: sentence }) => {
    const isStopped = tone === "stopped";
    setText(name, words);
    setText(reason, isStopped ? sentence : "");
    // Drawn at the start first, so that it is seen to go.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      track.dataset.at = at;
      track.classList.toggle("stopped", isStopped);
    }));
  };
  return element;
}
