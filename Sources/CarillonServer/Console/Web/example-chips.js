// The buttons that fill a form, and below them what is to be expected of what it was filled with.

import { h } from "./dom.js";

/**
 * @param {object[]} examples `label`, and optionally `group` (what they belong to) and `expect`: [where, what
 *   happens there][]
 * @param {(example: object) => void} fill
 * @param {() => number} current which of the rows of `expect` holds now, from 0; -1 for none
 * @param {(example: object | null) => void} chosen what the form holds now, if it is an example as it was filled in
 * @returns the element; the event `again` upon it shows once more what is to be expected, `moved` marks the row that holds now, and
 *   `edited` hides all, since what the form holds is not the example any more
 */
export function createExampleChips(examples, fill, current = () => -1, chosen = () => {}) {
  const expected = h("dl", { class: "expected", "aria-live": "polite" });
  let last = {};
  const show = (example) => {
    last = example;
    const { expect = [] } = example;
    expected.hidden = expect.length === 0;
    expected.replaceChildren(...expect.map(([state, words]) => h("div", {}, h("dt", { text: state }), h("dd", { text: words }))));
    mark();
  };
  const mark = () => [...expected.children].forEach((row, index) => row.classList.toggle("now", index === current()));
  const chip = (example) => h("button", { type: "button", class: "chip", text: example.label, on: {
    click() {
      fill(example);
      show(example);
      chosen(example);
    },
    // What is to be expected may change while the page is open.
    pointerenter({ currentTarget }) { currentTarget.title = (example.expect ?? []).map((row) => row.join(": ")).join("\n"); },
  } });
  const names = [...new Set(examples.map(({ group }) => group))];
  const groups = names.map((name) => h("div", { class: "examples", role: "group", "aria-label": name ?? "Examples" },
    name ? h("span", { class: "example-group", text: name }) : null,
    examples.filter(({ group }) => group === name).map(chip)));
  show({});
  return h("div", { class: "example-chips", on: { again: () => show(last), moved: mark, edited: () => { show({}); chosen(null); } } }, groups, expected);
}
