// Sends a phone's commands one after the other; moves of a finger that still wait are joined into the newest.

/** @param {(command: string, body: object) => Promise<void>} deliver */
export function createQueue(deliver) {
  const waiting = [];
  let busy = false;

  async function drain() {
    if (busy) return;
    busy = true;
    while (waiting.length > 0) {
      const { command, body, resolve } = waiting.shift();
      await deliver(command, body);
      resolve();
    }
    busy = false;
  }

  return (command, body = {}) => new Promise((resolve) => {
    const last = waiting.at(-1);
    if (command === "touch" && body.phase === "moved" && last?.command === "touch" && last.body.phase === "moved") {
      last.body = body;
      resolve();
      return;
    }
    waiting.push({ command, body, resolve });
    drain();
  });
}
