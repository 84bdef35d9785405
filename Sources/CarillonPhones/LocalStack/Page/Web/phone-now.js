// One sentence about a message on a phone: where the screen shows the message at this moment. The phone itself reports this;
// the receipts that the service has stand beside it, in the steps of the lane.

import { journey } from "./journey.js";

/** The identifiers that a message's notification can have on a phone: its own, and the one in Pushwoosh's dialect. */
const identifiers = (message) => [message.id, `com.pushwoosh.notification.${message.id}`];

/** Whether a notification on a phone is that of a message, or of a push that went directly to APNs. */
export const isOf = (message, notification) => identifiers(message).some((id) => id.toLowerCase() === notification.id.toLowerCase());

/**
 * @param {object} message as of timeline.js
 * @param {object} device one of its devices
 * @param {{ state: object, notifications: object[], view: object | null }} phone as the page shows it
 * @param {Set<string>} before the texts that its screen had before the message, such as the name of a tab
 * @param {(phone: string) => string | undefined} nameOf another phone's name
 * @param {{ wasSeen?: boolean, isWatched?: boolean }} watch whether the page has seen the message on the phone's screen, and whether
 *   it has watched the phone as long as the message has existed
 * @returns {string} the sentence; empty if nothing is known yet
 */
export function screenNow(message, device, { state, notifications, view }, before, nameOf = () => undefined, watch = {}) {
  return onScreen(message, device, { state, notifications, view }, before) ?? ended(message, device, nameOf, watch) ?? away(message, device, state, watch);
}

/**
 * The one account of a message on a phone: the strip, the lane's mark and its sentence are drawn from it. Its parameters are those of
 * `screenNow`.
 * @returns {{ at: "service" | "apns" | "phone", tone: "moving" | "good" | "ended" | "stopped", words: string }} how far it has come,
 *   what that means, and the sentence
 */
export function signalOf(message, device, phone, ...more) {
  const words = screenNow(message, device, phone, ...more);
  if (onScreen(message, device, phone, more[0])) return { at: "phone", tone: "good", words };
  const { at, isStopped, reason } = journey(message, device);
  if (isStopped) return { at, tone: "stopped", words: words || reason };
  if (at !== "phone") return { at, tone: "moving", words };
  return { at, tone: device.events.some(({ event }) => event === "opened" || event === "acted") ? "good" : "ended", words };
}

/** Where the message can be seen now; `undefined` if it cannot. */
function onScreen(message, device, { state, notifications, view }, before) {
  if (state.banner && isOf(message, state.banner)) return "A banner shows it now.";
  const isInside = Boolean(message.title) && !before.has(message.title) && textsOf(view).has(message.title);
  if (state.screen === "app" && isInside) return [`It is inside ${state.app.name}, which is open.`, sentence(device.why).replace(/^Not shown: /, "iOS itself shows nothing: ")].filter(Boolean).join(" ");
  const place = notifications.findIndex((one) => isOf(message, one));
  if (place < 0) return undefined;
  if (state.screen === "lock") return "On the lock screen.";
  return state.center_open ? "In the notification center, which is open." : "In the notification center: drag down from the top of the screen.";
}

/** The ids of messages whose notifications a phone has, in small letters: for what the page remembers to have seen. */
export const messageIDs = (notifications) => notifications.map(({ id }) => id.toLowerCase().replace(/^com\.pushwoosh\.notification\./, ""));

/** The texts in an app's views; none without an app in front. */
export function textsOf(view, texts = new Set()) {
  if (view?.text) texts.add(view.text);
  for (const child of view?.children ?? []) textsOf(child, texts);
  return texts;
}

