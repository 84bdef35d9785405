// Keyboard and screen reader inside an app: what gets the focus is scrolled into sight by the phone.

/** @param {(body: {view: number}) => void} reveal asks the phone to scroll */
export function revealFocused(element, reveal) {
  element.addEventListener("focusin", ({ target }) => {
    if (target.dataset.view && target.matches(":focus-visible")) reveal({ view: Number(target.dataset.view) });
  });
}
