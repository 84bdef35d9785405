// The service's own page: sends a message with an API key, and asks for its timeline until nothing more is expected.

import { checkHealth, loadReport, loadTimeline, recallMessage, sendMessage, steerMessage } from "./api.js";
import { createCompose } from "./compose.js";
import { showConnection } from "./connection.js";
import { h } from "./dom.js";
import { textField } from "./fields.js";
import { createTimeline } from "./timeline.js";

const pollInterval = 1000;
const pollLimit = 120;

const examples = [
  { label: "Alert", title: "Hello", body: "Sent from the page of the service." },
  { label: "Expires in 10 seconds", title: "Hello", body: "Valid for ten seconds.", until: "10" },
  { label: "Silent", title: "Hello", body: "Sent as a background push.", mode: "silent" },
];

// The key stays in this page's memory.
const key = textField("key", "API key", { type: "password", hint: "Created with carillon api-keys create. Not stored." });
const user = textField("user", "User", { value: "u-42" });
const value = (field) => field.querySelector("input").value.trim();

/** After the last key, before the API key is tried, in ms. */
const keyPause = 300;
let keyTimer = null;
/** Says "Connected" only of a key with which the service would take a message; nothing is sent. */
async function tryKey() {
  const tried = value(key);
  if (tried === "") return showConnection("connecting", "Enter an API key");
  try {
    await sendMessage(tried, { to: { everyone: true }, payload: { aps: { alert: "?" } }, dry_run: true });
  } catch (error) {
    // Any other refusal is about the message.
    const isRefused = error.status === 401 || error.status === 403;
    if (tried !== value(key)) return;
    if (isRefused || error.status === 0) return showConnection(isRefused ? "problem" : "lost", isRefused ? `Not connected: ${error.message}` : error.message);
  }
  if (tried === value(key)) showConnection("live", "Connected");
}
key.addEventListener("input", () => {
  clearTimeout(keyTimer);
  showConnection("connecting", value(key) === "" ? "Enter an API key" : "Trying the key…");
  keyTimer = setTimeout(tryKey, keyPause);
});

const timeline = createTimeline({
  recall: (id) => recallMessage(value(key), id),
  steer: (id, change) => steerMessage(value(key), id, change),
  describe: ({ device }) => ({ id: device, name: device }),
  emptyText: "Messages sent from this page appear here.",
});
const form = createCompose({
  audience: [["user", "The user above"], ["everyone", "Everyone"]],
  targets: { get user() { return { user: value(user) }; }, everyone: { everyone: true } },
  categories: [], examples, curlKey: "API_KEY",
  tryOut: (body) => sendMessage(value(key), body),
  send: async (body, { title }) => {
    const answer = await sendMessage(value(key), body);
    showConnection("live", "Connected");
    watch(answer.id, title);
    return answer;
  },
});
user.addEventListener("input", form.refresh);

document.getElementById("compose").append(
  h("h2", { text: "Send a message" }),
  h("form", { class: "row account", on: { submit: (event) => event.preventDefault() } }, key, user), form.element);
document.getElementById("history").append(h("h2", { text: "Timeline" }), timeline.element);

/** Shows what is known of a message, and what becomes known of it in the next two minutes, or until it has gone out. */
function watch(id, title) {
  let rounds = 0;
  let isRunning = false;
  const timer = setInterval(async () => {
    if ((rounds += 1) > pollLimit && !isRunning) return clearInterval(timer);
    try {
      const [report, { devices }] = await Promise.all([loadReport(value(key), id), loadTimeline(value(key), id)]);
      isRunning = report.progress !== undefined && (report.state === "accepted" || report.state === "sending");
      timeline.message({
        id, title, state: report.state, until: report.until, created: report.accepted_at, devices: devices.map(withKeys),
        progress: report.progress, counts: report.counts,
      });
    } catch (error) {
      clearInterval(timer);
      showConnection("problem", error.message);
    }
  }, pollInterval);
}

const withKeys = (device) => ({ ...device, events: device.events.map((event, index) => ({ ...event, key: `${index}` })) });

setInterval(timeline.tick, 1000);
try {
  await checkHealth();
  await tryKey();
} catch (error) {
  showConnection("lost", error.message);
}
