// The Live Activities on a phone's lock screen and in its Dynamic Island: the values that the app gives, in the place of what SwiftUI
// draws on an iPhone.

import { h, reconcile, setText } from "./dom.js";
import { playOut } from "./note-list.js";

const marks = { active: "", stale: "Outdated", ended: "Ended" };
const standsIn = "Values in the place of the app’s SwiftUI view";

/** Shows the phone's Live Activities in `slot`, and tells the phone which one the person removes. */
export function showActivities(slot, { activities, app }, send) {
  slot.hidden = activities.length === 0;
  reconcile(slot, activities, {
    key: ({ id }) => id,
    create: ({ id }) => activityCard(() => send("dismiss-activity", { activity: id })),
    update: (card, activity) => card.show(activity, app.name),
    leave: (card) => playOut(card),
  });
}

/** The time until, or since, the end of a timer: `12:05`. */
export function timerText(end, now) {
  const seconds = Math.abs(Math.round((Date.parse(end) - now) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * The Dynamic Island, which has the first Live Activity that runs in a few words, while its app is not in front.
 */
export function createIsland() {
  const mark = h("span", { class: "island-mark" });
  const text = h("span", { class: "island-text" });
  const element = h("div", { class: "island", title: standsIn }, mark, text);
  let end = null;
  return {
    element,
    show({ activities, app, screen }) {
      const shown = screen === "home" || screen === "settings" ? activities.find(({ state }) => state !== "ended") : undefined;
      element.classList.toggle("live", Boolean(shown));
      end = shown?.timer_end ?? null;
      setText(mark, shown ? [...app.name][0] ?? "" : "");
      if (end === null) setText(text, shown ? fewWords(shown) : "");
      if (shown) element.dataset.state = shown.state;
    },
    tick(now) {
      if (end !== null) setText(text, timerText(end, now));
    },
  };
}

/** The shortest that the app gives: progress, its last line, its title, or its last value. */
function fewWords({ progress, lines, title, values }) {
  if (progress !== undefined) return `${Math.round(progress * 100)} %`;
  return lines.at(-1) ?? title ?? values.at(-1)?.text ?? "";
}

function activityCard(remove) {
  const name = h("span", { class: "activity-app" });
  const mark = h("span", { class: "activity-mark" });
  const title = h("p", { class: "activity-title" });
  const lines = h("div", { class: "activity-lines" });
  const bar = h("progress", { class: "activity-bar", max: "1" });
  const timer = h("p", { class: "activity-timer" });
  const values = h("dl", { class: "activity-values" });
  const close = h("button", { type: "button", class: "activity-close", text: "✕", on: { click: remove } });
  const element = h("li", { class: "activity", title: standsIn }, h("div", { class: "activity-head" }, name, mark, timer, close), title, lines, bar, values);
  let end = null;
  return Object.assign(element, {
    show(activity, appName) {
      element.dataset.state = activity.state;
      setText(name, appName);
      setText(mark, marks[activity.state]);
      close.setAttribute("aria-label", `Remove the Live Activity of ${appName}`);
      title.hidden = !activity.title;
      setText(title, activity.title ?? "");
      lines.replaceChildren(...activity.lines.map((text) => h("p", { text })));
      bar.hidden = activity.progress === undefined;
      bar.value = activity.progress ?? 0;
      end = activity.timer_end ?? null;
      timer.hidden = end === null;
      // The app's own words, or else everything that it has given.
      values.hidden = Boolean(activity.title);
      values.replaceChildren(...activity.values.map(({ name: label, text }) => h("div", {}, h("dt", { text: label }), h("dd", { text }))));
    },
    tick(now) {
      if (end !== null) setText(timer, timerText(end, now));
    },
  });
}
