// Calls to the service.

/** A call that did not succeed; `message` is a sentence for people, and `pointer` names the member that it is about. */
export class CallError extends Error {
  constructor(status, message, pointer) {
    super(message);
    this.status = status;
    this.pointer = pointer;
  }
}

/** A `body` that is a string is JSON already. The JSON of the answer, or `null`; throws a `CallError` for any answer but a success, and where there is none. */
export async function call(method, path, { body, key, headers = {} } = {}) {
  const options = { method, headers: { Accept: "application/json", ...headers }, cache: "no-store" };
  if (key) options.headers.Authorization = `Bearer ${key}`;
  if (method !== "GET" && method !== "DELETE") {
    options.headers["Content-Type"] = "application/json";
    options.body = typeof body === "string" ? body : JSON.stringify(body ?? {});
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new CallError(0, "The service does not answer. Is it still running?");
  }
  const text = await response.text();
  const answer = parse(text);
  if (!response.ok) {
    throw new CallError(response.status, answer?.detail ?? answer?.title ?? `The service answered ${response.status}.`, answer?.pointer);
  }
  return answer;
}

function parse(text) {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Fails when the service does not answer, or answers that it cannot work. */
export const checkHealth = () => call("GET", "healthz");
export const sendMessage = (key, body) => call("POST", "v1/notifications", { key, body });
/** Stops a message for a while (`pause`), lets it go on (`resume`), or stops it for good (`cancel`). */
export const steerMessage = (key, id, change) => call("POST", `v1/notifications/${encodeURIComponent(id)}/${change}`, { key });
export const recallMessage = (key, id) => call("DELETE", `v1/notifications/${encodeURIComponent(id)}`, { key });
/** Marks a user's message as read, as a backend does when it was read on another device. */
export const markRead = (key, user, id) => call("POST", `v1/users/${encodeURIComponent(user)}/read`, { key, body: { messages: [id] } });
export const loadTimeline = (key, id) => call("GET", `v1/notifications/${encodeURIComponent(id)}/timeline`, { key });
export const loadReport = (key, id) => call("GET", `v1/notifications/${encodeURIComponent(id)}`, { key });
