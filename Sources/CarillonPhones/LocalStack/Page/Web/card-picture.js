// The attachment of a notification: small on the card, large when the card is opened.

import { h, setAttribute } from "./dom.js";

const words = { audio: "♪", movie: "▶" };

export function createPicture() {
  const thumbnail = h("img", { class: "note-thumbnail", alt: "", draggable: "false", hidden: true });
  const mark = h("span", { class: "note-thumbnail note-media", "aria-hidden": "true", hidden: true });
  const large = h("img", { class: "note-picture", alt: "Attached picture", draggable: "false", hidden: true });
  const small = h("span", { class: "note-attachment" });
  let current = null;
  let isOpen = false;
  const draw = () => {
    // Most cards have none, and there may be many cards.
    if (current && small.childElementCount === 0) small.append(thumbnail, mark);
    const isPicture = current?.kind === "image";
    thumbnail.hidden = !isPicture || isOpen;
    large.hidden = !isPicture || !isOpen;
    mark.hidden = !current || isPicture;
    mark.textContent = words[current?.kind] ?? "";
    if (!isPicture) return;
    setAttribute(thumbnail, "src", current.url);
    if (isOpen) setAttribute(large, "src", current.url);
  };
  return {
    thumbnail: small, large,
    /** `attachment` has a `kind` (image, audio or movie) and a `url`. */
    show(attachment) {
      if (JSON.stringify(attachment) === JSON.stringify(current)) return;
      current = attachment ?? null;
      draw();
    },
    open(open) {
      isOpen = open;
      draw();
    },
  };
}
