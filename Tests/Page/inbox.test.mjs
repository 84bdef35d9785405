// What the inbox says and copies.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { appleWords, clock, deliveryWords, faultWords, nameOf, outcomeWords, shortToken } from "./push-words.js";
import { asCurl, asFixture, asTest } from "./snippets.js";

const push = (more = {}) => ({
  request: {
    method: "POST", path: "/3/device/", token: "00ff",
    headers: [["apns-topic", "com.example.app"], ["apns-push-type", "alert"], ["authorization", "bearer …"], ["apns-id", "1"]],
    payload: { aps: { alert: "It's \u2028 \"here\"" } },
  },
  body_text: '{"aps":{"alert":"It\'s \\u2028 \\"here\\""}}',
  credential: { kind: "token" }, answer: { status: 410, reason: "Unregistered" }, ...more,
});

test("a push copied as curl is one shell command with its own words, and without the old token", () => {
  const text = asCurl(push());
  assert.ok(!text.includes("…"));
  const script = `carillon() { echo TOKEN; }; curl() { printf '%s\\n' "$@"; }; APNS_URL=https://localhost:1 APNS_CA=ca.pem\n${text}`;
  const words = spawnSync("bash", ["-c", script], { encoding: "utf8" }).stdout.split("\n");
  assert.deepEqual(words, [
    "--http2", "--cacert", "ca.pem", "-H", "authorization: bearer TOKEN", "-H", "apns-topic: com.example.app", "-H", "apns-push-type: alert",
    "-H", "apns-id: 1", "--data-binary", push().body_text, "https://localhost:1/3/device/00ff", "",
  ]);
  assert.match(asCurl(push({ credential: { kind: "certificate" } })), /--cert "\$APNS_CERTIFICATE"/);
});

test("a push copied as a test is Python that holds its payload, headers, status and reason", () => {
  const text = asTest(push());
  const check = `import ast,sys,json\ntree = ast.parse(sys.stdin.read())\nprint([n.name for n in tree.body if isinstance(n, ast.FunctionDef)])`;
  assert.equal(spawnSync("python3", ["-c", check], { input: text, encoding: "utf8" }).stdout.trim(), "['test_unregistered']");
  for (const line of ['["apns-topic", apns.topic] in', '["apns-push-type","alert"] in', 'request["status"] == 410', 'request["reason"] == "Unregistered"', "DELETE"]) {
    assert.ok(text.includes(line), line);
  }
  assert.ok(!text.includes('"apns-id"'));
});

test("a push copied as a fixture is JSON without a credential", () => {
  assert.deepEqual(JSON.parse(asFixture(push())), {
    request: {
      method: "POST", path: "/3/device/00ff", headers: { "apns-topic": "com.example.app", "apns-push-type": "alert", "apns-id": "1" },
      payload: push().request.payload,
    },
    answer: { status: 410, reason: "Unregistered" },
  });
});

test("outcomes, deliveries and names are said in words", () => {
  assert.equal(outcomeWords({ status: 200 }), "200");
  assert.equal(outcomeWords({ status: 410, reason: "Unregistered" }), "410 Unregistered");
  assert.equal(outcomeWords({ fault: "cut" }), "connection cut");
  assert.equal(faultWords({ reset: 7 }), "reset 7");
  assert.equal(faultWords({ status: 503, body: "" }), "503");
  assert.equal(nameOf({ push_type: "background", token: "00" }), "(background push without a text)");
  assert.equal(nameOf({ method: "GET", path: "/1/apps/a/channels" }), "GET /1/apps/a/channels");
  assert.equal(shortToken("0123456789abcdef"), "012345…cdef");
  assert.equal(deliveryWords({ device: { device: "phone", stored: "offline", until: "then" } }), "phone: stored, because the phone is offline, until then");
  assert.equal(deliveryWords({ device: { device: "phone", delivered: true, late: false } }), "phone: delivered");
  assert.equal(appleWords({ status: 410, reason: "Unregistered" }), "Apple would have said 410 Unregistered.");
  assert.equal(appleWords({ status: 200 }), "Apple would have said 200.");
  assert.match(appleWords({ status: 503, reason: "Shutdown", is_fault: true }), /^Ordered by the fault plan/);
  assert.match(clock("2020-01-02T03:04:05Z"), /^0\d\/01\/2020 /);
});
