import {createHmac, timingSafeEqual} from 'node:crypto';
import {WebhookError} from './errors.js';
import type {FeedEvent} from './types.js';

/** The headers of a request, as Node.js or fetch has them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/**
 * Returns the events of a request, verified as Standard Webhooks says.
 *
 * - secrets: `whsec_…`, or several during a rotation.
 * - headers: those of the request. `webhook-id` is the same when the request comes again: remember it.
 * - body: the request's body as it came, not parsed and written again.
 * - tolerance: the seconds by which the request's time may differ from `now`, in seconds. The default is 300.
 *
 * Throws WebhookError if the request is not signed with one of the secrets, or is not of this time.
 */
export function verifyWebhook(
  secrets: string | Iterable<string>, headers: WebhookHeaders, body: Uint8Array | string,
  {tolerance = 300, now = Date.now() / 1000}: {tolerance?: number; now?: number} = {},
): FeedEvent[] {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  if (!id || !/^\d{1,15}$/.test(timestamp)) throw new WebhookError('the request has no webhook-id, or no webhook-timestamp in seconds');
  if (Math.abs(now - Number(timestamp)) > tolerance) {
    throw new WebhookError('the request is of another time: an old one that is repeated, or a clock is wrong');
  }
  const signatures = header(headers, 'webhook-signature').split(' ');
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const mac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest();
    const expected = new TextEncoder().encode('v1,' + btoa(String.fromCharCode(...mac)));
    if (signatures.some((each) => isEqual(new TextEncoder().encode(each), expected))) return events(body);
  }
  throw new WebhookError('no signature of the request is of this secret');
}

function header(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  for (const [each, value] of Object.entries(headers)) {
    if (each.toLowerCase() === name) return (Array.isArray(value) ? value[0] : value) ?? '';
  }
  return '';
}

function keyOf(secret: string): Uint8Array {
  const text = secret.replace(/^whsec_/, '');
  if (!/^[A-Za-z0-9+/]{4,}={0,2}$/.test(text)) {
    throw new TypeError('a webhook\'s secret is whsec_ and base64, as the call that made the webhook has answered it');
  }
  return Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function events(body: Uint8Array | string): FeedEvent[] {
  try {
    const read = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
    if (Array.isArray(read.events)) return read.events;
  } catch {
    // said below
  }
  throw new WebhookError('the request is signed and has no events');
}
