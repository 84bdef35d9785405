/** A client of Carillon's HTTP API, with nothing but what Node.js 18 or newer has. */
export {Carillon} from './client.js';
export type {CarillonOptions, FollowOptions} from './client.js';
export type {Answer, CallOptions, RequestOptions} from './calls.js';
export {APIError, CarillonError, NoAnswerError, WebhookError} from './errors.js';
export {verifyWebhook} from './webhooks.js';
export type {WebhookHeaders} from './webhooks.js';
export * from './types.js';
