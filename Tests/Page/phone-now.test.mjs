// The sentence that a lane ends in: what the phone shows now, and otherwise why it does not.

import assert from "node:assert/strict";
import test from "node:test";
import { isOf, messageIDs, screenNow, textsOf } from "./phone-now.js";

const step = (event, more = {}) => ({ event, purpose: ["queued", "sent", "accepted", "rejected"].includes(event) ? "show" : undefined, ...more });
const steps = (...names) => names.map((name) => step(name));
const sent = steps("queued", "sent", "accepted");
const card = { id: "M1" };

/** What the lane of one phone says. */
function said({ events = sent, why, state = {}, notifications = [], view = null, message = {}, devices, before = [], watch } = {}) {
  const device = { device: "i1", phone: "phone-1", events, why };
  const phone = { state: { screen: "home", center_open: false, banner: null, aeroplane: false, app: { name: "Chime" }, ...state }, notifications, view };
  const names = { "phone-2": "Ada’s old iPhone" };
  return screenNow({ id: "m1", title: "Storm", devices: devices ?? [device], ...message }, device, phone, new Set(before), (id) => names[id], watch);
}

test("what is on the screen comes first, wherever it is, and whatever the service knows", () => {
  assert.equal(said({ state: { banner: card }, notifications: [card] }), "A banner shows it now.");
  assert.equal(said({ state: { screen: "lock" }, notifications: [card] }), "On the lock screen.");
  assert.equal(said({ notifications: [card] }), "In the notification center: drag down from the top of the screen.");
  assert.equal(said({ state: { center_open: true }, notifications: [card] }), "In the notification center, which is open.");
  // After a restart the service has heard nothing yet; an assured message may be known as received alone, or by its second push.
  for (const events of [sent, [...sent, ...steps("received")], [...sent, step("accepted", { purpose: "fallback" })], [...sent, step("recalled")]]) {
    assert.equal(said({ events, state: { screen: "lock" }, notifications: [card] }), "On the lock screen.");
  }
});

test("a banner of the app itself is told beside the reason why iOS shows none", () => {
  const view = { text: "", children: [{ text: "Storm" }] };
  const why = "Not shown: the person does not allow notifications of this app.";
  assert.equal(said({ why, view, state: { screen: "app" } }), "It is inside Chime, which is open. iOS itself shows nothing: the person does not allow notifications of this app.");
  assert.equal(said({ why, view, state: { screen: "app" }, before: ["Storm"] }), why);
  assert.equal(said({ why, view, state: { screen: "home" } }), why);
  assert.equal(said({ why: "the app was force-quit" }), "Not shown: the app was force-quit.");
  assert.deepEqual([...textsOf(view)], ["Storm"]);
});

test("what ended a message is told by its newest receipt, and reading is not recalling", () => {
  const shown = [...sent, ...steps("received", "shown")];
  assert.equal(said({ events: [...shown, step("opened")] }), "Read here.");
  assert.equal(said({ events: [...shown, step("acted", { detail: "reply", reply: "Lovely" })] }), "Answered here: “Lovely”");
  assert.equal(said({ events: [...shown, step("acted", { detail: "like" })] }), "Answered here: like.");
  assert.equal(said({ events: [...shown, step("dismissed")] }), "Swiped away here.");
  assert.equal(said({ events: [...shown, step("recalled")] }), "Taken back: it has gone from this phone.");
  assert.equal(said({ events: [...sent, step("recalled")], watch: { isWatched: true } }), "Taken back before it was seen here.");
  assert.equal(said({ events: [...shown, step("expired")] }), "Its time is over: it has gone from this phone.");
  assert.equal(said({ events: [...sent, step("expired")] }), "Never shown: its time was over before it came.");
  // What happens to a removal says nothing about the message.
  assert.equal(said({ events: [...shown, step("opened"), step("expired", { purpose: "removal" })] }), "Read here.");
});

