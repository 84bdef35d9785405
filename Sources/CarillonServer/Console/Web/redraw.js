// Drawing once for all that happens before the next frame.

/** A function to be called at every change; `draw` is called with the next frame, in a hidden tab now and then. */
export function createRedraw(draw) {
  let waits = false;
  const run = () => {
    waits = false;
    draw();
  };
  return () => {
    if (waits) return;
    waits = true;
    if (document.hidden) setTimeout(run, 200);
    else requestAnimationFrame(run);
  };
}
