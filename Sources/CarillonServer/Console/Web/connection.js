// The line at the top of the page that says whether the service answers.

import { setText } from "./dom.js";

const element = document.getElementById("connection");

/** @param {"connecting" | "live" | "lost" | "problem"} state the colour of the dot before `text` */
export function showConnection(state, text) {
  element.dataset.state = state;
  setText(element, text);
}
