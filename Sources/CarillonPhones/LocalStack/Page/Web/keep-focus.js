// The keyboard's focus is never lost: when the element that has it goes, something near gets it.

import { createRedraw } from "./redraw.js";

/** Parts of the page that take the focus of what was in them. */
const homes = ".display, #compose, #history";

const isThere = (element) => element.isConnected && !element.closest("[inert]") && element.checkVisibility({ visibilityProperty: true });

/** Watches the whole page. */
export function keepFocus() {
  /** What the keyboard has focused last, with what takes its place, the best first; `null` after a press of a pointer. */
  let last = null;
  document.addEventListener("focusin", ({ target }) => { last = target.matches(":focus-visible") ? { target, others: others(target) } : null; });
  document.addEventListener("pointerdown", () => { last = null; }, { capture: true, passive: true });
  const look = createRedraw(() => {
    if (!last) return;
    if (isThere(last.target)) {
      // What lies beside it may have changed, as when a stack was opened.
      last.others = others(last.target);
      return;
    }
    const { activeElement } = document;
    if (activeElement !== document.body && activeElement !== last.target) return;
    const next = last.others.find(isThere);
    last = null;
    next?.focus({ preventScroll: true });
  });
  new MutationObserver(() => { if (last) look(); })
    .observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "inert", "class", "data-screen", "data-center"] });
}

/** The card after or before one in a list, then the part of the page that it is in. */
function others(element) {
  const card = element.closest("li.note");
  const faces = card ? [card.nextElementSibling, card.previousElementSibling].map((one) => one?.querySelector?.(".note-face")) : [];
  return [...faces, element.closest(homes)].filter(Boolean);
}
