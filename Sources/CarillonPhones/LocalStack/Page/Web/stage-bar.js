// On a stage: a row of messages to send, also by the keys 1 to 8, and R, which recalls the newest.

import { whileBusy } from "./busy.js";
import { h, icon, setText } from "./dom.js";
import { icons } from "./icons.js";

/** How many messages have a key. */
const keyCount = 8;
/** Where keys are typed, or mean something else. */
const typed = "input, textarea, select, [contenteditable], .display";

/**
 * @param {object} options `labels` of what can be sent; `send(index)`: sends one, and returns a promise of what came of it, `kind` and
 *   `words`; `recall()`: takes the newest message back, and returns a promise of a sentence; `isOn()`: whether the stage is on
 */
export function createStageBar({ labels, send, recall, isOn }) {
  const outcome = h("span", { class: "outcome", role: "status" });
  const say = (kind, words) => {
    outcome.className = `outcome ${kind}`;
    setText(outcome, words);
  };
  const key = (name) => h("kbd", { text: name });
  const presets = labels.slice(0, keyCount).map((label, index) => h("button", {
    type: "button", class: "chip", on: { click: ({ currentTarget }) => whileBusy(currentTarget, async () => {
      const { kind, words } = await send(index);
      say(kind, words);
    }) },
  }, key(String(index + 1)), " ", label));
  const back = h("button", { type: "button", class: "chip", on: { click: ({ currentTarget }) => whileBusy(currentTarget, async () => {
    try {
      say("good", await recall());
    } catch (error) {
      say("bad", error.message);
    }
  }) } }, key("R"), " ", icon(icons.undo), "Recall");
  addEventListener("keydown", (event) => {
    if (!isOn() || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.closest(typed)) return;
    const button = event.key.toLowerCase() === "r" ? back : presets[Number(event.key) - 1];
    if (!button || !button.checkVisibility()) return;
    event.preventDefault();
    button.click();
  });
  return h("section", { class: "card stage-bar", "aria-label": "Send a message" }, h("div", { class: "examples" }, presets, back), outcome);
}
