// Buttons that give away what is in a form, and what has come of it: as a test in Swift, as a link, and as a picture.

import { copyText, sayBriefly } from "./copy-text.js";
import { h, icon } from "./dom.js";
import { icons } from "./icons.js";
import { phoneIcons } from "./phone-icons.js";

/**
 * @param {object} options `link()`: the address; `test()`: the Swift text, or a promise of it; `picture()`: saves a picture, and
 *   returns a promise of its file's name
 * @returns `elements`, and `refresh(canTest)` for when the form has changed: whether there is a test of what it holds now
 */
export function createGiveAway({ link, test, picture }) {
  const button = (words, title, drawing, press) => {
    const element = h("button", { type: "button", class: "quiet", title }, icon(drawing), h("span", { text: words }));
    element.addEventListener("click", () => press(element));
    return element;
  };
  const copier = (text) => async (element) => copyText(element, await text());
  const asTest = button("Swift test", "Copies a test for your own app, which hands it this push", icons.copy, copier(test));
  const asLink = button("Link", "Copies an address that sets up the phones of another carillon up, and offers to send this", icons.copy, copier(link));
  const asPicture = button("Picture", "Saves a picture of the phones, and of the newest message’s lanes", phoneIcons.camera, async (element) => {
    const words = element.querySelector("span");
    try {
      await picture();
      sayBriefly(words, "Saved");
    } catch {
      sayBriefly(words, "No picture");
    }
  });
  return {
    elements: [asTest, asLink, asPicture],
    refresh(canTest) {
      if (asTest.hidden === canTest) asTest.hidden = !canTest;
    },
  };
}
