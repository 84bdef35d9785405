// The notifications of a phone, on its lock screen or in its notification center.

import { h } from "./dom.js";
import { stacked, stillStacked } from "./note-stacks.js";
import { createCard } from "./notification-card.js";
import { createVirtualList } from "./virtual-list.js";

/** How long a list that has gone from the screen still has its cards: until the screen has moved out of sight. */
const linger = 600;
/** After one has come, ms: what comes sooner is not alone, and does not slide in. */
const alone = 600;

export function createNoteList(handlers, className) {
  const list = h("ul", { class: `notes ${className}` });
  let unfolded = new Set();
  let shown = { notifications: [], appName: "", now: 0 };
  /** The ids of all that is in the list, also under others. */
  let here = new Set();
  let timer = null;
  let newest;
  /** Which new cards come with a movement: the newest, or those of a stack that was just opened. */
  let isArriving = () => false;
  let arrived = -Infinity;

  const unfold = (thread) => {
    unfolded.add(thread);
    fill((item) => item.thread === thread);
  };
  const fold = (thread) => {
    unfolded.delete(thread);
    fill();
    [...list.children].find((card) => card.dataset.thread === thread)?.querySelector(".note-face").focus({ preventScroll: true });
  };
  const clearThread = (thread) => shown.notifications.filter((item) => item.thread === thread).forEach(({ id }) => handlers.clear(id));
  const virtual = createVirtualList(list, {
    key: (item) => item.id,
    create(item) {
      const card = createCard("list", { ...handlers, unfold, fold, clearThread });
      if (isArriving(item)) card.classList.add("arriving");
      return card;
    },
    update: (card, item) => card.show(item, shown.appName, shown.now),
    // A card that another one covers is still in the list, under it.
    leave: (card) => (here.has(card.dataset.id) ? Promise.resolve() : playOut(card)),
    height: 72, gap: 8,
  });

  function fill(isUnfolding = () => false) {
    const { notifications } = shown;
    unfolded = stillStacked(notifications, unfolded);
    here = new Set(notifications.map(({ id }) => id));
    // A notification that arrives alone slides in; several at once appear without movement.
    const isNew = notifications.length > 0 && notifications[0].id !== newest;
    const isAlone = isNew && newest !== undefined && performance.now() - arrived > alone && notifications[1]?.id === newest;
    isArriving = (item) => isUnfolding(item) || (isAlone && item.id === notifications[0].id);
    if (isNew) arrived = performance.now();
    newest = notifications[0]?.id;
    virtual.fill(stacked(notifications, unfolded));
    isArriving = () => false;
  }

  /** One card at a time is open or shows its buttons. */
  const rest = (except) => {
    for (const card of list.querySelectorAll(".note.swiped, .note.opened")) if (card !== except) card.rest();
  };
  list.addEventListener("opening", ({ target }) => {
    rest(target);
    // From its beginning, once it has its height.
    requestAnimationFrame(() => { if (target.classList.contains("opened")) list.scrollTop = target.offsetTop - 4; });
  });
  list.addEventListener("pointerdown", ({ target }) => rest(target.closest(".note")));

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

/** Plays the CSS animation of something that leaves to its end; at once where motion is not wanted. */
export async function playOut(element) {
  element.inert = true;
  element.classList.add("leaving");
  await Promise.allSettled(element.getAnimations().map((animation) => animation.finished));
}
