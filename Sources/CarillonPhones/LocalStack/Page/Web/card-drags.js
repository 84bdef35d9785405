// Drags on a card: sideways in a list, which shows Options and Clear; upwards on a banner.

import { follow } from "./gestures.js";

/** How fast and how far a card must be let go to be gone, in points a second and as part of its size. */
const gone = { speed: 500, sidePart: .33, part: .6 };
/** Where a card stays open over its two buttons, and from where on, in points. */
const opened = { at: 164, from: 70 };

/** @returns an object whose `close()` puts an opened card back, and says whether it was open */
export function dragCard(card, face, under, kind, clear, expand, scale) {
  return kind === "list" ? dragAside(card, face, under, clear, expand, scale) : dragUp(face, clear, expand, scale);
}

function dragAside(card, face, under, clear, expand, scale) {
  let isOpen = false;
  const list = () => face.closest(".notes");
  /** Towards the beginning of a line: to the left, where text runs to the right. */
  const way = () => (getComputedStyle(face).direction === "rtl" ? 1 : -1);
  const place = (points) => {
    face.style.transform = points ? `translateX(${points * way()}px)` : "";
    card.classList.toggle("swiped", points > 0);
  };
  const stay = (open) => {
    if (open && !isOpen) card.dispatchEvent(new Event("opening", { bubbles: true }));
    isOpen = open;
    under.inert = !open;
    place(open ? opened.at : 0);
  };
  follow(face, {
    axis: "x", scale, hold: expand,
    move(dx) {
      const points = dx * way() + (isOpen ? opened.at : 0);
      place(points > 0 ? points : -Math.pow(-points, 0.6));
    },
    // A drag across this axis scrolls the list, so that a mouse can do what a finger does by itself.
    across: (dx, dy, sx, sy) => { if (list()) list().scrollTop -= sy; },
    end(dx, dy, vx) {
      const points = dx * way() + (isOpen ? opened.at : 0);
      const speed = vx * way();
      const width = face.offsetWidth;
      if (points > width * gone.part && speed > -gone.speed || speed > gone.speed && points > width * gone.sidePart) {
        place(face.offsetWidth * 1.2);
        return clear();
      }
      stay(points > opened.from && speed > -gone.speed);
    },
    cancel: () => stay(isOpen),
  });
  return {
    close() {
      const wasOpen = isOpen;
      if (isOpen) stay(false);
      return wasOpen;
    },
  };
}

function dragUp(face, clear, expand, scale) {
  follow(face, {
    axis: "y", scale, hold: expand,
    move(_, dy) { face.style.transform = `translateY(${dy < 0 ? dy : Math.pow(dy, 0.7)}px)`; },
    end(_, dy, __, vy) {
      const goes = dy < 0 && (vy < -gone.speed || (vy < gone.speed && -dy > face.offsetHeight * gone.part));
      if (dy > 30) expand();
      face.style.transform = goes ? "translateY(-160%)" : "";
      if (goes) clear();
    },
    cancel: () => { face.style.transform = ""; },
  });
  return { close: () => false };
}
