// What each step of a Live Activity sends, and what is said of a phone.

import assert from "node:assert/strict";
import test from "node:test";
import { endRequest, eventsOf, newRun, nextStep, screenWords, shownOn, stepRequest, whyNot } from "./live-steps.js";

const example = {
  label: "A match", id: "match", type: "MatchAttributes", key: "match", attributes: { home: "Ferrum" },
  start: { state: { goals: 0 }, alert: { title: "It begins" } }, steps: [{ label: "Goal", state: { goals: 1 } }],
};
const options = { to: { user: "ada" }, stale: 60, now: 1000_400 };

test("a start has the id as an attribute, and the stale date in whole seconds", () => {
  const run = newRun(example, options.now);
  assert.equal(run.id, "match-1000");
  assert.deepEqual(stepRequest(example, run, options), {
    method: "POST", path: "v1/live-activities",
    body: {
      id: "match-1000", to: { user: "ada" }, "attributes-type": "MatchAttributes", attributes: { home: "Ferrum", match: "match-1000" },
      "content-state": { goals: 0 }, alert: { title: "It begins" }, "stale-date": 1061,
    },
  });
});

test("a step replaces the state; after the last one and after the end there is none", () => {
  const run = { ...newRun(example, options.now), state: "running" };
  assert.deepEqual(stepRequest(example, run, { ...options, stale: null }),
    { method: "PATCH", path: "v1/live-activities/match-1000", body: { "content-state": { goals: 1 } } });
  assert.equal(nextStep(example, { ...run, step: 1 }), null);
  assert.equal(stepRequest(example, { ...run, state: "ended" }, options), null);
});

test("it ends with its last content, or leaves at once", () => {
  const run = newRun(example, options.now);
  assert.deepEqual(endRequest(run, { leaves: false, now: options.now }), { method: "DELETE", path: "v1/live-activities/match-1000" });
  assert.deepEqual(endRequest(run, { leaves: true, now: options.now }),
    { method: "POST", path: "v1/live-activities/match-1000/end", body: { "dismissal-date": 1000 } });
});

test("the card on a screen is found by its name, and told with its state", () => {
  const card = { kind: "MatchAttributes", title: "Ferrum 1", lines: ["23′"], state: "stale", values: [{ name: "match", text: "match-1000" }] };
  assert.equal(shownOn({ activities: [{ ...card, kind: "Order" }, card] }, example, "match-1000"), card);
  assert.equal(screenWords(card), "On the screen: Ferrum 1, 23′, outdated.");
  assert.equal(screenWords(undefined), "Nothing on the screen.");
});

test("events come in the order of their times, and those about the newest state are marked", () => {
  const entry = { events: [
    { event: "updated", at: "2026-01-01T00:00:09Z", timestamp: 7 }, { event: "accepted", at: "2026-01-01T00:00:01Z", timestamp: 6 },
  ] };
  assert.deepEqual(eventsOf(entry, { timestamp: 7 }).map(({ name, isNewest }) => [name, isNewest]), [["accepted by APNs", false], ["updated", true]]);
});

test("each reason why the newest state is not on a phone has its sentence", () => {
  const phone = { name: "A", aeroplane: false, settings: { live_activities: true }, app: { id: "one", name: "One", force_quit: false } };
  const why = (changes, entry = { state: "current", events: [] }, app = {}) =>
    whyNot({ phone: { ...phone, ...changes, app: { ...phone.app, ...app } }, entry, timeline: { timestamp: 7 }, usual: "one", activity: undefined });
  assert.equal(why({}), "");
  assert.match(why({}, undefined, { id: "two", name: "Two" }), /^A has Two/);
  assert.match(why({}, null), /^It was for A neither/);
  assert.match(why({ aeroplane: true }), /^In Airplane Mode/);
  assert.match(why({ settings: { live_activities: false } }), /switched off in the settings of One/);
  assert.match(why({}, { state: "waiting", events: [] }), /no token yet/);
  assert.match(why({}, { state: "current", events: [{ event: "undecodable", timestamp: 7, detail: "goals must be Int" }] }), /goals must be Int/);
  assert.equal(why({}, { state: "current", events: [{ event: "undecodable", timestamp: 6, detail: "goals must be Int" }] }), "");
  assert.equal(why({}, { state: "rejected", events: [{ event: "rejected", detail: "BadDeviceToken" }] }), "APNs: BadDeviceToken.");
  assert.equal(why({}, undefined, { why_no_activity: "Ignored: too old." }), "Ignored: too old.");
  assert.match(why({}, { state: "started", events: [] }, { force_quit: true }), /force-quit/);
  assert.equal(why({ aeroplane: true }, { state: "gone", events: [] }), "");
});
