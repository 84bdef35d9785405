import {randomUUID} from 'node:crypto';
import {Calls} from './calls.js';
import type {Answer, CallOptions, RequestOptions} from './calls.js';
import {APIError, NoAnswerError} from './errors.js';
import type {EventPage, FeedEvent, ImportReport} from './types.js';

/** The statuses after which a call that may be repeated is made again. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);
/** The milliseconds before the first repetition and the most before a later one, where the service says nothing. */
const FIRST_WAIT = 500;
const LONGEST_BACKOFF = 8000;
const EXCERPT = 200;

export interface CarillonOptions {
  /** Where the service is, such as `https://push.example.com`. */
  url: string;
  /** An API key, of `carillon api-keys create`. */
  key: string;
  /** The app's bundle id; needed where the key is for several apps. */
  topic?: string;
  /** Milliseconds for one attempt, until its answer is complete. The default is 30,000. */
  timeout?: number;
  /** How often a call is made at most, if it may be repeated. The default is 4. */
  attempts?: number;
  /** The most milliseconds between two attempts. Where `Retry-After` asks for more, the error is thrown. The default is 60,000. */
  longestWait?: number;
}

export interface FollowOptions {
  /** The `id` of an event, or the `next` of a page; without it, events from now on. */
  after?: string;
  types?: string[];
  texts?: boolean;
  /** Milliseconds between two looks; null ends behind the newest event. The default is 2000. */
  wait?: number | null;
  signal?: AbortSignal;
}

/** A client of one service. */
export class Carillon extends Calls {
  readonly #url: string;
  readonly #key: string;
  readonly #topic: string | undefined;
  readonly #timeout: number;
  readonly #attempts: number;
  readonly #longestWait: number;

  constructor({url, key, topic, timeout = 30_000, attempts = 4, longestWait = 60_000}: CarillonOptions) {
    super();
    const parts = parsed(url);
    if (!parts || !/^https?:$/.test(parts.protocol) || parts.search || parts.hash || parts.username || parts.password) {
      throw new TypeError('url must be like https://push.example.com, with no user, query or fragment');
    }
    if (typeof key !== 'string' || !/^[A-Za-z0-9._~+/=-]+$/.test(key)) {
      throw new TypeError('key must be an API key, without spaces and line ends');
    }
    if (!(attempts >= 1) || !(timeout > 0)) throw new RangeError('attempts must be 1 or more, and timeout more than 0');
    this.#url = parts.href.replace(/\/+$/, '');
    this.#key = key;
    this.#topic = topic;
    this.#timeout = timeout;
    this.#attempts = attempts;
    this.#longestWait = longestWait;
  }

  /**
   * Import devices that another provider knew (docs/import.md). Scope users. A file that comes again changes nothing.
   *
   * - content: a text, bytes, or a file as `await fs.openAsBlob(path)`.
   * - format: that of the content.
   * - environment: for records that name none; production by default.
   * - afterLine: goes on behind that line of the file, the `line` of an earlier report.
   */
  async importDevices(
    content: string | Uint8Array | Blob,
    {format = 'csv', environment, afterLine, timeout = 600_000, ...options}:
      {format?: 'csv' | 'ndjson'; environment?: 'production' | 'sandbox'; afterLine?: number} & CallOptions = {},
  ): Promise<ImportReport> {
    const contentType = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
    const query = {environment, after_line: afterLine};
    return (await this.request('POST', '/v1/devices/import', {...options, timeout, content, contentType, query})).body as ImportReport;
  }

  /**
   * Yields events, and goes on as they happen. Store the `id` of an event together with what you made of it: it is the `after`
   * of the next start. Where few events are of your `types`, use `followPages`, whose `next` also passes the others.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<FeedEvent, void, undefined> {
    for await (const page of this.followPages(options)) yield* page.events;
  }

  /** Yields pages of events as `follow` does. Store the `next` of a page: it is the `after` of the next start. */
  async *followPages({after, types, texts, wait = 2000, signal}: FollowOptions = {}): AsyncGenerator<EventPage, void, undefined> {
    for (;;) {
      const page: EventPage = await this.events({after, types, texts, limit: 1000}, {signal});
      yield page;
      if (page.next === after) {
        if (wait === null) return;
        await pause(wait, signal);
      }
      after = page.next;
    }
  }

