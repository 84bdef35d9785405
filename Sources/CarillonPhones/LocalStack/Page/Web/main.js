// The page of `carillon up`: the phones, a form to send messages, and the timeline of each message.
// Modules that are not in this folder are the service's (Sources/CarillonServer/Console/Web) or every page's (Sources/CarillonPage/Web).

import { createAbsence } from "./absence.js";
import { markRead, recallMessage, sendMessage, steerMessage } from "./api.js";
import { followBrowser } from "./appearance.js";
import { createCompose } from "./compose.js";
import { showConnection } from "./connection.js";
import { h, setText } from "./dom.js";
import { createFirstSteps } from "./first-steps.js";
import { createGiveAway } from "./give-away.js";
import { createGlance } from "./glance.js";
import { createGuideView, guideLink } from "./guide-view.js";
import { createInspect } from "./inspect.js";
import { createLiveForm } from "./live-form.js";
import { createLog } from "./log.js";
import { indented } from "./json-text.js";
import { keepFocus } from "./keep-focus.js";
import { bodyAgain, sentPayload } from "./message-body.js";
import { isOf, messageIDs, signalOf, textsOf } from "./phone-now.js";
import { createPhone } from "./phone.js";
import { saveFile, takePicture } from "./phone-picture.js";
import { addEpisode, changeExpiry, changeLiveActivity, checkPayload, commandPhone, loadLiveActivity, loadPhones, loadPresets, measureMessage, pushToAPNs, resetDemo } from "./phones-api.js";
import { createPredictions } from "./predictions.js";
import { createRawPush } from "./raw-push.js";
import { passedOn } from "./scene-plan.js";
import { createScenes } from "./scene-player.js";
import { missedPhones, sendWarning } from "./send-warnings.js";
import { createSent } from "./sent.js";
import { linkTo, swiftTest } from "./share.js";
import { createSoundSwitch } from "./sounds.js";
import { createStageBar } from "./stage-bar.js";
import { followStage, sceneLink } from "./stage-mode.js";
import { openStream } from "./stream.js";
import { createTabs } from "./tabs.js";
import { createTimeline } from "./timeline.js";
import { createQueue } from "./touch-queue.js";
import { createTravel } from "./travel.js";

const stageSwitch = h("button", { type: "button", class: "quiet stage-switch", text: "Stage", title: "For a projector: large phones, and the lanes beside them" });
const sceneOpener = sceneLink("Scenes", { scene: "", play: null });
document.getElementById("connection").before(sceneOpener, stageSwitch, createSoundSwitch());
followStage(stageSwitch);
keepFocus();
const announcer = document.getElementById("announcer");
const say = (text) => setText(announcer, text);

