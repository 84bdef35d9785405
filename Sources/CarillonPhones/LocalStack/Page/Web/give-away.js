// Buttons that give away what is in a form: as a test in Swift, and as a link.

import { copyText } from "./copy-text.js";
import { h, icon } from "./dom.js";
import { icons } from "./icons.js";

/**
 * @param {object} options `link()`: the address; `test()`: the Swift text, or a promise of it
 * @returns `elements`, and `refresh(canTest)` for when the form has changed: whether there is a test of what it holds now
 */
export function createGiveAway({ link, test }) {
  const button = (words, title, text) => {
    const element = h("button", { type: "button", class: "quiet", title }, icon(icons.copy), h("span", { text: words }));
    element.addEventListener("click", async () => copyText(element, await text()));
    return element;
  };
  const asTest = button("Swift test", "Copies a test for your own app, which hands it this push", test);
  const asLink = button("Link", "Copies an address that sets up the phones of another carillon up, and offers to send this", link);
  return {
    elements: [asTest, asLink],
    refresh(canTest) {
      if (asTest.hidden === canTest) asTest.hidden = !canTest;
    },
  };
}
