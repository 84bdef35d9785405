// The screen of a phone that is starting.

import { h } from "./dom.js";

/** The shortest time that it is seen, in ms: the phone itself needs none. */
const shortest = 900;

export function createBootScreen() {
  const element = h("div", { class: "boot", role: "status", hidden: true }, h("img", { src: "icon.svg", alt: "Starting", width: "84", height: "84" }));
  return {
    element,
    /** Shows it until the phone has started. */
    async during(start) {
      element.hidden = false;
      await Promise.allSettled([start, new Promise((resolve) => setTimeout(resolve, shortest))]);
      element.hidden = true;
    },
  };
}
