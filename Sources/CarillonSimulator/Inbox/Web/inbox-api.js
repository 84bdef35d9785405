// Calls to the admin port.

/** The JSON of an answer; throws an Error with a sentence for people. */
async function get(path) {
  let response;
  try {
    response = await fetch(path, { headers: { Accept: "application/json" }, cache: "no-store" });
  } catch {
    throw new Error("The simulator does not answer. Is it still running?");
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new Error(answer?.detail ?? `The simulator answered ${response.status}.`);
  return answer;
}

export const loadSimulator = () => get("simulator.json");
export const loadPush = (number) => get(`pushes/${encodeURIComponent(number)}`);

/** One page of pushes, newest first: `{ pushes, older, newest }`. */
export function loadPushes({ before, search, outcome }) {
  const query = new URLSearchParams();
  if (before) query.set("before", before);
  if (search) query.set("search", search);
  if (outcome) query.set("outcome", outcome);
  return get(`pushes?${query}`);
}

/** Calls `rang(newest)` when something new has come, and `changed(isConnected)` when the connection comes or goes. */
export function listen(rang, changed) {
  const stream = new EventSource("pushes/stream");
  stream.addEventListener("open", () => changed(true));
  stream.addEventListener("error", () => changed(false));
  stream.addEventListener("message", (event) => rang(JSON.parse(event.data).newest));
}
