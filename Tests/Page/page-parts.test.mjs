// Small decisions of the page.

import assert from "node:assert/strict";
import test from "node:test";
import { languageNote } from "./language-note.js";
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
