// Small decisions of the page.

import assert from "node:assert/strict";
import test from "node:test";
import { journey } from "./journey.js";
import { languageNote } from "./language-note.js";
import { inFormsWords } from "./problem-words.js";
import { linesOfJSON } from "./code-editor.js";
import { pushProblems } from "./push-problem.js";
import { relativeTime } from "./phone-time.js";
import { withTimes } from "./push-times.js";

test("a time in a payload is counted from now", () => {
  const payload = { a: [{ until: { $seconds_from_now: 60 } }], b: null, c: "x" };
  assert.deepEqual(withTimes(payload, 1000), { a: [{ until: 61_000 }], b: null, c: "x" });
});

test("a phone whose app has not run since its language was changed is told so", () => {
  const settings = { regions: [{ id: "en-GB", name: "English (UK)" }, { id: "de-DE", name: "Deutsch" }] };
  const note = (app, locale) => languageNote({ app: { name: "App", installation: "i", ...app }, region: { locale }, settings });
  assert.equal(note({ region: "en-GB" }, "de-DE"), "texts are in English (UK) until App runs in Deutsch");
  assert.equal(note({ region: "de-DE" }, "de-DE"), "");
  assert.equal(note({}, "de-DE"), "");
  assert.equal(note({ region: "en-GB", installation: null }, "de-DE"), "");
});

test("a push stops where it was stopped, with its reason, and goes on otherwise", () => {
  const events = (...names) => names.map((event) => ({ event, purpose: ["received", "shown"].includes(event) ? undefined : "show" }));
  const at = (names, more = {}, message = {}) => {
    const { at: station, isStopped, reason } = journey(message, { events: events(...names), ...more });
    return `${station}${isStopped ? " stopped" : ""} ${reason}`.trim();
  };
  assert.equal(at(["queued"]), "service");
  assert.equal(at(["queued", "sent", "accepted"]), "apns");
  assert.equal(at(["accepted"], {}, { origin: "apns" }), "phone");
  assert.equal(at(["queued", "sent", "accepted", "received", "shown"]), "phone");
  assert.equal(at(["accepted"], { why: "APNs stores it: this phone is offline." }), "apns stopped APNs stores it: this phone is offline.");
  assert.equal(at(["accepted"], { why: "The app was force-quit." }), "phone stopped The app was force-quit.");
  assert.equal(at(["queued", "unanswered"]), "service stopped APNs has not answered.");
  assert.equal(at(["queued", "cancelled"]), "service stopped It was cancelled.");
  assert.equal(at(["rejected", "accepted"]), "apns");
  const refused = [{ event: "sent", purpose: "show" }, { event: "rejected", purpose: "show", detail: "Unregistered" }];
  assert.equal(journey({}, { events: refused }).reason, "APNs refuses it: Unregistered.");
  // A removal that was refused says nothing of the message.
  assert.equal(at(["accepted"], { events: [...events("accepted"), { event: "rejected", purpose: "removal" }] }), "apns");
});

test("what the service refuses is said of a field, by its label and by what somebody has named in it", () => {
  const said = (pointer) => inFormsWords({ message: "must be an object", pointer });
  assert.deepEqual(said("/to/users/ada"), { text: "Users with their values, ada: must be an object", field: "named" });
  assert.deepEqual(said("/localized/de"), { text: "Texts in other languages, de: must be an object", field: "localized" });
  assert.deepEqual(said("/payload/a~1b"), { text: "Own keys, a/b: must be an object", field: "custom" });
  assert.deepEqual(said("/payload/link_url"), { text: "Link: must be an object", field: "link" });
  assert.deepEqual(said("/payload/aps/alert/subtitle"), { text: "Subtitle: must be an object", field: "subtitle" });
  assert.deepEqual(said("/to/where"), { text: "Condition: must be an object", field: "where" });
  assert.deepEqual(said(undefined), { text: "must be an object", field: null });
});

test("a push that cannot go out is refused in the form's words", () => {
  const target = { name: "Ada’s iPhone", app: "Chime", token: "aa" };
  const field = (fields, of = target) => pushProblems({ token: "", topic: "com.example.app", type: "alert", expiration: "", ...fields }, of)[0]?.field;
  assert.equal(field({}), undefined);
  for (const expiration of ["-1", "1.5", "soon", "2592001", "1e3"]) assert.equal(field({ expiration }), "expiration", expiration);
  for (const expiration of ["0", "60", "2592000"]) assert.equal(field({ expiration }), undefined, expiration);
  for (const token of ["", "a", "xy", "ab".repeat(257)]) assert.equal(field({ token }, null), "token", token);
  assert.equal(field({ token: "ABcd" }, null), undefined);
  assert.equal(field({ token: "ABcd", topic: " " }, null), "topic");
  const missing = { ...target, token: null };
  assert.match(pushProblems({ type: "alert", expiration: "" }, missing)[0].text, /^Chime on Ada’s iPhone has no device token yet/);
  const all = pushProblems({ type: "voip", expiration: "soon" }, missing);
  assert.deepEqual(all.map(({ field: name }) => name), ["expiration", "phone"]);
  assert.match(all[1].text, /no token for calls/);
});

test("an editor's lines are those of the text, whatever is in it", () => {
  const texts = ['{\n  "a": [1, true],\n\n}', "{not\n \"JSON\n", "", "\n"];
  for (const text of texts) assert.equal(linesOfJSON(text).map((pieces) => pieces.map((piece) => piece.text).join("")).join("\n"), text);
  assert.deepEqual(linesOfJSON('{"a": 1}')[0], [{ kind: undefined, text: "{" }, { kind: "key", text: '"a"' }, { kind: undefined, text: ":" }, { kind: undefined, text: " " }, { kind: "number", text: "1" }, { kind: undefined, text: "}" }]);
});

test("since when a notification is there is said as iOS says it", () => {
  const ago = (seconds, locale) => relativeTime("2026-11-28T12:00:00Z", Date.parse("2026-11-28T12:00:00Z") + seconds * 1000, { locale });
  assert.deepEqual([ago(10, "en-GB"), ago(300, "en-GB"), ago(7200, "en-US")], ["now", "5m ago", "2h ago"]);
  assert.match(ago(300, "de-DE"), /^vor 5/);
});
