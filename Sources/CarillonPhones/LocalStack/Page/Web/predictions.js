// What will become of a push on each phone, as it is now; and afterwards, whether it has come so.

import { h, reconcile, setAttribute, setText } from "./dom.js";

/** For so long, in ms, it is watched what comes of a push. */
const limits = { settled: 6000, later: 100_000 };
/** Outcomes that need the person's permission. */
const needsPermission = new Set(["banner", "list", "quiet", "later"]);
const places = ["open", "away", "quit"];

/** Where an app is, as far as it decides what a push does: the place in `places`. */
const placeOf = (app) => (app.force_quit ? 2 : app.state === "in the foreground" ? 0 : 1);

/**
 * What will become of an example on a phone.
 * @param {object} example of GET /presets: a push, or a message through the service
 * @param {object} phone its state
 * @param {{ outcomes: object, registering: string }} known the outcomes of GET /presets, and the id of the app that registers with the service
 * @returns {{ kind: string, says: string } | null} `null` where nothing is known of that app
 */
export function predicted(example, phone, { outcomes, registering }) {
  const { app, permission } = phone;
  const place = placeOf(app);
  const isMessage = example.type === undefined;
  if (isMessage && app.id !== registering) return { kind: "nothing", says: `Nothing: ${app.name} is on it, which the service does not reach.` };
  const named = example.apps?.[app.id]?.split(" ")[place];
  if (!named && app.id !== registering) return null;
  const own = named ? outcomes[named] : { shows: example.shows?.[places[place]] ?? "not-sent", says: example.expect[place][1] };
  if (own.shows === "not-sent") return { kind: "not-sent", says: own.says };
  if (!(example.type === "voip" ? app.call_token : app.token)) return { kind: "not-sent", says: "Not sent: the app has no device token yet." };
  if (phone.aeroplane) return { kind: "waits", says: "Nothing yet: the phone is offline. APNs keeps the newest push until it is back." };
  if (needsPermission.has(own.shows) && permission === "denied") return { kind: "nothing", says: "Nothing: notifications are not allowed on it." };
  if (needsPermission.has(own.shows) && permission === "not-determined") return { kind: "nothing", says: "Nothing: nobody has allowed notifications on it yet." };
  if (own.shows === "banner" && phone.settings.focus) return { kind: "quiet", says: "In the list only: a Focus is on." };
  return { kind: own.shows, says: own.says };
}

/**
 * Whether a prediction has come true.
 * @param {string} kind of the prediction
 * @param {{ banner: boolean, listed: boolean, gone: boolean, call: boolean }} seen on the phone since the push was handed over
 * @param {number} elapsed since then, in ms
 * @returns {boolean | undefined} `undefined` while it is open
 */
export function comesTrue(kind, seen, elapsed) {
  const isSettled = elapsed >= limits.settled;
  const comes = (isSo, limit = limits.settled) => (isSo ? true : elapsed >= limit ? false : undefined);
  const stays = (isSo) => (isSo ? (isSettled ? true : undefined) : false);
  switch (kind) {
    case "banner": return comes(seen.banner);
    case "list": case "quiet": return comes(seen.listed);
    case "later": return comes(seen.listed, limits.later);
    case "call": return comes(seen.call);
    case "gone": return comes(seen.gone);
    case "stays": return stays(!seen.gone);
    default: return stays(!seen.banner && !seen.listed && !seen.call);
  }
}

/**
 * @param {object} options `views()`: the phones by their ids, as of phone.js; `known`: as of `predicted`; `account(id)` of a message or push;
 *   `sentence(account, phone)`: what the timeline says of it there
 */