  /** Makes any call of the API, also one that this client has no method for. Each part of the path is encoded. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const {ifMatch, signal} = options;
    const mayRepeat = (options.mayRepeat ?? true) && ifMatch === undefined;
    const headers: Record<string, string> = {
      authorization: `Bearer ${this.#key}`, accept: 'application/json', 'user-agent': 'carillon-typescript/1',
    };
    let content = options.content;
    if (options.body !== undefined) content = JSON.stringify(options.body);
    if (content !== undefined) headers['content-type'] = options.contentType ?? 'application/json';
    if (options.isKeyed || options.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey ?? randomUUID();
    if (ifMatch !== undefined) headers['if-match'] = ifMatch;
    const url = this.#url + path + this.#query(options);
    let isLost = false;
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= this.#attempts;
      let wait: number | undefined;
      try {
        const [answer, text] = await attemptOf(url, {method, headers, body: content}, options.timeout ?? this.#timeout, signal);
        // The attempt without an answer has deleted it.
        if (isLost && method === 'DELETE' && answer.status === 404) return {status: 204, headers: answer.headers, body: undefined};
        const read = this.#read(answer, text);
        if (!(read instanceof APIError)) return {status: answer.status, headers: answer.headers, body: read.value};
        wait = read.retryAfter;
        const repeats = PASSING.has(read.status) && (mayRepeat || read.status === 429);
        if (isLast || !repeats || (wait !== undefined && wait > this.#longestWait)) throw read;
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof APIError) throw error;
        if (isLast || !(mayRepeat || isUnsent(error))) {
          const text = this.#withoutKey(words(error));
          throw new NoAnswerError(`${method} ${path} at ${new URL(url).origin} had no answer: ${text}`, {cause: error});
        }
        isLost ||= !isUnsent(error);
      }
      await pause(wait ?? backoff(attempt), signal);
    }
  }

  #query({query, takesTopic = true}: RequestOptions): string {
    const pairs = [];
    // A space is %20 here: a plus is a plus.
    for (const [name, value] of Object.entries({topic: takesTopic ? this.#topic : undefined, ...query})) {
      if (value === undefined || value === null) continue;
      pairs.push(`${name}=${encodeURIComponent(Array.isArray(value) ? value.join(',') : String(value))}`);
    }
    return pairs.length === 0 ? '' : '?' + pairs.join('&');
  }

  /** Returns the error of an answer, or what a successful one has. */
  #read(answer: Response, text: string): APIError | {value: unknown} {
    let value: any;
    let isJSON = true;
    try {
      value = text === '' ? undefined : JSON.parse(text);
    } catch {
      isJSON = false;
    }
    if (answer.ok && isJSON) return {value};
    const retryAfter = retryAfterOf(answer.headers);
    if (answer.status >= 400 && typeof value?.type === 'string') {
      const [type, title, detail] = [value.type, value.title, value.detail].map((each) => this.#withoutKey(String(each ?? '')));
      return new APIError(answer.status, {type: type!, title: title!, detail: detail!, pointer: value.pointer}, retryAfter);
    }
    return new APIError(answer.status, {
      type: 'about:blank', title: answer.statusText || 'An answer', detail: this.#foreign(answer, text)}, retryAfter);
  }

  #foreign(answer: Response, text: string): string {
    if (answer.status >= 300 && answer.status < 400) {
      const place = this.#withoutKey(answer.headers.get('location') ?? 'nowhere').slice(0, EXCERPT);
      return `redirected to ${place}, which is not followed: give the client the service's own address`;
    }
    const kind = answer.headers.get('content-type') ?? 'no type';
    const begin = this.#withoutKey(text.replace(/\s+/g, ' ').trim()).slice(0, EXCERPT);
    return `the answer is no JSON of Carillon, but ${kind}, as of a proxy in between: ${begin}`;
  }

  #withoutKey(text: string): string {
    return text.replaceAll(this.#key, '…');
  }
}

function parsed(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

/** Makes one request. Redirects are not followed: the key is for this address only. */
async function attemptOf(url: string, init: RequestInit, timeout: number, signal?: AbortSignal): Promise<[Response, string]> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  const end = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', end, {once: true});
  const timer = setTimeout(() => ending.abort(new Error(`the answer was not complete within ${timeout} ms`)), timeout);
  try {
    const answer = await fetch(url, {...init, redirect: 'manual', signal: ending.signal});
    return [answer, await answer.text()];
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** Waits, and throws the signal's reason as soon as it is aborted. */
function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, {once: true});
  });
}

function backoff(attempt: number): number {
  return Math.min(LONGEST_BACKOFF, FIRST_WAIT * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}

/** The milliseconds of `Retry-After`: seconds, or a date by the clock of whoever answers. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value.slice(0, 9)) * 1000;
  const then = Date.parse(value);
  if (Number.isNaN(then)) return undefined;
  const now = Date.parse(headers.get('date') ?? '');
  return Math.max(0, then - (Number.isNaN(now) ? Date.now() : now));
}

/** Whether there was no connection, so nothing was sent. */
function isUnsent(error: unknown): boolean {
  const code = (error as {cause?: {code?: string}} | undefined)?.cause?.code ?? '';
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'].includes(code);
}

/** What an error and its causes say: fetch itself says only that it failed. */
function words(error: unknown): string {
  const cause = (error as {cause?: unknown} | undefined)?.cause;
  return cause === undefined ? String(error) : `${error}: ${words(cause)}`;
}
