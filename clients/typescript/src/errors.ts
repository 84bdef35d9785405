const PREFIX = 'urn:carillon:problem:';

/** All errors of this package, except those of a wrong argument and of an AbortSignal. */
export class CarillonError extends Error {
  override name = 'CarillonError';
}

/** No complete answer came: the service is away, too slow, or the connection broke. The call may have been made or not. */
export class NoAnswerError extends CarillonError {
  override name = 'NoAnswerError';
}

/** A request is not a webhook of this service, or it is an old one that somebody repeats. Answer 401. */
export class WebhookError extends CarillonError {
  override name = 'WebhookError';
}

/** The members of a problem document. */
export interface Problem {
  type: string;
  title: string;
  detail: string;
  pointer?: string;
}

/** An answer that is no success. Decide by `type`, which never changes (docs/errors.md), or by `problem`, its last part. */
export class APIError extends CarillonError {
  override name = 'APIError';
  /** Such as `urn:carillon:problem:no-such-message`; `about:blank` for an answer of a proxy in between. */
  readonly type: string;
  /** The kind of error in words. */
  readonly title: string;
  /** What was wrong in this call, and what to do. */
  readonly detail: string;
  /** The place in the body, as a JSON pointer. */
  readonly pointer: string | undefined;

  /**
   * - status: the HTTP status. 200 if the answer of a successful call could not be read, as of a proxy's page.
   * - retryAfter: the milliseconds after which the service says to try again.
   */
  constructor(readonly status: number, problem: Problem, readonly retryAfter?: number) {
    const name = problem.type.startsWith(PREFIX) ? problem.type.slice(PREFIX.length) : 'not of Carillon';
    super(`${status} ${name}: ${problem.title}: ${problem.detail}${problem.pointer ? ` (at ${problem.pointer})` : ''}`);
    this.type = problem.type;
    this.title = problem.title;
    this.detail = problem.detail;
    this.pointer = problem.pointer;
  }

  /** The last part of `type`, such as `no-such-message`; undefined for an answer of a proxy in between. */
  get problem(): string | undefined {
    return this.type.startsWith(PREFIX) ? this.type.slice(PREFIX.length) : undefined;
  }
}
