// Calls to the service and, where they exist, to the phones' routes.

/** A call that did not succeed; `message` is a sentence for people. */
export class CallError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function call(method, path, { body, key, headers = {} } = {}) {
  const options = { method, headers: { Accept: "application/json", ...headers }, cache: "no-store" };
  if (key) options.headers.Authorization = `Bearer ${key}`;
  if (method !== "GET" && method !== "DELETE") {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body ?? {});
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
    throw new CallError(response.status, answer?.detail ?? answer?.title ?? `The service answered ${response.status}.`);
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

/** The phones and what the page may use; `null` where the service runs without phones. */
export async function loadPhones() {
  try {
    return await call("GET", "phones");
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

export const phoneVerb = (phone, verb, body) => call("POST", `phones/${encodeURIComponent(phone)}/${verb}`, { body });
export const rawPush = (body) => call("POST", "push", { body });
export const sendMessage = (key, body) => call("POST", "v1/notifications", { key, body });
export const recallMessage = (key, id) => call("DELETE", `v1/notifications/${encodeURIComponent(id)}`, { key });
export const loadTimeline = (key, id) => call("GET", `v1/notifications/${encodeURIComponent(id)}/timeline`, { key });
export const loadReport = (key, id) => call("GET", `v1/notifications/${encodeURIComponent(id)}`, { key });
