// A view for a projector: large phones, and beside them nothing but the lanes. It has an address (#stage), as scenes have.

import { h } from "./dom.js";

/** The page's address as its parts: `scene`, `play`, `stage`. */
export const parts = () => new URLSearchParams(location.hash.slice(1));

/** The same address with other parts, as the text of a link; `null` removes a part. */
export function address(changes) {
  const next = parts();
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return `#${next.toString().replace(/=(?=&|$)/g, "")}`;
}

/** A link that keeps the other parts of the address as they are when it is followed. */
export function sceneLink(text, changes) {
  const element = h("a", { class: "quiet", href: address(changes), text });
  element.addEventListener("click", () => { element.href = address(changes); });
  return element;
}

/** Follows the page's address. */
export function followStage(button) {
  const draw = () => {
    const isOn = parts().has("stage");
    document.documentElement.classList.toggle("stage", isOn);
    button.setAttribute("aria-pressed", String(isOn));
  };
  button.addEventListener("click", () => { location.hash = address({ stage: parts().has("stage") ? null : "" }); });
  addEventListener("hashchange", draw);
  draw();
}
