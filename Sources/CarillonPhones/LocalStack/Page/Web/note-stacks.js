// The stacks of a list of notifications: one for each thread, and one for all that have none, as iOS groups an app's notifications
// (WWDC 2018, session 710).

/**
 * @param {object[]} notifications the newest first
 * @param {Set<string>} unfolded the threads whose stacks are open
 * @returns {object[]} the cards of the list: each with the ids `under` it, and `isHead` on the first of a stack that is open
 */
export function stacked(notifications, unfolded) {
  const threads = new Map();
  for (const item of notifications) {
    const members = threads.get(item.thread);
    if (members) members.push(item);
    else threads.set(item.thread, [item]);
  }
  return [...threads].flatMap(([thread, [newest, ...others]]) => {
    const isOpen = others.length > 0 && unfolded.has(thread);
    if (isOpen) return [{ ...newest, isHead: true, under: [] }, ...others.map((item) => ({ ...item, under: [] }))];
    return [{ ...newest, under: others.map(({ id }) => id) }];
  });
}

/** The threads among `unfolded` that still have a stack: more than one notification. */
export function stillStacked(notifications, unfolded) {
  const counts = new Map();
  for (const { thread } of notifications) counts.set(thread, (counts.get(thread) ?? 0) + 1);
  return new Set([...unfolded].filter((thread) => counts.get(thread) > 1));
}
