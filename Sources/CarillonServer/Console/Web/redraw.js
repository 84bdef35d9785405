// Drawing once for all that happens before the next frame.

/**
 * A function to be called at every change.
 *
 * @param {() => void} draw called with the next frame; in a hidden tab now and then
 * @param {number} pause between two drawings at least, in ms: what nobody reads faster leaves the frames between to other things
 */
export function createRedraw(draw, pause = 0) {
  let waits = false;
  let last = -Infinity;
  const run = () => {
    waits = false;
    last = performance.now();
    draw();
  };
  return () => {
    if (waits) return;
    waits = true;
    const now = performance.now();
    if (document.hidden) setTimeout(run, 200);
    // What is drawn at such a pace is drawn in the same frames, whoever draws it, since a frame costs more than what is drawn.
    else if (now - last < pause) setTimeout(() => requestAnimationFrame(run), pause - (now % pause));
    else requestAnimationFrame(run);
  };
}