function start(setup, presets) {
  const views = new Map();
  const accounts = new Map();
  const predictions = [];
  const lookAhead = () => predictions.forEach((one) => one.look());
  const sent = createSent();
  const push = async (request) => {
    const answer = await pushToAPNs(request);
    if (answer.apns_id) {
      sent.note(answer.apns_id, { request });
      glance.look();
    }
    timeline.tick();
    return answer;
  };
  const send = async ({ body, again, title }) => {
    const answer = await sendMessage(setup.api_key, body);
    sent.note(answer.id, { again });
    // Passes the title along, because no push of a scheduled message has carried the title yet.
    if (answer.state === "scheduled") timeline.message({ id: answer.id, title, state: answer.state, send_at: JSON.parse(body).send_at, created: new Date().toISOString(), devices: [] });
    else glance.look();
    timeline.tick();
    return answer;
  };
  /** A function that sends a message of this tab once more, as another message; `null` for one that others sent. */
  const sender = ({ id }) => {
    const known = sent.get(id);
    if (!known) return null;
    const run = known.request ? () => push(known.request) : () => send({ body: bodyAgain(known.again), again: known.again });
    return run;
  };
  const app = { get name() { return [...views.values()][0]?.state.app.name ?? ""; } };
  const makePredictions = () => {
    const made = createPredictions({
      views: () => views, known: { outcomes: presets.outcomes, registering: setup.apps[0][0] }, account: (id) => accounts.get(id?.toLowerCase()),
      sentence(message, phone) {
        const device = message.devices.find((one) => one.phone === phone && !describe(one, message).isFormer?.());
        return device ? describe(device, message).signal().words : "";
      },
    });
    predictions.push(made);
    const phonesOf = (to) => (views.has(to) ? [to] : ["", "where", "named"].includes(to) ? [] : [...views.keys()]);
    return {
      element: made.element, tallest: made.tallest, subject: made.subject, about: (example, to) => made.about(example, phonesOf(to)),
      begin(to) {
        const all = phonesOf(to).map(made.begin);
        return (id) => all.forEach((hasGone) => hasGone(id));
      },
    };
  };
  const raw = createRawPush({
    predictions: makePredictions(),
    push, inspect: createInspect(checkPayload, app), phones: setup.names, presets: presets.pushes, outcomes: presets.outcomes, addEpisode,
    apps: setup.apps, putApp: (phone, value) => perform(phone, "app", { value }), topic: setup.topic, options: setup.push_options,
    expiry: { first: setup.expiry, change: changeExpiry },
    giveAway: createGiveAway({ link: () => linkOf("push", raw.fields()), test: pushTest, picture: () => savePicture(raw.fields().phone) }),
  });
  const stateOf = (id) => (views.get(id) ?? [...views.values()][0]).state;
  const linkOf = (form, fields) =>
    linkTo(location.href, { form, fields, phones: Object.fromEntries([...views].map(([id, view]) => [id, passedOn(view.state)])) });
  async function pushTest() {
    const { payload, type, priority, collapse, phone } = raw.fields();
    const { shown } = await checkPayload({ payload, push_type: type, priority: Number(priority) });
    return swiftTest({ payload, type, collapse, state: appPlace(stateOf(phone)), shown });
  }
  function messageTest() {
    const { payload } = service.message();
    const { title, subtitle, body, to } = service.fields();
    return swiftTest({ payload: indented(sentPayload(payload)), type: "alert", state: appPlace(stateOf(to)), shown: { title, subtitle, body } });
  }
  /** Saves a picture of the phone that was chosen, or of all, with the newest message that the timeline shows of them. */
  async function savePicture(chosen) {
    const ids = views.has(chosen) ? [chosen] : [...views.keys()];
    const message = [...timeline.element.querySelectorAll(".message")].find((one) => ids.some((id) => one.querySelector(`.lane[data-device="${id}"]`)));
    const file = await takePicture(ids.map((id) => views.get(id).element), message ?? null);
    saveFile(file);
    say(`The picture is saved as ${file.name}.`);
  }
  /** Has a phone do something; where that fails, the phone's caption says why. */
  async function perform(id, command, body) {
    try {
      await commandPhone(id, command, body);
    } catch (error) {
      say(error.message);
      views.get(id)?.complain(error.message);
    }
  }
  const phones = document.getElementById("phones");
  const glance = createGlance(phones);
  phones.after(glance.element);
  // A phone that has not started yet has its place.
  phones.append(...setup.names.map(([id, name]) => h("div", { class: "phone-space", data: { phone: id } }, h("p", { class: "phone-name", text: name }), h("div", { class: "phone-body" }))));
  const show = (state) => {
    const view = views.get(state.id);
    if (!view) return add(state);
    announce(view.state, state);
    if (state.banner) noteSeen(state.id, [state.banner]);
    if (state.banner && state.banner.id !== view.state.banner?.id) glance.seen(view.element, () => view.element.querySelector(".note-banner"));
    view.show(state);
    raw.showApp(state.id, state.app);
    timeline.tick();
    travel.tick();
    lookAhead();
    lookAtSteps();
    scenes.look();
    service.refresh();
    live.look();
  };
  const firstSteps = createFirstSteps();
  /** By message and phone: the texts on the screen when the page first heard of the message. */
  const textsBefore = new Map();
  /** By phone: the ids of messages that its screen or its list has shown. The phone's own restart changes nothing about that. */
  const seen = new Map(setup.names.map(([id]) => [id, new Set()]));
  /** Since when, in ms, the page has missed nothing. */
  let watchedSince = Infinity;
  const noteSeen = (phone, notifications) => {
    for (const id of messageIDs(notifications)) seen.get(phone)?.add(id);
  };
  /** An app can show a message in a banner of its own. */
  const noteSeenInApp = (phone, texts) => {
    for (const { id, title } of accounts.values()) if (title && texts.has(title) && !textsBefore.get(id)?.get(phone)?.has(title)) seen.get(phone)?.add(id.toLowerCase());
  };
  const watch = (message, phone) => ({ wasSeen: seen.get(phone)?.has(message.id.toLowerCase()), isWatched: Date.parse(message.created) >= watchedSince });
  const lookAtSteps = () => firstSteps.look({ phones: [...views.values()].map(({ state }) => state), messages: [...accounts.values()], listed: new Map([...views].map(([id, { notifications }]) => [id, notifications.length])) });
  const noteMessage = (account) => {
    if (!textsBefore.has(account.id)) textsBefore.set(account.id, new Map([...views].map(([id, view]) => [id, textsOf(view.view)])));
    accounts.set(account.id.toLowerCase(), account);
    for (const [id, view] of views) if (view.state.screen === "app") noteSeenInApp(id, textsOf(view.view));
    timeline.message(account);
    travel.show(account);
    lookAhead();
    lookAtSteps();
    scenes.look();
  };
  const add = (state) => {
    const view = createPhone(state, createQueue((command, body) => perform(state.id, command, body)));
    views.set(state.id, view);
    raw.showApp(state.id, state.app);
    const space = [...phones.children].find((other) => other.dataset.phone === state.id);
    if (space) space.replaceWith(view.element);
    else phones.append(view.element);
    followBrowser(() => view.state.dark, (on) => commandPhone(state.id, "set", { setting: "browser-dark", on }).catch(() => {}));
  };
  setup.phones.forEach(add);
  /** What a lane says of its phone; a device that is none of the page's says only what the service knows. */
  const describe = (device, message) => {
    const view = views.get(device.phone);
    const nameOf = (id) => views.get(id)?.state.name;
    if (!view) return { id: device.phone ?? device.device, name: device.device, why: device.why };
    const isHere = () => view.notifications.some((one) => isOf(message, one));
    return {
      id: device.phone, name: view.state.name, why: device.why,
      isFormer: () => message.origin !== "apns" && device.device !== view.state.app.installation,
      signal: () => signalOf(message, device, view, textsBefore.get(message.id)?.get(device.phone) ?? new Set(), nameOf, watch(message, device.phone)),
      isGone: () => !isHere(),
      light: (isOn) => view.light((notification) => isOn && isOf(message, notification)),
    };
  };

  const timeline = createTimeline({
    recall: (id) => recallMessage(setup.api_key, id),
    async readElsewhere(id) {
      const { marked } = await markRead(setup.api_key, setup.user, id);
      if (marked === 0) throw new Error("It is in the inbox of no user: a message to one device is nobody’s to read elsewhere.");
    },
    steer: (id, change) => steerMessage(setup.api_key, id, change),
    again: sender,
    describe,
    emptyText: "No messages yet. Send one with the form above, or with the curl command printed by carillon up.",
  });
  const travel = createTravel(describe);
  timeline.element.prepend(travel.element);
  timeline.element.append(h("p", { class: "hint guide" }, guideLink("Why a push is not shown", "why-not-shown")));
  const log = createLog();
  /** Whether a closed scene's phones are on their way back. */
  let isPuttingBack = false;
  /** The states of the phones that a choice of the form means: one, or all. */
  const phonesFor = (to) => (views.has(to) ? [views.get(to)] : [...views.values()]).map(({ state }) => state);
  const service = createCompose({
    audience: [["user", "Both phones"], ...setup.names, ["everyone", "Everyone"]],
    targets: targets(setup, views),
    categories: setup.categories, examples: presets.messages, curlKey: setup.api_key,
    warning: (mode, to) => (isPuttingBack ? "The phones are being put back as they were before the scene." : sendWarning(phonesFor(to), setup.apps[0], mode)),
    missed: (to) => (to === "user" ? missedPhones(phonesFor(to), setup.apps[0]) : ""),
    measure: measureMessage,
    predictions: makePredictions(),
    giveAway: createGiveAway({ link: () => linkOf("message", service.fields()), test: messageTest, picture: () => savePicture(service.fields().to) }),
    tryOut: (body) => sendMessage(setup.api_key, body), send: (body, message) => send(message), inspect: createInspect(checkPayload, app),
  });
  const forms = { message: service, push: raw };
  const live = createLiveForm({
    examples: presets.live, audience: [["user", "Both phones"], ...setup.names], targets: targets(setup, views), phones: setup.names, usual: setup.apps[0][0],
    stateOf: (id) => views.get(id)?.state,
    send: (request) => changeLiveActivity(setup.api_key, request), load: (path) => loadLiveActivity(setup.api_key, path),
  });
  const scenes = createScenes({
    scenes: presets.scenes, opener: sceneOpener, registering: setup.apps[0][0], say,
    phone: (id) => views.get(id), texts: (id) => textsOf(views.get(id).view), account: (id) => accounts.get(id?.toLowerCase()),
    act: {
      command: commandPhone,
      async push({ phone, type, priority, payload }) {
        const answer = await push({ phone, push_type: type, priority, payload });
        if (answer.status !== 200) throw new Error(`APNs refused the push: ${answer.reason ?? answer.error}`);
        return answer.apns_id;
      },
      async send({ payload, mode = "visible", seconds = 0 }) {
        const always = { to: { user: setup.user }, payload, mode };
        const again = { members: JSON.stringify(always).slice(1, -1), seconds };
        return (await send({ body: bodyAgain(again), again, title: payload.aps.alert.title })).id;
      },
      recall: (id) => recallMessage(setup.api_key, id),
      expiry: raw.expiry,
      fill(form, fields) {
        forms[form].element.dispatchEvent(new Event("choose"));
        forms[form].fill(fields);
      },
      submit: (form) => forms[form].submit(),
    },
    puttingBack(isSo) {
      isPuttingBack = isSo;
      service.refresh();
    },
    async reset() {
      await resetDemo();
      for (const storage of [localStorage, sessionStorage]) storage.clear();
      location.replace(location.pathname);
    },
  });
  document.getElementById("page").prepend(scenes.element);
  const guides = createGuideView();
  document.getElementById("page").after(guides.element);
  document.querySelector(".tagline").after(firstSteps.element);
  document.getElementById("compose").append(
    h("h2", { class: "visually-hidden", text: "Send a message" }), ...createTabs("Send", [["Through the service", service.element], ["Directly to APNs", raw.element], ["Live Activities", live.element]]));
  document.getElementById("compose").before(createStageBar({
    labels: presets.messages.map(({ label }) => label), send: service.sendExample, isOn: () => document.documentElement.classList.contains("stage"),
    async recall() {
      const newest = [...accounts.values()].filter((one) => one.origin !== "apns" && one.state !== "recalled").sort((a, b) => Date.parse(b.created) - Date.parse(a.created))[0];
      if (!newest) return "There is no message to recall.";
      await recallMessage(setup.api_key, newest.id);
      return `Recalled: ${newest.title || "the newest message"}`;
    },
  }));
  document.getElementById("history").append(
    h("h2", { class: "visually-hidden", text: "Delivery" }), ...createTabs("Delivery", [["Timeline", timeline.element], ["Log", log.element]]));

  // Pointing at a card highlights the lane of the card's message.
  for (const type of ["pointerover", "pointerleave"]) phones.addEventListener(type, ({ target }) => {
    const card = type === "pointerover" ? target.closest(".note") : null;
    const phone = card?.closest(".phone")?.dataset.phone;
    timeline.light((device, message) => Boolean(phone) && device.phone === phone && isOf(message, { id: card.dataset.id ?? "" }));
  });

  document.getElementById("page").classList.remove("starting");
  setInterval(() => {
    views.forEach((view) => view.tick());
    timeline.tick();
    travel.tick();
    lookAhead();
    live.look();
  }, 1000);

  const absence = createAbsence(phones, (words) => [service, raw, live].forEach((form) => form.switchOff(words)));
  let wasLost = false;
  openStream({
    hello() {
      watchedSince = Date.now();
      accounts.clear();
      timeline.reset();
      travel.reset();
      log.reset();
      if (!wasLost) return;
      wasLost = false;
      timeline.settle();
      // What could not be asked meanwhile is asked now.
      service.refresh();
      raw.refresh();
    },
    phone: show,
    notifications(change) {
      const view = views.get(change.phone);
      const before = view.notifications;
      view.change(change);
      noteSeen(change.phone, change.put);
      if (!change.reset) announceNotifications(view.state, before, view.notifications);
      if (!change.reset && change.put.length > 0 && view.state.screen === "lock") glance.seen(view.element, () => view.element.querySelector(".lock-notes .note"));
      timeline.tick();
      travel.tick();
      lookAhead();
      lookAtSteps();
      scenes.look();
    },
    view({ phone, view }) {
      views.get(phone).drawApp(view ?? null);
      noteSeenInApp(phone, textsOf(view));
      scenes.look();
    },
    message: noteMessage,
    trace: log.add,
  }, (state) => {
    wasLost ||= state === "lost";
    absence.show(state);
    showConnection(state, { connecting: "Connecting…", live: "Live", lost: "Connection lost, reconnecting…" }[state]);
  });
  scenes.follow();
  guides.follow();
}

