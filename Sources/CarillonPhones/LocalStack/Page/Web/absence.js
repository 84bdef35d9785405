// While `carillon up` does not answer, the phones are grey under a plate that says so, and nothing can be sent.

import { h } from "./dom.js";

/** As long, in ms, the stream may be gone before the page says more than its line at the top: a reload of the server takes less. */
const patience = 1000;

/**
 * @param {HTMLElement} phones the part of the page with all phones
 * @param {(words: string) => void} switchOff switches the forms off with a reason, or on again with an empty text
 */
export function createAbsence(phones, switchOff) {
  const plate = h("div", { class: "absence", role: "status", hidden: true },
    h("p", {}, h("strong", { text: "carillon up does not answer" }), h("span", { text: "The phones are as they were last. Once it runs again, the page goes on by itself." })));
  phones.append(plate);
  let timer = null;

  function set(isGone) {
    clearTimeout(timer);
    timer = null;
    if (plate.hidden !== isGone) return;
    plate.hidden = !isGone;
    phones.classList.toggle("absent", isGone);
    for (const phone of phones.querySelectorAll(".phone")) phone.inert = isGone;
    switchOff(isGone ? "carillon up does not answer: nothing can be sent." : "");
  }
  return {
    /** @param {"connecting" | "live" | "lost"} state of the stream */
    show(state) {
      if (state === "live") set(false);
      else if (state === "lost" && plate.hidden) timer ??= setTimeout(() => set(true), patience);
    },
  };
}