test("a recalled message that was visible on the phone is not said to have gone unseen", () => {
  const recalled = [...sent, step("recalled")];
  assert.equal(said({ events: recalled, watch: { wasSeen: true, isWatched: true } }), "Taken back: it has gone from this phone.");
  // Nobody knows about the time before the page was opened.
  assert.equal(said({ events: recalled }), "Taken back: it is not on this phone.");
  for (const event of ["opened", "acted"]) assert.equal(said({ events: [...sent, step(event), step("recalled")] }), "It was opened here, and is gone now.");
  assert.equal(said({ events: [...sent, step("dismissed"), step("recalled")] }), "Taken back: it has gone from this phone.");
  assert.equal(said({ events: sent, message: { state: "recalled" }, watch: { wasSeen: true } }), "Taken back: it is on this phone no more.");
  assert.deepEqual(messageIDs([{ id: "com.pushwoosh.notification.A1" }, { id: "B2" }]), ["a1", "b2"]);
});

test("an assured message that is recalled says what became of its silent push, and that the visible push was cancelled", () => {
  const cancelled = step("cancelled", { purpose: "fallback" });
  const words = (events, more = {}) => said({ events: [...events, cancelled], message: { state: "recalled" }, ...more });
  assert.equal(words([...sent, ...steps("received", "shown")]), "The visible push was cancelled; the silent push had made the card, which is gone now.");
  assert.equal(words(sent, { watch: { wasSeen: true } }), "The visible push was cancelled; the silent push had made the card, which is gone now.");
  assert.equal(words(sent, { why: "Not woken: it was quit." }), "The visible push was cancelled; the silent push made no card: not woken: it was quit.");
  assert.equal(words([...sent, ...steps("received")]), "The visible push was cancelled; the silent push came, and no card is on this phone.");
  assert.equal(words(sent, { watch: { isWatched: true } }), "The visible push was cancelled; the silent push has made no card.");
  assert.equal(words(sent), "The visible push was cancelled; no card is on this phone.");
  // Not needed, since the silent push was enough.
  assert.equal(said({ events: [...sent, ...steps("shown"), cancelled] }), "It was shown, and is on this phone no more.");
  assert.equal(said({ events: [...steps("queued"), step("cancelled", { purpose: "show" })], message: { state: "cancelled" } }), "Cancelled: it never went out.");
});

test("a message that was read elsewhere says on which phone, where the page knows it", () => {
  const events = [...sent, ...steps("shown"), step("recalled", { detail: "read" })];
  const other = (phone, ...names) => ({ device: "i2", phone, events: steps(...names) });
  const own = { device: "i1", phone: "phone-1", events };
  assert.equal(said({ events, devices: [own, other("phone-2", "shown", "opened")] }), "Read on Ada’s old iPhone, so it has gone from this one.");
  assert.equal(said({ events, devices: [own, other("phone-2", "shown")] }), "Read on another device, so it has gone from this one.");
  assert.equal(said({ events, devices: [own, other(null, "opened")] }), "Read on another device, so it has gone from this one.");
});

test("what cannot be seen says why, and nothing where nothing is known yet", () => {
  const soon = new Date(Date.now() + 60_000).toISOString(), past = new Date(Date.now() - 1000).toISOString();
  const offline = { state: { aeroplane: true } };
  assert.equal(said(), "");
  assert.equal(said(offline), "It waits at APNs, since this phone is offline.");
  assert.equal(said({ ...offline, message: { until: soon } }), "It waits at APNs, since this phone is offline.");
  assert.equal(said({ ...offline, message: { until: past } }), "Never shown: its time was over while this phone was offline.");
  // APNs stores the newest push of an app, which is the removal now.
  assert.equal(said({ ...offline, message: { state: "recalled" } }), "Taken back while this phone is offline: it was never shown here.");
  assert.equal(said({ message: { until: past } }), "Never shown: its time is over.");
  assert.equal(said({ events: [...sent, ...steps("received")] }), "Chime has it, and shows no notification.");
  assert.equal(said({ events: steps("queued", "sent", "rejected") }), "Never came: APNs refused the push.");
  const shown = [...sent, ...steps("shown")];
  assert.equal(said({ events: shown }), "It was shown, and is on this phone no more.");
  assert.equal(said({ events: shown, message: { state: "recalled" } }), "Taken back: it is on this phone no more.");
});

test("a notification is known by the message's id in either case, also in Pushwoosh's dialect", () => {
  const message = { id: "01a2-B" };
  for (const id of ["01a2-b", "01A2-B", "com.pushwoosh.notification.01a2-b"]) assert.ok(isOf(message, { id }), id);
  assert.ok(!isOf(message, { id: "01a2" }));
});
