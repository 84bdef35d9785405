// Sends a phone's requests one after the other; moves of a finger that still wait are joined into the newest.

/** @param {(verb: string, body: object) => Promise<void>} deliver */
export function createQueue(deliver) {
  const waiting = [];
  let busy = false;

  async function drain() {
    if (busy) return;
    busy = true;
    while (waiting.length > 0) {
      const { verb, body, resolve } = waiting.shift();
      await deliver(verb, body);
      resolve();
    }
    busy = false;
  }

  return (verb, body = {}) => new Promise((resolve) => {
    const last = waiting.at(-1);
    if (verb === "touch" && body.phase === "moved" && last?.verb === "touch" && last.body.phase === "moved") {
      last.body = body;
      resolve();
      return;
    }
    waiting.push({ verb, body, resolve });
    drain();
  });
}
