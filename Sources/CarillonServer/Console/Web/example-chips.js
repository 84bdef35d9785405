// The buttons that fill a form, and below them what is to be expected of what it was filled with.

import { h } from "./dom.js";

/**
 * @param {object[]} examples `label`, and optionally `group` (what they belong to) and `expect`: [where, what
 *   happens there][]
 * @param {(example: object) => void} fill
 * @param {object} [options] `current()`: which of the rows of `expect` holds now, from 0; -1 for none; `chosen(example)`: is told what the
 *   form holds now, an example as it was filled in or `null`; `predictions`: says what will happen, where the page can tell: `element`,
 *   `tallest(examples)`: elements as high as it becomes, and `subject()`: a text that is another when it may become higher; `hasTable`: whether
 *   the rows of `expect` can be unfolded beside it; `isLazy`: whether the buttons are made only when the form is seen
 * @returns the element, whose buttons have their `example`; the event `again` upon it shows once more what is to be expected, `moved` marks the row that holds now,
 *   `edited` hides all, since what the form holds is not the example any more, `begun`, with an example as its `detail`, says that the form holds that one,
 *   `addressed` that it may be for others, and `reveal` makes the buttons, if `isLazy`
 */
export function createExampleChips(examples, fill, { current = () => -1, chosen = () => {}, predictions, hasTable = false, isLazy = false } = {}) {
  const expected = h("dl", { class: "expected", "aria-live": "polite" });
  // The table of all states is for whoever asks for it.
  const table = hasTable ? h("details", { class: "expected-table" }, h("summary", { text: "In each state of the app" }), expected) : null;
  const none = h("p", { class: "hint", text: "Choose an example to see what it does." });
  const outlook = h("div", { class: "outlook" }, none, predictions?.element ?? expected);
  outlook.hidden = !predictions && examples.every(({ expect = [] }) => expect.length === 0);
  let last = {};
  const rows = ({ expect = [] }) => expect.map(([state, words]) => h("div", {}, h("dt", { text: state }), h("dd", { text: words })));
  const show = (example) => {
    last = example;
    const { expect = [] } = example;
    expected.hidden = expect.length === 0;
    none.hidden = !expected.hidden;
    expected.replaceChildren(...rows(example));
    mark();
  };
  const hold = (example) => {
    show(example ?? {});
    chosen(example);
  };
  const mark = () => [...expected.children].forEach((row, index) => row.classList.toggle("now", index === current()));
  const chip = (example) => Object.assign(h("button", { type: "button", class: "chip", text: example.label, on: {
    click() {
      fill(example);
      hold(example);
    },
    // What is to be expected may change while the page is open.
    pointerenter({ currentTarget }) { currentTarget.title = (example.expect ?? []).map((row) => row.join(": ")).join("\n"); },
  } }), { example });
  const names = [...new Set(examples.map(({ group }) => group))];
  const groups = () => names.map((name) => h("div", { class: "examples", role: "group", "aria-label": name ?? "Examples" },
    name ? h("span", { class: "example-group", text: name }) : null,
    examples.filter(({ group }) => group === name).map(chip)));
  show({});
  const measure = predictions ? keepRoom(predictions.element, outlook, () => predictions.tallest(examples), () => predictions.subject()) : () => {};
  const element = h("div", { class: "example-chips", on: {
    again: () => show(last), moved: mark, edited: () => hold(null), begun: ({ detail }) => hold(detail), addressed: measure,
  } }, table, outlook);
  if (isLazy) element.addEventListener("reveal", () => element.prepend(...groups()), { once: true });
  else element.prepend(...groups());
  return element;
}

/**
 * Keeps room in `outlook` for the highest of what `element` may hold, so that pressing a button moves nothing below.
 * @returns a function that measures anew where the subject, or the width, has changed
 */
function keepRoom(element, outlook, candidates, subject) {
  let measured = "";
  const measure = () => {
    const width = outlook.clientWidth;
    const key = `${width} ${subject()}`;
    if (width === 0 || key === measured) return;
    measured = key;
    const ruler = h("div", { class: "outlook-ruler", "aria-hidden": "true" }, candidates());
    outlook.append(ruler);
    const height = Math.max(0, ...[...ruler.children].map((one) => one.getBoundingClientRect().height));
    ruler.remove();
    outlook.style.setProperty("--room", `${Math.ceil(height)}px`);
  };
  new ResizeObserver(measure).observe(outlook);
  return measure;
}
