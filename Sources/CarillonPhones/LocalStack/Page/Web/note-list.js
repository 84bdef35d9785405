// The notifications of a phone, on its lock screen or in its notification center.

import { h } from "./dom.js";
import { createCard } from "./notification-card.js";
import { createVirtualList } from "./virtual-list.js";

/** How long a list that has gone from the screen still has its cards: until the screen has moved out of sight. */
const linger = 600;
/** After one has come, ms: what comes sooner is not alone, and does not slide in. */
const alone = 600;

export function createNoteList(handlers, className) {
  const list = h("ul", { class: `notes ${className}` });
  const unfolded = new Set();
  let shown = { notifications: [], appName: "", now: 0 };
  let timer = null;
  let newest;
  let arriving = null;
  let arrived = -Infinity;

  const unfold = (thread) => {
    unfolded.add(thread);
    fill();
  };
  const virtual = createVirtualList(list, {
    key: (item) => item.id,
    create(item) {
      const card = createCard("list", { ...handlers, unfold });
      if (item.id === arriving) card.classList.add("arriving");
      return card;
    },
    update: (card, item) => card.show(item, shown.appName, shown.now),
    leave: playOut,
    height: 72, gap: 8,
  });

  function fill() {
    const { notifications } = shown;
    for (const thread of unfolded) if (!notifications.some((item) => item.thread === thread)) unfolded.delete(thread);
    const items = stacked(notifications, unfolded);
    // A notification that arrives alone slides in; several at once appear without movement.
    const isNew = items.length > 0 && items[0].id !== newest;
    const isAlone = performance.now() - arrived > alone && items[1]?.id === newest;
    arriving = isNew && isAlone && items.length > 1 ? items[0].id : null;
    if (isNew) arrived = performance.now();
    newest = items[0]?.id;
    virtual.fill(items);
  }

  return {
    element: list,
    /** Says since when each card has been there, as time goes on. */
    tick(now) {
      shown.now = now;
      for (const card of list.querySelectorAll(".note")) card.tick(now);
    },
    /** Draws what is to be seen; nothing at all, a moment later, while the list is out of sight. */
    show(isVisible, notifications, appName, now) {
      if (isVisible) {
        clearTimeout(timer);
        timer = null;
        shown = { notifications, appName, now };
        fill();
      } else if (!virtual.isEmpty && timer === null) {
        timer = setTimeout(() => {
          timer = null;
          list.scrollTop = 0;
          unfolded.clear();
          shown.notifications = [];
          virtual.fill([]);
          for (const card of list.querySelectorAll(".note")) card.remove();
        }, linger);
      }
    },
  };
}

/** What has the same thread lies under its newest, as `under`, until someone unfolds it. */
function stacked(notifications, unfolded) {
  const tops = new Map();
  const visible = [];
  for (const item of notifications) {
    const top = tops.get(item.thread);
    if (top) top.under.push(item.id);
    else visible.push({ ...item, under: [] });
    if (!top && item.thread && !unfolded.has(item.thread)) tops.set(item.thread, visible.at(-1));
  }
  return visible;
}

/** Plays the CSS animation of something that leaves to its end; at once where motion is not wanted. */
export async function playOut(element) {
  element.inert = true;
  element.classList.add("leaving");
  await Promise.allSettled(element.getAnimations().map((animation) => animation.finished));
}