export function createPredictions({ views, known, account, sentence }) {
  const element = h("ul", { class: "predictions", "aria-label": "What will happen", "aria-live": "polite", hidden: true });
  let example = null;
  let phones = [];
  /** By phone, what went out: `id`, `at`, the prediction, and what the phone had then. */
  let sent = new Map();

  const addressed = () => phones.map((id) => views().get(id)).filter(Boolean);
  const now = (id) => {
    const view = views().get(id);
    return { ids: new Map(view.notifications.map((one) => [one.id, one.at])), banner: view.state.banner?.id, calls: new Set(view.state.calls.map((call) => call.id)) };
  };
  function look(id) {
    const push = sent.get(id);
    const view = views().get(id);
    if (!push || push.isTrue !== undefined || !view) return;
    const { ids, banner, calls } = now(id);
    push.seen.banner ||= Boolean(banner) && banner !== push.before.banner;
    push.seen.listed ||= [...ids].some(([one, at]) => push.before.ids.get(one) !== at);
    push.seen.gone ||= [...push.before.ids.keys()].some((one) => !ids.has(one)) || (push.before.ids.size === 0 && performance.now() - push.at > limits.settled);
    push.seen.call ||= [...calls].some((call) => !push.before.calls.has(call));
    push.isTrue = comesTrue(push.prediction.kind, push.seen, performance.now() - push.at);
  }
  function draw() {
    const rows = phones.filter((id) => views().has(id)).map((id) => {
      const push = sent.get(id);
      const prediction = push?.prediction ?? (example ? predicted(example, views().get(id).state, known) : null);
      return { id, name: views().get(id).state.name, prediction, isTrue: push?.isTrue, push };
    }).filter(({ prediction }) => prediction);
    element.hidden = rows.length === 0;
    reconcile(element, rows, { key: ({ id }) => id, create: createRow, update: (row, item) => row.show(item, instead(item)) });
  }
  function instead({ id, isTrue, push }) {
    if (isTrue !== false) return "";
    const told = account(push.id);
    return told ? sentence(told, id) : "";
  }

  return {
    element,
    /** Elements as high as this one becomes for the phones that the form addresses, as they are now. */
    tallest: (examples) => examples.map((one) => h("ul", { class: "predictions" }, addressed().map(({ state }) => {
      const row = createRow();
      row.show({ name: state.name, prediction: { says: predicted(one, state, known)?.says ?? "" } }, "");
      return row;
    }))),
    subject: () => JSON.stringify(addressed().map(({ state: { id, app, aeroplane, permission, settings } }) => [id, app.id, placeOf(app), aeroplane, permission, settings.focus])),
    /** The form holds this example, or none, and addresses these phones. */
    about(next, ids) {
      if (next !== example) sent = new Map();
      example = next;
      phones = ids;
      draw();
    },
    /** What the form holds is about to go out to a phone; returns a function for when it has gone out, under an id. */
    begin(phone) {
      const prediction = example && views().has(phone) ? predicted(example, views().get(phone).state, known) : null;
      if (!prediction) return () => {};
      const push = { at: performance.now(), prediction, before: now(phone), seen: { banner: false, listed: false, gone: false, call: false } };
      return (id) => {
        sent.set(phone, { id, ...push });
        look(phone);
        draw();
      };
    },
    /** Something has happened on the phones, or time has passed. */
    look() {
      if (example === null) return;
      phones.forEach(look);
      draw();
    },
  };
}

const signs = { open: ["○", "expected"], true: ["✓", "so it was"], false: ["✗", "it was otherwise"] };

function createRow() {
  const sign = h("span", { class: "prediction-sign" });
  const name = h("strong", {});
  const says = h("span", {});
  const otherwise = h("span", { class: "prediction-otherwise" });
  const element = h("li", { class: "prediction" }, sign, h("span", {}, name, " ", says, " ", otherwise));
  element.show = ({ name: words, prediction, isTrue = "open" }, instead) => {
    setAttribute(element, "data-outcome", isTrue);
    setText(sign, signs[isTrue][0]);
    setAttribute(sign, "aria-label", signs[isTrue][1]);
    setText(name, `${words}:`);
    setText(says, prediction.says);
    setText(otherwise, instead);
  };
  return element;
}
