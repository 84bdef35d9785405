// A push as text to copy: for a shell, as a test, as a fixture.

import { shellQuoted } from "./json-view.js";

const own = (push) => push.request.headers.filter(([name]) => name.startsWith("apns-"));
const path = (push) => push.request.path + (push.request.token ?? "");
const body = (push) => (push.request.payload === undefined ? "" : push.body_text);

/** A command for a shell that has run `eval "$(carillon-apns-simulator --env)"`. */
export function asCurl(push) {
  const isCertificate = push.credential.kind === "certificate";
  const sign = 'authorization: bearer $(carillon keys token --key "$APNS_KEY" --key-id "$APNS_KEY_ID" --team-id "$APNS_TEAM_ID")';
  const lines = ['curl --http2 --cacert "$APNS_CA"', isCertificate ? '  --cert "$APNS_CERTIFICATE"' : `  -H "${sign}"`];
  if (push.request.method !== "POST" || !body(push)) lines.push(`  -X ${shellQuoted(push.request.method)}`);
  for (const [name, value] of own(push)) lines.push(`  -H ${shellQuoted(`${name}: ${value}`)}`);
  if (body(push)) lines.push(`  --data-binary ${shellQuoted(body(push))}`);
  return [...lines, `  "$APNS_URL"${shellQuoted(path(push))}`].join(" \\\n");
}

/** A test of a sender for pytest, with the fixture of the wheel carillon-apns-simulator; JSON's texts are Python's too. */
export function asTest(push) {
  const { status, reason } = push.answer;
  const text = (value) => JSON.stringify(value);
  const name = String(reason ?? push.request.payload?.aps?.category ?? "push").replaceAll(/[^A-Za-z0-9]+/g, "_").toLowerCase();
  const lines = [
    "import json", "", "from carillon_apns import apns  # noqa: F401 (a fixture)", "", "", `def test_${name}(apns):`,
    `    payload = json.loads(${text(body(push))})`,
    reason === "Unregistered" ? '    apns.call("DELETE", f"/tokens/{apns.device_tokens[0]}")' : null,
    "    send(apns, apns.device_tokens[0], payload)  # your sender",
    '    request = apns.requests()[-1]', '    assert request["payload"] == payload',
    ...own(push).filter(([header]) => header !== "apns-id").map(([header, value]) =>
      `    assert ${header === "apns-topic" ? '["apns-topic", apns.topic]' : text([header, value])} in request["headers"]`),
    status === undefined ? null : `    assert request["status"] == ${status}`,
    reason === undefined ? null : `    assert request["reason"] == ${text(reason)}`,
  ];
  return `${lines.filter((line) => line !== null).join("\n")}\n`;
}

/** The request and its answer as one JSON object, without secrets. */
export function asFixture(push) {
  const { status, reason, fault } = push.answer;
  return `${JSON.stringify({
    request: { method: push.request.method, path: path(push), headers: Object.fromEntries(own(push)), payload: push.request.payload },
    answer: { status, reason, fault },
  }, null, 2)}\n`;
}
