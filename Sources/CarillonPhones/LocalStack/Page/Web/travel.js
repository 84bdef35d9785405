// The newest push on its way: a dot for each phone between service, APNs and phone. The lanes below say all of it in words, and
// more, so nothing of this is read aloud.

import { h, reconcile, setText } from "./dom.js";
import { journey, stations } from "./journey.js";

/** @param {(device: object, message: object) => { name: string, isFormer?: () => boolean }} describe as of timeline.js */
export function createTravel(describe) {
  const element = h("ul", { class: "travel", "aria-hidden": "true", hidden: true });
  let newest = null;

  return {
    element,
    /** A message as of the timeline; only the newest is shown. */
    show(message) {
      if (newest && message.id !== newest.id && Date.parse(message.created) < Date.parse(newest.created)) return;
      newest = message;
      const devices = message.devices.filter((device) => device.phone && !describe(device, message).isFormer?.());
      element.hidden = devices.length === 0;
      reconcile(element, devices, {
        key: ({ device }) => `${message.id} ${device}`, create: createRow,
        update: (row, device) => row.show(describe(device, message).name, journey(message, device)),
      });
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
  element.show = (words, { at, isStopped, reason: why }) => {
    setText(name, words);
    setText(reason, why);
    // Drawn at the start first, so that it is seen to go.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      track.dataset.at = at;
      track.classList.toggle("stopped", isStopped);
    }));
  };
  return element;
}
