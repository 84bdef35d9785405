// What is given away: a link says what was in the form and nothing else, and a Swift test is a file that compiles.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { linkTo, readLink, swiftTest } from "./share.js";

const read = (link) => readLink(new URLSearchParams(new URL(link).hash.slice(1)).get("play"));

test("a link brings the form's content and the phones' state to another page", () => {
  const content = {
    form: "push", fields: { payload: '{"aps": {"alert": "Zoë 🛎"}}\n', type: "alert", late: true },
    phones: { "phone-1": { app: "chime", allowed: true, place: "lock", quit: true, online: false } },
  };
  const link = linkTo("http://127.0.0.1:8080/#scene=expiry", content);
  assert.match(link, /^http:\/\/127\.0\.0\.1:8080\/#play=[\w-]+$/);
  assert.deepEqual(read(link), content);
});

test("of a stranger's link only what the page knows is taken", () => {
  const link = linkTo("http://x/", { form: "message", fields: { title: "T", body: { a: 1 } }, phones: { "phone-1": { app: 7, place: "moon", run: "x" } } });
  assert.deepEqual(read(link), {
    form: "message", fields: { title: "T" }, phones: { "phone-1": { allowed: true, place: "home", quit: false, online: true } },
  });
  for (const text of ["", null, "%%%", btoa("no JSON"), btoa('{"form":"else","fields":{}}'), btoa('{"form":"push"}'), "A".repeat(50_000)]) assert.equal(readLink(text), null);
});

test("the Swift test is the one that is compiled with Carillon's own tests", () => {
  const payload = '{\n  "aps": {\n    "alert": {"title": "Say \\"hi\\"", "body": "##\\n\\\\#(x)"}\n  }\n}';
  const shown = { title: 'Say "hi"', subtitle: "", body: "##\n\\#(x)" };
  const text = swiftTest({ payload, type: "alert", collapse: "F7", state: "away", shown });
  assert.equal(text, readFileSync(`${process.env.ROOT}/Tests/CarillonPhonesTests/GivenAway/PushFromThePage.swift`, "utf8"));
});

test("what is expected follows from the push type and from where the app is", () => {
  const at = (type, state, shown) => swiftTest({ payload: "{}", type, state, shown });
  assert.match(at("background", "away"), /suspend\(\)[^]*trace\.wake != nil/);
  assert.match(at("background", "quit"), /forceQuit\(\)[^]*app\.notifications\.isEmpty/);
  assert.match(at("alert", "front", { title: "T" }), /willPresent/);
  assert.doesNotMatch(at("alert", "front", { title: "T" }), /suspend|forceQuit|content/);
  assert.match(at("alert", "away", null), /app\.notifications\.isEmpty/);
});