/** What ended it here, by the newest receipt; `undefined` if none has. */
function ended({ devices = [], state }, { events, why }, nameOf, { wasSeen, isWatched }) {
  const has = (...names) => events.some(({ event, purpose }) => names.includes(event) && purpose !== "removal" && purpose !== "badge");
  const wasShown = wasSeen || has("shown");
  for (const { event, detail, purpose, reply } of events.toReversed()) {
    if (purpose === "removal" || purpose === "badge") continue;
    if (event === "opened") return "Read here.";
    if (event === "acted") return reply ? `Answered here: “${reply}”` : `Answered here${detail ? `: ${detail}` : ""}.`;
    if (event === "dismissed") return "Swiped away here.";
    if (event === "recalled" && detail === "read") return `Read on ${readerOf(devices.filter((device) => device.events !== events), nameOf) ?? "another device"}, so it has gone from this one.`;
    if (event === "recalled") return takenBack({ wasOpened: has("opened", "acted"), wasShown: wasShown || has("dismissed"), isWatched });
    if (event === "expired") return wasShown ? "Its time is over: it has gone from this phone." : sentence(why) || "Never shown: its time was over before it came.";
    if (event === "cancelled" && (purpose === "fallback" || has("accepted"))) {
      // A visible push that was not needed ended nothing.
      if (state !== "recalled" && state !== "cancelled") continue;
      return `The visible push was cancelled; ${silentPush({ wasShown, isWatched, why, wasReceived: has("received") })}`;
    }
    if (event === "cancelled") return "Cancelled: it never went out.";
  }
  return undefined;
}

/** A recalled message on a phone that shows it no more. */
function takenBack({ wasOpened, wasShown, isWatched }) {
  if (wasOpened) return "It was opened here, and is gone now.";
  if (wasShown) return "Taken back: it has gone from this phone.";
  return isWatched ? "Taken back before it was seen here." : "Taken back: it is not on this phone.";
}

/** The outcome of an assured message's silent push; the end of a sentence. */
function silentPush({ wasShown, isWatched, why, wasReceived }) {
  if (wasShown) return "the silent push had made the card, which is gone now.";
  if (why) return `the silent push made no card: ${why[0].toLowerCase()}${why.slice(1)}`.replace(/\.?$/, ".");
  return wasReceived ? "the silent push came, and no card is on this phone." : isWatched ? "the silent push has made no card." : "no card is on this phone.";
}

/** The name of the phone on which the message was opened or answered; `undefined` if none is known to have. */
function readerOf(devices, nameOf) {
  const reader = devices.find(({ events }) => events.some(({ event }) => event === "opened" || event === "acted"));
  return reader?.phone && nameOf(reader.phone);
}

/** The phone's own account as a sentence; empty if it has none. */
function sentence(why) {
  if (!why) return "";
  const words = /^[A-Z]/.test(why) ? why : `Not shown: ${why}`;
  return words.endsWith(".") ? words : `${words}.`;
}

/** Why the message cannot be seen. */
function away(message, device, state, { wasSeen }) {
  const happened = new Set(device.events.filter(({ purpose }) => purpose !== "removal" && purpose !== "badge").map(({ event }) => event));
  const isOver = Boolean(message.until) && Date.parse(message.until) <= Date.now();
  if (wasSeen || happened.has("shown")) return message.state === "recalled" ? "Taken back: it is on this phone no more." : "It was shown, and is on this phone no more.";
  if (happened.has("rejected")) return "Never came: APNs refused the push.";
  if (state.aeroplane && message.state === "recalled" && !happened.has("received")) return "Taken back while this phone is offline: it was never shown here.";
  if (state.aeroplane && !happened.has("received")) return isOver ? "Never shown: its time was over while this phone was offline." : "It waits at APNs, since this phone is offline.";
  if (device.why) return sentence(device.why);
  if (message.origin === "apns" && happened.has("accepted")) {
    if (message.mode === "voip") return state.calls?.some((call) => call.state === "ringing") ? "The phone rings." : state.calls?.length > 0 ? "The call goes on." : "The push for a call has come. No call is there any more.";
    if (message.mode === "background") return `iOS shows nothing of it itself. ${state.app.name} was woken, and what it has made of it is on the phone.`;
  }
  if (happened.has("received")) return `${state.app.name} has it, and shows no notification.`;
  return isOver ? "Never shown: its time is over." : "";
}
