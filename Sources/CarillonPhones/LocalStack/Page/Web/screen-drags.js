// Drags that move a whole screen: the lock screen up, the notification center down and up again, an app away. All follow the finger.

import { follow } from "./gestures.js";

/** A finger faster than this decides alone, in points a second. */
const flick = 400;
/** Else it is how far the screen has been moved, in points. */
const far = 180;

/**
 * @param {HTMLElement} element the lock screen
 * @param {object} options `open()`: unlocks; `scale()`
 */
export function dragLockScreen(element, { open, scale }) {
  const parts = dragUp(element, open);
  follow(element, { axis: "y", scale, late: true, ignores: (target) => target.closest(".notes"), ...parts });
  return parts;
}

/**
 * @param {HTMLElement} element the notification center
 * @param {object} options `isOpen()`; `mayOpen()`; `prepare()`: draws its list, before it is open; `send(open)`; `scale()`
 */
export function dragCenter(element, { isOpen, mayOpen, prepare, send, scale }) {
  const height = () => element.offsetHeight;
  const close = dragUp(element, () => send(false));
  follow(element, { axis: "y", scale, late: true, ignores: (target) => !isOpen() || target.closest(".notes"), ...close });
  const down = {
    begin() {
      if (!mayOpen()) return;
      prepare(true);
      element.classList.add("pulled");
    },
    move(_, dy) {
      if (element.classList.contains("pulled")) element.style.transform = `translateY(${Math.min(0, dy - height())}px)`;
    },
    end(_, dy, __, vy) {
      if (!element.classList.contains("pulled")) return;
      const opens = vy > flick || (vy > -flick && dy > far);
      settle(element, opens ? "none" : "");
      prepare(opens);
      if (opens) send(true);
    },
  };
  return { down, up: close };
}

/** Upwards with the finger; past a point, or with speed, `go` is called, else it slides back. */
function dragUp(element, go) {
  return {
    begin: () => element.classList.add("pulled"),
    move(_, dy) { element.style.transform = `translateY(${Math.min(0, dy)}px)`; },
    end(_, dy, __, vy) {
      const goes = vy < -flick || (vy < flick && dy < -far);
      settle(element, "");
      if (goes) go();
    },
    cancel: () => settle(element, ""),
  };
}

/** An app that is let go goes home from here on, in points and in points a second. */
const leaves = { far: 30, fast: 400 };
/** As long as an app that has been let go waits for the phone to be at home, ms. */
const goingHome = 800;

/**
 * The way home: the app in front becomes smaller as the finger moves up.
 *
 * @param {object} options `front()`: the element of the app in front, or `null`; `height()`: of the screen in points; `go()`: asks
 *   the phone to go home
 */
export function dragHome({ front, height, go }) {
  let element = null;
  const put = (dy) => {
    const part = Math.min(1, Math.max(0, -dy / height()));
    element.style.transform = `translateY(${Math.round(dy * 0.4)}px) scale(${(1 - part * 0.6).toFixed(3)})`;
  };
  return {
    begin() {
      element = front();
      element?.classList.add("pulled");
    },
    move: (_, dy) => { if (element) put(Math.min(0, dy)); },
    end(_, dy, __, vy) {
      const goes = dy < -leaves.far || vy < -leaves.fast;
      const left = element;
      if (left) settle(left, goes ? "scale(.4)" : "");
      if (goes) go();
      // The phone's own state places the app: at home it is hidden, and where the phone has refused it is back.
      if (left && goes) setTimeout(() => settle(left, ""), goingHome);
      element = null;
    },
    cancel() {
      if (element) settle(element, "");
      element = null;
    },
  };
}

/** Lets the element slide to where its state puts it, or to `transform` until then. */
function settle(element, transform) {
  element.classList.remove("pulled");
  element.style.transform = transform;
}
