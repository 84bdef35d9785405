// What is said of the phones that a message does not reach.

import assert from "node:assert/strict";
import test from "node:test";
import { missedPhones, sendWarning } from "./send-warnings.js";

const chime = ["chime", "Chime"];
const phone = (name, changes = {}, app = {}) => ({
  name, permission: "authorized", aeroplane: false, ...changes, app: { id: "chime", name: "Chime", force_quit: false, installation: "i", ...app },
});

test("what stands in the way on every phone is one sentence, and otherwise each phone has its own", () => {
  assert.equal(sendWarning([phone("A"), phone("B")], chime, "visible"), "");
  assert.match(sendWarning([phone("A", { permission: "denied" }), phone("B", { permission: "denied" })], chime, "visible"), /^No phone allows notifications\. Switch/);
  assert.equal(sendWarning([phone("A", { aeroplane: true }), phone("B")], chime, "visible"), "A is offline: APNs keeps the push until it is back.");
  assert.equal(sendWarning([phone("A", {}, { id: "listed", name: "Listed" }), phone("B", { permission: "denied" })], chime, "visible"),
    "A has Listed, which the service does not reach. B allows no notifications: iOS shows none there.");
});

test("a force-quit app matters to a silent message alone", () => {
  const phones = [phone("A", {}, { force_quit: true }), phone("B")];
  assert.equal(sendWarning(phones, chime, "visible"), "");
  assert.equal(sendWarning(phones, chime, "silent"), "Chime is force-quit on A: no silent push wakes it.");
});

test("after a send to all, the phones without a registered app are named", () => {
  assert.equal(missedPhones([phone("A"), phone("B", { aeroplane: true })], chime), "");
  assert.equal(missedPhones([phone("A"), phone("B", {}, { installation: null })], chime), "for 1 of 2 phones. Chime on B has not registered yet.");
});
