// What a push is said to become on a phone, and whether it has.

import assert from "node:assert/strict";
import test from "node:test";
import { comesTrue, predicted } from "./predictions.js";

const known = { outcomes: { list: { shows: "list", says: "It is in the list." }, "no-token": { shows: "not-sent", says: "Not sent." } }, registering: "chime" };
const push = { label: "a", type: "alert", apps: { listed: "no-token list list" }, shows: { open: "banner", away: "list", quit: "nothing" }, expect: [["", "A banner."], ["", "In the list."], ["", "Nothing."]] };
const phone = (changes = {}, app = {}) => ({ permission: "authorized", aeroplane: false, settings: {}, ...changes, app: { id: "chime", name: "Chime", state: "in the foreground", force_quit: false, token: "aa", ...app } });
const kind = (...state) => predicted(push, phone(...state), known)?.kind;

test("a prediction looks at the phone: its app, where the app is, permission, airplane mode and Focus", () => {
  assert.equal(kind(), "banner");
  assert.equal(kind({}, { state: "suspended" }), "list");
  assert.equal(kind({}, { force_quit: true }), "nothing");
  assert.equal(kind({ aeroplane: true }), "waits");
  assert.equal(kind({ permission: "denied" }), "nothing");
  assert.equal(kind({ permission: "not-determined" }), "nothing");
  assert.equal(kind({ settings: { focus: true } }), "quiet");
  assert.equal(kind({}, { token: null }), "not-sent");
  assert.equal(kind({}, { id: "listed" }), "not-sent");
  assert.equal(kind({}, { id: "listed", state: "suspended" }), "list");
  assert.equal(kind({}, { id: "unknown" }), undefined);
  assert.match(predicted({ ...push, type: undefined }, phone({}, { id: "listed", name: "Listed" }), known).says, /Listed is on it/);
});

test("what was said comes true as soon as it is seen, and fails after a time; nothing must stay nothing for that time", () => {
  const nothing = { banner: false, listed: false, gone: false, call: false };
  assert.equal(comesTrue("banner", { ...nothing, banner: true }, 10), true);
  assert.equal(comesTrue("banner", nothing, 10), undefined);
  assert.equal(comesTrue("banner", nothing, 6000), false);
  assert.equal(comesTrue("later", nothing, 60_000), undefined);
  assert.equal(comesTrue("nothing", nothing, 10), undefined);
  assert.equal(comesTrue("nothing", nothing, 6000), true);
  assert.equal(comesTrue("waits", { ...nothing, listed: true }, 10), false);
  assert.equal(comesTrue("stays", { ...nothing, gone: true }, 10), false);
});
