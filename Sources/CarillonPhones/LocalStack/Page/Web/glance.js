// On a narrow page the phones lie above the form. When someone sends, the page brings them into sight, then the notification's
// card, and offers the way back.

import { h } from "./dom.js";

/** As long after a message went out, ms, its notification is brought into sight. */
const patience = 20_000;
/** Until a card has been drawn, ms. */
const settling = 250;
/** So long, ms, a card on the phone in sight is preferred to one on a phone beside it. */
const preference = 700;
/** The part of a phone that must be in the window to count as seen. */
const enough = 0.6;

/** @param {HTMLElement} phones the part of the page with all phones, which may scroll sideways */
export function createGlance(phones) {
  let until = -Infinity;
  /** Where the window was before the page moved it; `null` while the page has not. */
  let from = null;
  let wasAway = false;
  /** The number of returns to the form. A card that the page looked for before a return no longer moves the page. */
  let returns = 0;
  let timer = null;
  const back = h("button", { type: "button", class: "glance-back primary", hidden: true, text: "Back to the form", on: { click: leave } });
  const behavior = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth");
  const isBeside = () => getComputedStyle(phones).position === "sticky";

  function leave() {
    until = -Infinity;
    window.scrollTo({ top: from ?? 0, behavior: behavior() });
    leftBehind();
  }
  function leftBehind() {
    returns += 1;
    back.hidden = true;
    from = null;
    wasAway = false;
  }
  /** Once somebody has scrolled back, the button has nothing to offer. */
  addEventListener("scroll", () => {
    if (from === null) return;
    const isBack = scrollY > from - innerHeight / 3;
    if (isBack && wasAway) leftBehind();
    wasAway = !isBack;
  }, { passive: true });

  return {
    element: back,
    /** Something was sent: the phones come into sight if they are not. */
    look() {
      if (isBeside()) return;
      until = performance.now() + patience;
      const { top, bottom, height } = phones.getBoundingClientRect();
      if (Math.min(bottom, innerHeight) - Math.max(top, 0) >= Math.min(height, innerHeight) * enough) return;
      from = scrollY;
      back.hidden = false;
      phones.scrollIntoView({ block: "start", behavior: behavior() });
    },
    /** A notification has come: after a look its card comes into sight, wherever on the phone it is. */
    seen(phone, card) {
      if (performance.now() > until) return;
      const show = async () => {
        const found = card();
        if (performance.now() > until || !found) return;
        until = -Infinity;
        const returnsBefore = returns;
        // A banner slides in: only then it is where it stays.
        await Promise.allSettled(found.getAnimations().map((animation) => animation.finished));
        if (returns !== returnsBefore) return;
        const { top, bottom, left, right } = found.getBoundingClientRect();
        if (top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth) return;
        found.scrollIntoView({ block: "center", inline: "nearest", behavior: behavior() });
      };
      const { left, right } = phone.getBoundingClientRect();
      const isInSight = left >= -1 && right <= innerWidth + 1;
      if (timer !== null && !isInSight) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = null;
        show();
      }, isInSight ? settling : preference);
    },
  };
}
