// The requests that this tab has sent, kept so that they can be sent again, also after a reload.

const key = "sent";
const limit = 60;

/** Remembers by id what was sent; the oldest is forgotten first. */
export function createSent() {
  let entries = read();
  return {
    note(id, what) {
      entries = [...entries.filter(([known]) => known !== id), [id.toLowerCase(), what]].slice(-limit);
      try {
        sessionStorage.setItem(key, JSON.stringify(entries));
      } catch {
        // Nothing is kept beyond this page.
      }
    },
    get: (id) => entries.find(([known]) => known === id.toLowerCase())?.[1],
  };
}

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(key)) ?? [];
  } catch {
    return [];
  }
}
