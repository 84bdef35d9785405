// Words and orders of the timeline.

import assert from "node:assert/strict";
import test from "node:test";
import { inOrder, shortID, standing, stepName } from "./message-words.js";

const step = (event, purpose) => ({ event, purpose, revision: 1 });
const sent = [step("queued", "show"), step("sent", "show"), step("accepted", "show")];

test("ids of one minute differ in short", () => {
  assert.equal(shortID("01a21684-0000-7000-8000-00001234abcd"), "…1234abcd");
  assert.equal(shortID("twin-1"), "twin-1");
});

test("a message claims no more than APNs and the phones have reported", () => {
  const words = (...devices) => standing({ state: "sent", devices: devices.map((events) => ({ events })) });
  const shown = [...sent, step("shown")];
  assert.equal(words(shown, shown), "shown");
  assert.equal(words(shown, [...sent, step("accepted", "fallback")]), "shown reported by 1 of 2");
  assert.equal(words([...sent, step("accepted", "fallback")]), "accepted for 1");
  assert.equal(words([step("queued", "show")]), "sent");
  assert.equal(words(shown, [...shown, step("opened")]), "read");
  // A removal that APNs has accepted, and an installation that is no more, count for nothing.
  assert.equal(words([step("accepted", "removal")]), "sent");
  assert.equal(words(shown, [{ ...step("rejected", "show"), detail: "Unregistered" }]), "shown");
});

test("a receipt that comes after the removal stands before it, and says that it was told late", () => {
  const events = [...sent, step("accepted", "removal"), step("shown"), step("recalled")];
  const words = (all) => inOrder(all).map((event) => stepName(event, all));
  assert.deepEqual(words(events), ["queued", "sent", "accepted", "shown (told late)", "removal accepted", "recalled"]);
  assert.deepEqual(words([...sent, step("shown"), step("accepted", "removal"), step("recalled")]).slice(3), ["shown", "removal accepted", "recalled"]);
  assert.deepEqual(words([...sent, step("recalled"), step("shown")]).slice(3), ["shown (told late)", "recalled"]);
  assert.equal(stepName({ event: "recalled", detail: "read" }), "read elsewhere");
  // A receipt that overtakes APNs' answer.
  assert.deepEqual(words([step("sent", "show"), step("shown"), step("accepted", "show")]), ["sent", "accepted", "shown"]);
});
