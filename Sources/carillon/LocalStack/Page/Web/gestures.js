// Drags on cards and edges. Everything that a gesture does can also be done with a button or a key.

/** Further than this a press is a drag, in pixels of the page. */
const slack = 6;
const longPress = 450;

/**
 * Follows one pointer from press to release.
 *
 * @param {HTMLElement} element where the press must begin
 * @param {object} handlers
 *   `tap()`: released without a drag; `hold()`: pressed for long; `move(dx, dy)`: dragged so far, in the element's own
 *   points; `end(dx, dy, vx, vy)`: let go, with the speed in points a second; `axis`: "x" or "y" keeps to one direction.
 */
export function follow(element, { tap, hold, move, end, axis, scale = () => 1 }) {
  element.addEventListener("pointerdown", (press) => {
    if (press.button !== 0) return;
    const track = { x: press.clientX, y: press.clientY, time: press.timeStamp, dragging: false, held: false };
    let last = { dx: 0, dy: 0, time: press.timeStamp, vx: 0, vy: 0 };
    // From the first moment: a quick finger leaves a narrow edge before it has moved far.
    element.setPointerCapture(press.pointerId);
    const timer = hold && setTimeout(() => { track.held = true; hold(); }, longPress);

    const moved = (event) => {
      const factor = 1 / scale();
      const dx = axis === "y" ? 0 : (event.clientX - track.x) * factor;
      const dy = axis === "x" ? 0 : (event.clientY - track.y) * factor;
      if (!track.dragging && Math.hypot(dx, dy) < slack) return;
      if (!track.dragging) {
        track.dragging = true;
        clearTimeout(timer);
        element.classList.add("dragging");
      }
      const seconds = Math.max(1, event.timeStamp - last.time) / 1000;
      last = { dx, dy, time: event.timeStamp, vx: (dx - last.dx) / seconds, vy: (dy - last.dy) / seconds };
      move?.(dx, dy);
    };
    const done = (event) => {
      clearTimeout(timer);
      element.removeEventListener("pointermove", moved);
      element.removeEventListener("pointerup", done);
      element.removeEventListener("pointercancel", done);
      element.classList.remove("dragging");
      if (track.dragging) {
        swallowClick(element);
        end?.(last.dx, last.dy, last.vx, last.vy);
      } else if (track.held) {
        swallowClick(element);
      } else if (event.type === "pointerup") {
        tap?.();
      }
    };
    element.addEventListener("pointermove", moved);
    element.addEventListener("pointerup", done);
    element.addEventListener("pointercancel", done);
  });
}

/** The click that the browser sends after a drag is no click. */
function swallowClick(element) {
  const swallow = (event) => { event.stopPropagation(); event.preventDefault(); };
  element.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => element.removeEventListener("click", swallow, { capture: true }), 0);
}

/** Activation by click, Enter and Space alike, for elements that are not buttons. */
export function activate(element, action) {
  element.addEventListener("click", action);
  element.addEventListener("keydown", (event) => {
    if (event.target !== element || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    action(event);
  });
}
