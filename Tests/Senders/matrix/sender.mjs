// A sender on Node.js' http2 alone. Reads JSON lines, answers each with one: see python_sender.py. The provider token comes
// with each line.
import { readFileSync } from "node:fs";
import { connect } from "node:http2";
import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const setup = JSON.parse((await lines.next()).value);
const identity = setup.certificate ? readFileSync(setup.certificate) : undefined;
let session;

// One session, and a new one when it is closed or the server has said GOAWAY.
function opened() {
  if (!session || session.closed || session.destroyed) {
    const made = connect(`https://${setup.host}:${setup.port}`, { ca: readFileSync(setup.ca), cert: identity, key: identity });
    made.on("error", () => made.destroy());
    made.on("goaway", () => made.close());
    session = made;
  }
  return session;
}

// Waits for SETTINGS first: before them Node.js opens as many streams as it likes.
function ready() {
  const made = opened();
  return made.remoteSettings?.maxConcurrentStreams !== undefined && !made.connecting
    ? Promise.resolve() : new Promise((resolve) => made.once("remoteSettings", resolve).once("close", resolve));
}

function send(token, authorization) {
  return new Promise((resolve) => {
    let status, body = "";
    const headers = { ":method": "POST", ":path": `/3/device/${token}`, "apns-topic": setup.topic, "apns-push-type": "alert" };
    if (authorization) headers.authorization = authorization;
    const stream = opened().request(headers);
    stream.setTimeout(5000, () => stream.close());
    stream.on("response", (answer) => { status = answer[":status"]; });
    stream.on("data", (chunk) => { body += chunk; });
    stream.on("error", () => {});
    stream.on("close", () => resolve(status === 200 ? "200" : status ? JSON.parse(body).reason : "error"));
    stream.end('{"aps":{"alert":"Hello"}}');
  });
}

for await (const line of { [Symbol.asyncIterator]: () => lines }) {
  const command = JSON.parse(line);
  const counts = {};
  await ready();
  // The first alone: a connection has one stream until its credential has been seen.
  const [first, ...rest] = command.tokens;
  const outcomes = [await send(first, command.authorization)];
  outcomes.push(...await Promise.all(rest.map((token) => send(token, command.authorization))));
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  console.log(JSON.stringify(counts));
}
process.exit(0);
