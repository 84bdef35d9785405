// Drags on cards, edges and screens. Everything that a gesture does can also be done with a button or a key.

/** Further than this a press is a drag, in points. */
const slack = 6;
const longPress = 450;
/** A timer that comes later than this is one of a busy page, which then waits for a moment more; in ms. */
const lateness = 100;
const moment = 250;
/** The speed at release is that of the last moment before it, in ms: what is held still has none. */
const recent = 60;

/**
 * Follows one pointer from press to release.
 *
 * @param {HTMLElement} element where the press must begin
 * @param {object} handlers
 *   `hold()`: pressed for long; `begin()`: the drag begins; `move(dx, dy)`: dragged so far, in the element's own points;
 *   `end(dx, dy, vx, vy)`: let go, with the speed at that moment in points a second; `cancel()`: taken away by the browser;
 *   `tap()`: released without a drag; `axis`: "x" or "y" keeps to one direction, and `across(dx, dy, sx, sy)` is told of a
 *   drag in the other one, with the last step; `ignores(target)`: where no gesture begins; `late`: leaves presses on what
 *   lies in the element to it until they become drags
 */
export function follow(element, { tap, hold, begin, move, end, cancel, axis, across, ignores, late = false, scale = () => 1 }) {
  element.addEventListener("pointerdown", (press) => {
    if (press.button !== 0 || ignores?.(press.target)) return;
    const track = { kind: "press", samples: [{ time: press.timeStamp, dx: 0, dy: 0 }] };
    // From the first moment: a quick finger leaves a narrow edge before it has moved far.
    if (!late) element.setPointerCapture(press.pointerId);
    const timer = hold && startTimer(() => {
      if (track.kind !== "press") return;
      track.kind = "hold";
      hold();
    });

    const moved = (event) => {
      if (event.pointerId !== press.pointerId || track.kind === "hold") return;
      const raw = { dx: (event.clientX - press.clientX) / scale(), dy: (event.clientY - press.clientY) / scale() };
      if (track.kind === "press") {
        if (Math.hypot(raw.dx, raw.dy) < slack) return;
        timer?.stop();
        const isAcross = axis && (axis === "x" ? Math.abs(raw.dy) > Math.abs(raw.dx) : Math.abs(raw.dx) > Math.abs(raw.dy));
        track.kind = isAcross ? "across" : "drag";
        if (late) element.setPointerCapture(press.pointerId);
        if (!isAcross) {
          element.classList.add("dragging");
          begin?.();
        }
      }
      const before = track.samples.at(-1);
      track.samples.push({ time: event.timeStamp, ...raw });
      if (track.samples.length > 60) track.samples.shift();
      if (track.kind === "across") across?.(raw.dx, raw.dy, raw.dx - before.dx, raw.dy - before.dy);
      else move?.(axis === "y" ? 0 : raw.dx, axis === "x" ? 0 : raw.dy);
    };
    const done = (event) => {
      if (event.pointerId !== press.pointerId) return;
      timer?.stop();
      element.removeEventListener("pointermove", moved);
      element.removeEventListener("pointerup", done);
      element.removeEventListener("pointercancel", done);
      element.classList.remove("dragging");
      const { kind } = track;
      track.kind = "over";
      if (kind !== "press") swallowClick();
      if (kind === "press" && event.type === "pointerup") tap?.();
      if (kind !== "drag") return;
      if (event.type === "pointercancel") return (cancel ?? end)?.(0, 0, 0, 0);
      const last = track.samples.at(-1);
      const speed = speedAt(event.timeStamp, track.samples);
      end?.(axis === "y" ? 0 : last.dx, axis === "x" ? 0 : last.dy, axis === "y" ? 0 : speed.x, axis === "x" ? 0 : speed.y);
    };
    element.addEventListener("pointermove", moved);
    element.addEventListener("pointerup", done);
    element.addEventListener("pointercancel", done);
  });
}

/**
 * The time of a long press.
 *
 * What the finger did while the page was busy comes only with the next frame, after a timer that was due meanwhile; and one
 * that comes late says that the page was busy, so that the finger is given a moment more.
 */
function startTimer(act) {
  let timer;
  const wait = (milliseconds) => {
    const due = performance.now() + milliseconds;
    timer = setTimeout(() => {
      if (performance.now() - due > lateness) wait(moment);
      else requestAnimationFrame(act);
    }, milliseconds);
  };
  wait(longPress);
  return { stop: () => clearTimeout(timer) };
}

/** In points a second, over the samples of the last moment; none after a rest. */
function speedAt(now, samples) {
  const since = samples.filter(({ time }) => now - time <= recent);
  if (since.length === 0) return { x: 0, y: 0 };
  // The sample before these is the one at which the present movement began.
  const first = samples[samples.length - since.length - 1] ?? since[0];
  const [last, seconds] = [samples.at(-1), Math.max(16, now - Math.max(first.time, now - recent)) / 1000];
  return { x: (last.dx - first.dx) / seconds, y: (last.dy - first.dy) / seconds };
}

/** The click that follows a drag or a long press is none, wherever it would go: something else may lie there by now. */
function swallowClick() {
  const stop = () => {
    removeEventListener("click", swallow, true);
    removeEventListener("pointerdown", stop, true);
  };
  const swallow = (event) => {
    stop();
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener("click", swallow, true);
  addEventListener("pointerdown", stop, true);
  setTimeout(stop, 50);
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
