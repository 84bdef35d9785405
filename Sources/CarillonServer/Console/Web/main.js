// Puts the page together: with phones where the server has them, as the service's console where it has not.

import { loadPhones, loadReport, loadTimeline, phoneVerb, rawPush, recallMessage, sendMessage } from "./api.js";
import { createCompose } from "./compose.js";
import { h, setText } from "./dom.js";
import { textField } from "./fields.js";
import { createPhone } from "./phone.js";
import { createRawPush } from "./raw-push.js";
import { openStream } from "./stream.js";
import { createTabs } from "./tabs.js";
import { createTimeline } from "./timeline.js";
import { createQueue } from "./touch-queue.js";

const connection = document.getElementById("connection");
const announcer = document.getElementById("announcer");
const compose = document.getElementById("compose");
const history = document.getElementById("history");

const say = (text) => setText(announcer, text);

function showConnection(state, text) {
  connection.dataset.state = state;
  setText(connection, text);
}

async function startWithPhones(stage) {
  const shelf = document.getElementById("phones");
  const views = new Map();
  const add = (phone) => {
    const queue = createQueue(async (verb, body) => {
      try {
        await phoneVerb(phone.id, verb, body);
        showConnection("live", "Live");
      } catch (error) {
        say(error.message);
        showConnection("problem", error.message);
      }
    });
    const view = createPhone(phone, queue);
    views.set(phone.id, view);
    const next = [...shelf.children].find((other) => other.dataset.phone > phone.id);
    shelf.insertBefore(view.element, next ?? null);
  };
  stage.phones.forEach(add);
  shelf.hidden = false;
  const states = () => [...views.values()].map((view) => view.state);
  const timeline = createTimeline({
    recall: (id) => recallMessage(stage.api_key, id),
    phoneName: (lane) => views.get(lane.phone)?.state.name ?? lane.device,
  });
  const service = createCompose({
    ...audienceOf(stage), categories: stage.categories,
    send: (body) => sendMessage(stage.api_key, body),
    curl: (json) => `curl -sS ${location.origin}/v1/notifications -H 'Authorization: Bearer ${stage.api_key}' -H 'Content-Type: application/json' -d ${json}`,
  });
  const raw = createRawPush({ phones: states, send: rawPush });
  compose.append(h("h2", { class: "visually-hidden", text: "Send a message" }), ...createTabs("Way of sending", [["Through the service", service], ["Straight to APNs", raw]]));
  history.append(h("h2", { class: "visually-hidden", text: "What happened" }), ...createTabs("Account", [["What happened", timeline.story], ["Log", timeline.log]]));

  setInterval(() => {
    views.forEach((view) => view.tick());
    timeline.tick();
  }, 1000);

  openStream({
    hello: () => timeline.reset(),
    phone: (state) => {
      const view = views.get(state.id);
      if (!view) return add(state);
      announce(view.state, state);
      view.show(state);
    },
    message: (account) => timeline.message(account),
    trace: (entry) => timeline.trace(entry),
  }, (state) => {
    document.body.dataset.connection = state;
    showConnection(state, { connecting: "Connecting…", live: "Live", lost: "Connection lost, trying again…" }[state]);
  });
}

/** What someone who does not see the phones should hear. */
function announce(before, after) {
  if (after.banner && after.banner.id !== before.banner?.id) say(`${after.name}: ${after.banner.title}. ${after.banner.body ?? ""}`);
  if (after.sheet && !before.sheet) say(`${after.name} asks: ${after.sheet.title}`);
  const known = new Set(before.notifications.map((item) => item.id));
  const fresh = after.notifications.find((item) => !known.has(item.id));
  if (fresh && !after.banner) say(`${after.name}, new notification: ${fresh.title}`);
  if (after.notifications.length < before.notifications.length) say(`${after.name}: ${after.notifications.length} notifications left`);
}

function audienceOf({ user }) {
  return {
    audience: [["user", `${user} (both phones)`], ["everyone", "Everyone"]],
    targets: { user: { user }, everyone: { everyone: true } },
  };
}

/** Without phones: send to a user by name and follow the message. The key stays in this page's memory. */
function startAsConsole() {
  document.body.classList.add("console");
  showConnection("live", "Connected");
  const key = textField("key", "API key", { type: "password", hint: "Made with carillon api-keys create. It goes when you close this page." });
  const user = textField("user", "User", { value: "u-42" });
  const value = (field) => field.querySelector("input").value.trim();
  const timeline = createTimeline({ recall: (id) => recallMessage(value(key), id), phoneName: (lane) => lane.device });
  const targets = { get user() { return { user: value(user) }; }, everyone: { everyone: true } };
  const form = createCompose({
    audience: [["user", "the user above"], ["everyone", "Everyone"]], targets, categories: [],
    send: async (body) => {
      const answer = await sendMessage(value(key), body);
      watch(answer.id, body.payload.aps.alert.title);
      return answer;
    },
    curl: (json) => `curl -sS ${location.origin}/v1/notifications -H 'Authorization: Bearer API_KEY' -H 'Content-Type: application/json' -d ${json}`,
  });
  user.addEventListener("input", () => form.querySelector("form").dispatchEvent(new Event("input")));
  compose.append(h("h2", { text: "Send a message" }), h("div", { class: "row who" }, key, user), form);
  history.append(h("h2", { text: "What happened" }), timeline.story);

  function watch(id, title) {
    let rounds = 0;
    const timer = setInterval(async () => {
      if ((rounds += 1) > 120) return clearInterval(timer);
      try {
        const [report, account] = await Promise.all([loadReport(value(key), id), loadTimeline(value(key), id)]);
        timeline.message({
          id, title, state: report.state, until: report.until, created: report.accepted_at, devices: account.devices.map(withKeys),
        });
      } catch {
        clearInterval(timer);
      }
    }, 1000);
  }
}

const withKeys = (lane) => ({ ...lane, events: lane.events.map((event, index) => ({ ...event, key: `${index}` })) });

try {
  const stage = await loadPhones();
  if (stage) await startWithPhones(stage);
  else startAsConsole();
} catch (error) {
  showConnection("lost", error.message);
}