/** Where the app is, as far as it decides what a push does. */
function appPlace({ app, screen }) {
  if (app.force_quit) return "quit";
  return screen === "app" ? "front" : "away";
}

/** Whom each choice of the form means; a phone is its installation, which it may get later. */
function targets({ user, names }, views) {
  const all = { user: { user }, everyone: { everyone: true } };
  for (const [id] of names) {
    Object.defineProperty(all, id, { get() {
        const installation = views.get(id)?.state.app.installation;
        return installation ? { devices: [installation] } : null;
      } });
  }
  return all;
}

/** What someone who does not see the phones should hear. */
function announce(before, after) {
  if (after.banner && after.banner.id !== before.banner?.id) say(`${after.name}: ${after.banner.title}. ${after.banner.body ?? ""}`);
  const known = new Set(before.calls.map(({ id }) => id));
  const call = after.calls.find(({ id, state }) => state === "ringing" && !known.has(id));
  if (call) say(`${after.name} rings: ${call.name}`);
  if (after.sheet && !before.sheet) say(`${after.name} asks: ${after.sheet.title}`);
}

function announceNotifications({ name, banner }, before, after) {
  const known = new Set(before.map((item) => item.id));
  const fresh = after.find((item) => !known.has(item.id));
  if (fresh && !banner) say(`${name}, new notification: ${fresh.title}`);
  if (after.length < before.length) say(`${name}: ${after.length} notifications left`);
}

/** Between two attempts to load what the page begins with, in ms. */
const retryPause = 2000;
async function begin() {
  let parts;
  try {
    parts = await Promise.all([loadPhones(), loadPresets()]);
  } catch (error) {
    showConnection("lost", error.message);
    setTimeout(begin, retryPause);
    return;
  }
  start(...parts);
}
await begin();
