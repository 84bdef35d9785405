// A receiver of Carillon's webhooks: node webhook_receiver.mjs PORT, with the secret in WEBHOOK_SECRET.
// It needs no package. `verified` is what you take over into your own server.
import {createHmac, timingSafeEqual} from 'node:crypto';
import {createServer} from 'node:http';

const TOLERANCE = 300; // seconds

/** Returns the events of a request, or null if it is not Carillon's, or an old one that somebody repeats. */
export function verified(secret, headers, body) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const timestamp = headers['webhook-timestamp'] ?? '';
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE) return null;
  const expected = createHmac('sha256', key).update(`${headers['webhook-id']}.${timestamp}.`).update(body).digest();
  // During a rotation there are two signatures.
  const isSigned = (headers['webhook-signature'] ?? '').split(' ').some((each) => {
    const given = Buffer.from(each.replace(/^v1,/, ''), 'base64');
    return each.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned ? JSON.parse(body).events : null;
}

const seen = new Set(); // in your server: a table, in one transaction with what you make of the events

createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const events = verified(process.env.WEBHOOK_SECRET, request.headers, Buffer.concat(pieces));
  // A request may come twice, with an equal id.
  if (events && !seen.has(request.headers['webhook-id'])) {
    seen.add(request.headers['webhook-id']);
    for (const event of events) console.log(event.type, event.message ?? '', event.user ?? '');
  }
  response.writeHead(events ? 204 : 401).end();
}).listen(Number(process.argv[2]), '127.0.0.1');
