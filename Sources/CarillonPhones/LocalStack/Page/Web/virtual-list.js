// A list that has only its visible part in the document, however long the list is.

import { h, reconcile } from "./dom.js";
import { createRedraw } from "./redraw.js";

/** How far beyond its edges the list is drawn, in its own points: what a flick scrolls past before the next frame. */
const margin = 320;
/** The part of a list that is not laid out yet. */
const firstView = 560;

/**
 * Makes the element a list that scrolls.
 *
 * @param {HTMLElement} list the scrolling element
 * @param {object} options `key(item)`; `create(item)`; `update(element, item)`; `leave(element)`: plays how something goes
 *   that is no longer in the list; `height`: a guess for what has not been drawn yet; `gap`: between two of them
 */
export function createVirtualList(list, { key, create, update, leave, height, gap }) {
  let items = [];
  let keys = new Set();
  const heights = new Map();
  const spacers = [0, 1].map(() => h("li", { class: "spacer", role: "presentation", "aria-hidden": "true" }));
  const heightOf = (item) => heights.get(key(item)) ?? height;
  /** The part of the list that can be seen. It is told by the browser and not asked, which would lay the page out each time. */
  const view = { top: 0, height: 0 };
  const sizes = new ResizeObserver(measure);
  sizes.observe(list);

  /** The indices of the first and of the one after the last to be drawn, and how much room the others take. */
  function part() {
    const top = view.top - margin;
    const bottom = view.top + (view.height || firstView) + margin;
    let [y, above, first, last] = [0, 0, null, 0];
    items.forEach((item, index) => {
      const next = y + heightOf(item) + gap;
      if (next > top && y < bottom) {
        if (first === null) [first, above] = [index, y];
        last = index + 1;
      }
      y = next;
    });
    const drawn = items.slice(first ?? 0, last).reduce((sum, item) => sum + heightOf(item) + gap, 0);
    return { first: first ?? 0, last, above, below: y - above - drawn };
  }

  function place(spacer, points) {
    const value = points > gap ? `${Math.round(points - gap)}px` : "";
    if (spacer.style.height !== value) spacer.style.height = value;
    if (spacer.hidden !== (value === "")) spacer.hidden = value === "";
  }

  function placeBoth({ above, below }) {
    place(spacers[0], above);
    place(spacers[1], below);
  }

  function draw({ first, last, above, below }, refresh) {
    const shown = items.slice(first, last);
    reconcile(list, [spacers[0], ...shown, spacers[1]], {
      key: (item) => (spacers.includes(item) ? item : key(item)),
      create: (item) => {
        if (spacers.includes(item)) return item;
        const element = create(item);
        element.itemKey = key(item);
        update(element, item);
        sizes.observe(element);
        return element;
      },
      update: (element, item) => { if (refresh && !spacers.includes(item)) update(element, item); },
      leave(element) {
        sizes.unobserve(element);
        return keys.has(element.itemKey) || spacers.includes(element) ? Promise.resolve() : leave(element);
      },
    });
    placeBoth({ above, below });
    shown.forEach((item, index) => {
      const element = list.keyed.get(key(item));
      if (Number(element.getAttribute("aria-posinset")) !== first + index + 1) element.setAttribute("aria-posinset", first + index + 1);
      if (Number(element.getAttribute("aria-setsize")) !== items.length) element.setAttribute("aria-setsize", items.length);
    });
  }

  /** The browser has laid out what was drawn: where a height is other than assumed, another part may be in view. */
  function measure(entries) {
    let isOther = false;
    for (const { target } of entries) {
      if (target === list) {
        isOther ||= list.clientHeight !== view.height;
        view.height = list.clientHeight;
        continue;
      }
      const points = target.offsetHeight;
      if (points === 0 || points === heights.get(target.itemKey) || !keys.has(target.itemKey)) continue;
      isOther ||= points !== (heights.get(target.itemKey) ?? height);
      heights.set(target.itemKey, points);
    }
    if (isOther) layOutSoon();
  }

  /** The first element whose top can be seen, and where it is; what the keyboard has focused goes before it. */
  function anchor() {
    const hasFocus = list.contains(document.activeElement);
    if (!hasFocus && view.top === 0) return undefined;
    const elements = [...list.children].filter((element) => element.itemKey !== undefined && keys.has(element.itemKey));
    const found = (hasFocus ? elements.find((element) => element.querySelector(":focus-visible")) : undefined)
      ?? (list.scrollTop > 0 ? elements.find((element) => element.offsetTop >= list.scrollTop) : undefined);
    return found && { id: found.itemKey, offset: found.offsetTop - list.scrollTop };
  }

  const layOutSoon = createRedraw(() => draw(part(), false));
  list.addEventListener("scroll", () => {
    view.top = list.scrollTop;
    layOutSoon();
  }, { passive: true });

  return {
    /** Shows other items; what stays keeps its element and its place on the screen. */
    fill(next) {
      const kept = anchor();
      items = next;
      keys = new Set(items.map(key));
      for (const id of heights.keys()) if (!keys.has(id)) heights.delete(id);
      draw(part(), true);
      const element = kept && list.keyed.get(kept.id);
      if (!element) return;
      const moved = element.offsetTop - kept.offset;
      if (Math.abs(moved - list.scrollTop) < 1) return;
      list.scrollTop = moved;
      view.top = list.scrollTop;
      draw(part(), false);
    },
    get isEmpty() { return items.length === 0; },
  };
}
