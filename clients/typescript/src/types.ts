// The objects of the API. Made by scripts/clients.py: do not change it by hand.

export type Environment =
  | 'production'
  | 'sandbox'
  | (string & {});

export type EventType =
  | 'message.accepted'
  | 'message.replaced'
  | 'message.paused'
  | 'message.resumed'
  | 'message.cancelled'
  | 'message.recalled'
  | 'message.finished'
  | 'push.queued'
  | 'push.sent'
  | 'push.accepted'
  | 'push.rejected'
  | 'push.unanswered'
  | 'push.cancelled'
  | 'message.received'
  | 'message.shown'
  | 'message.opened'
  | 'message.acted'
  | 'message.dismissed'
  | 'message.expired'
  | 'message.removed'
  | 'device.registered'
  | 'device.changed'
  | 'device.quarantined'
  | 'device.gone'
  | 'user.signed_in'
  | 'user.signed_out'
  | 'live_activity.started'
  | 'live_activity.updated'
  | 'live_activity.stale'
  | 'live_activity.ended'
  | 'live_activity.dismissed'
  | 'live_activity.undecodable'
  | 'sending.stopped'
  | 'sending.resumed'
  | 'certificate.expiring'
  | 'webhook.set_aside'
  | 'webhook.resumed'
  | (string & {});

/**
 * accepted: on the disk, and APNs has taken no push yet. scheduled: waits for send_at. paused: nothing goes out until it is
 * resumed. sending: some devices are done. sent: each device has had its first push; counts says what arrived. cancelled: what
 * had not gone out is not sent. recalled: it is removed from the phones; recall says from how many. expired: its until has
 * passed.
 */
export type MessageState =
  | 'accepted'
  | 'scheduled'
  | 'paused'
  | 'sending'
  | 'sent'
  | 'cancelled'
  | 'recalled'
  | 'expired'
  | (string & {});

/**
 * visible: an alert push, which iOS shows. silent: a background push, from which the SDK makes the notification; lost where the
 * app may not run. assured: silent first, and visible where no phone says shown in time (60 s; 15 minutes to many).
 */
export type Mode =
  | 'visible'
  | 'silent'
  | 'assured'
  | (string & {});

/**
 * Why it is for no device: the users are signed in nowhere, no such installation is registered, no device has a token that
 * works, or no device meets the condition.
 */
export type NobodyReason =
  | 'not-signed-in'
  | 'no-such-device'
  | 'token-gone'
  | 'nobody-matches'
  | (string & {});

export type Permission =
  | 'not-determined'
  | 'denied'
  | 'authorized'
  | 'provisional'
  | 'ephemeral'
  | (string & {});

export type PushState =
  | 'queued'
  | 'accepted'
  | 'rejected'
  | 'unanswered'
  | 'expired'
  | 'cancelled'
  | 'set-aside'
  | 'skipped'
  | (string & {});

/**
 * pending until launch: the removal has gone out, and no answer has come yet; a phone that is on confirms within seconds,
 * another at its next launch at the latest. confirmed: the phone reports that it is gone. replaced: a quiet notice has taken
 * its place. never sent: no push of it went to the device.
 */
export type RecallOutcome =
  | 'confirmed'
  | 'replaced'
  | 'pending until launch'
  | 'never sent'
  | (string & {});

export type Reported =
  | 'received'
  | 'shown'
  | 'opened'
  | 'acted'
  | 'dismissed'
  | 'expired'
  | 'recalled'
  | (string & {});

export interface App {
  requires_sign_in: boolean;
  topic: string;
  /** Absent without a limit. */
  sends_per_second?: number;
}

export interface AppChange {
  /** Pushes that go out in a second, from all processes together; 0 for no limit. */
  sends_per_second?: number;
}

/** It has exactly one of these members. */
export interface Audience {
  devices?: string[];
  everyone?: boolean;
  user?: string;
  users?: unknown;
  /**
   * Confirmed devices on which a condition holds: tag, locale, time_zone, version, environment, permission, seen; with and, or,
   * not and brackets. `seen<30d` counts from when sending starts.
   */
  where?: string;
}

export interface CampaignFigures {
  campaigns: CampaignTotal[];
  from: string;
  to: string;
  next?: string;
}

export interface CampaignTotal {
  accepted: number;
  acted: number;
  campaign: string;
  dismissed: number;
  failed: number;
  /** By APNs' reason, or unanswered. */
  failures: Record<string, number>;
  opened: number;
  opt_outs: number;
  received: number;
  shown: number;
  /**
   * Messages that were shown, by the seconds from APNs' acceptance to the display: each bound has those above the bound before,
   * and more has the rest. The bounds are 1, 5, 15, 60, 300, 900, 3600, 21600, 86400.
   */
  shown_within: Record<string, number>;
  unregistered: number;
}

export interface Count {
  to: Audience;
  /** As in Send. */
  topic?: string;
}

export interface DayFigures {
  accepted: number;
  acted: number;
  day: string;
  dismissed: number;
  failed: number;
  /** By APNs' reason, or unanswered. */
  failures: Record<string, number>;
  opened: number;
  opt_outs: number;
  received: number;
  shown: number;
  /**
   * Messages that were shown, by the seconds from APNs' acceptance to the display: each bound has those above the bound before,
   * and more has the rest. The bounds are 1, 5, 15, 60, 300, 900, 3600, 21600, 86400.
   */
  shown_within: Record<string, number>;
  unregistered: number;
}

export interface Device {
  environment: Environment;
  installation: string;
  permission: Permission;
  seen_at: string;
  state: 'active' | 'unregistered' | 'quarantined' | 'superseded' | 'awaiting-token' | (string & {});
  token_registered_at: string;
  topic: string;
  app_version?: string;
  confirmed_at?: string;
  locale?: string;
  tags?: string[];
  time_zone?: string;
  user?: string;
}

export interface DeviceList {
  devices: Device[];
  next?: string;
}

export interface DeviceMessage {
  accepted_at: string;
  id: string;
  /** What the device has reported, each once. */
  receipts: Reported[];
  revision: number;
  state: PushState;
  /** APNs' last reason, or why the push was not sent. */
  reason?: string;
  /** The alert's title; without one, its body. Variables stand as they were sent. */
  title?: string;
  /** The user whom the message was for; of a message to a condition or to everyone, the one signed in now. */
  user?: string;
}

export interface DeviceMessages {
  /** The installation. */
  id: string;
  notifications: DeviceMessage[];
  next?: string;
}

export interface DeviceTimeline {
  device: string;
  events: Event[];
  state: 'queued' | 'accepted' | 'rejected' | 'unanswered' | 'expired' | 'cancelled' | 'set-aside' | 'skipped' | (string & {});
  recall?: RecallOutcome;
  /**
   * Why the push waits: nothing of the app is sent at the moment, or it is not yet the message's local time there; only with
   * the state queued.
   */
  waiting?: string;
}

export interface DryRun {
  devices: number;
  dry_run: boolean;
  variants: Variant[];
  reason?: NobodyReason;
}

export interface Erased {
  copies: string[];
  deliveries: number;
  devices: number;
  erased_at: string;
  inbox: number;
  messages: number;
  remaining: number;
  user: string;
  /** With ?devices=true. */
  deleted_devices?: number;
}

export interface Event {
  at: string;
  device: string;
  /**
   * queued: written down for this device. sent: handed to the connection. accepted: by APNs. rejected: refused by APNs; detail
   * says whether it will be tried again. unanswered: the answer to this attempt never came. received to dismissed: what the
   * phone reports. expired: its time passed. recalled: it is gone from the phone and will not come back.
   */
  event: 'queued' | 'sent' | 'accepted' | 'rejected' | 'unanswered' | 'cancelled' | 'received' | 'shown' | 'opened' | 'acted' | 'dismissed' | 'expired' | 'recalled' | (string & {});
  message: string;
  revision: number;
  apns_id?: string;
  attempt?: number;
  detail?: string;
  /** True when nobody reported it and the service concluded it. */
  inferred?: boolean;
  /**
   * show: brings the message. fallback: the visible push of an assured message. removal: takes messages away. notice: replaces
   * a recalled message. badge: sets the number alone.
   */
  purpose?: 'show' | 'fallback' | 'notice' | 'removal' | 'badge' | (string & {});
  reason?: string;
  reply?: string;
  status?: number;
}

export interface EventDetails {
  apns_id?: string;
  attempt?: number;
  detail?: string;
  environment?: Environment;
  live_activity?: string;
  purpose?: string;
  reason?: string;
  reply?: string;
  revision?: number;
  status?: number;
  timestamp?: number;
  webhook?: string;
}

export interface EventPage {
  events: FeedEvent[];
  next: string;
}

export interface FeedEvent {
  at: string;
  id: string;
  type: EventType;
  details?: EventDetails;
  device?: string;
  message?: string;
  user?: string;
}

export interface FigureReport {
  days: DayFigures[];
  from: string;
  to: string;
  total: Figures;
  campaign?: string;
  message?: string;
}

/**
 * A device counts once for each revision of a message. accepted: APNs has taken the push. failed: it was given up, for a reason
 * in failures. received to dismissed: as the phone reports. opt_outs and unregistered are of no message: people who switched
 * notifications off, and devices whose token APNs does not know any more.
 */
export interface Figures {
  accepted: number;
  acted: number;
  dismissed: number;
  failed: number;
  /** By APNs' reason, or unanswered. */
  failures: Record<string, number>;
  opened: number;
  opt_outs: number;
  received: number;
  shown: number;
  /**
   * Messages that were shown, by the seconds from APNs' acceptance to the display: each bound has those above the bound before,
   * and more has the rest. The bounds are 1, 5, 15, 60, 300, 900, 3600, 21600, 86400.
   */
  shown_within: Record<string, number>;
  unregistered: number;
}

export interface ImportReport {
  added: number;
  /** Tokens of registered installations, of which nothing was changed. */
  kept: number;
  /** The last line that was dealt with. */
  line: number;
  records: number;
  refusals: Refusal[];
  refused: number;
  unchanged: number;
  updated: number;
}

export interface ListedMessage {
  accepted_at: string;
  /**
   * Devices, each at most once in a count. By their push: queued, accepted (by APNs), rejected, unanswered (given up without an
   * answer), cancelled, expired, skipped (left out by the rules of local time), set_aside (its row cannot be read). By their
   * receipts: received, shown, opened, acted, dismissed, recalled. second_sends were handed over again, since nobody knew
   * whether the first push had arrived; second_alerts may have alerted twice.
   */
  counts: Record<string, number>;
  id: string;
  mode: Mode;
  revision: number;
  state: MessageState;
  topic: string;
  campaign?: string;
  local_time?: LocalTimeReport;
  progress?: Progress;
  reason?: NobodyReason;
  recall?: Record<string, number>;
  recalled_at?: string;
  /** Devices from which a reply came; only where the message keeps replies. */
  replies?: number;
  /** In local time, when the first place on Earth gets there: sending starts then. */
  send_at?: string;
  /** The alert's title; without one, its body. Variables stand as they were sent. */
  title?: string;
  until?: string;
}

export interface LiveActivity {
  'attributes-type': string;
  changed_at: string;
  'content-state': Record<string, unknown>;
  devices: number;
  id: string;
  phones: Record<string, number>;
  /** The phones that have reported each event; for updated, those that have shown the newest state. */
  receipts: Record<string, number>;
  revision: number;
  started_at: string;
  state: 'running' | 'ended' | 'over' | (string & {});
  channels?: LiveActivityChannel[];
  ended_at?: string;
  reason?: 'not-signed-in' | 'no-such-device' | 'token-gone' | 'nobody-matches' | (string & {});
}

export interface LiveActivityChannel {
  environment: 'production' | 'sandbox' | (string & {});
  state: 'making' | 'open' | 'closing' | (string & {});
  problem?: string;
}

export interface LiveActivityEnd {
  alert?: Record<string, unknown>;
  'content-state'?: Record<string, unknown>;
  'dismissal-date'?: string | number;
  'relevance-score'?: number;
}

export interface LiveActivityPhone {
  device: string;
  events: LiveActivityPhoneEvent[];
  state: 'waiting' | 'queued' | 'started' | 'current' | 'rejected' | 'expired' | 'ending' | 'ended' | 'gone' | (string & {});
}

export interface LiveActivityPhoneEvent {
  at: string;
  event: 'accepted' | 'rejected' | 'started' | 'updated' | 'stale' | 'ended' | 'dismissed' | 'undecodable' | (string & {});
  detail?: string;
  timestamp?: number;
}

export interface LiveActivityStart {
  alert: Record<string, unknown>;
  /** One of the members has the id as its value. */
  attributes: Record<string, unknown>;
  /** The name of the app's type, such as MatchAttributes. */
  'attributes-type': string;
  'content-state': Record<string, unknown>;
  id: string;
  /** Users, devices, a condition or everyone. */
  to: Audience;
  'relevance-score'?: number;
  'stale-date'?: string | number;
  topic?: string;
}

export interface LiveActivityTimeline {
  id: string;
  phones: LiveActivityPhone[];
  /** Of the newest state. */
  timestamp: number;
  next?: string;
}

export interface LiveActivityUpdate {
  'content-state': Record<string, unknown>;
  alert?: Record<string, unknown>;
  /** 10 arrives at once and costs the phone's budget; 5 does not. */
  priority?: '5' | '10' | (string & {});
  'relevance-score'?: number;
  'stale-date'?: string | number;
}

/** A time by the clock of each device. docs/local-time.md has the rules. */
export interface LocalSendAt {
  /**
   * A date with a time of day, without a zone. A time that the change to summer time skips means the moment of the change; one
   * that comes twice, the first.
   */
  local: string;
  /**
   * The time zone of devices whose own is not known, by its name in the IANA database; skip: such devices are left out.
   */
  fallback?: string;
  /**
   * For devices where the time had passed when the message was accepted. send: they get it at once. skip: they are left out.
   */
  passed?: 'send' | 'skip' | (string & {});
}

/** Of a message in local time; absent for others. */
export interface LocalTimeReport {
  fallback: string;
  local: string;
  passed: string;
  /** The moments for which devices wait, the next first; empty until sending starts. */
  waits: LocalTimeWait[];
}

export interface LocalTimeWait {
  at: string;
  devices: number;
  /** From UTC, of a clock that shows the message's time then, such as +05:45. */
  offset: string;
}

export interface LocalizedText {
  body?: string;
  subtitle?: string;
  title?: string;
}

export interface MessageList {
  notifications: ListedMessage[];
  next?: string;
}

/** Every text of the payload and of localized may have variables: {{name}}, or {{name|default}}. */
export interface NewTemplate {
  payload: Record<string, unknown>;
  campaign?: string;
  controls?: string[];
  dialect?: 'carillon' | 'pushwoosh' | 'infobip' | (string & {});
  keep_replies?: boolean;
  localized?: Record<string, LocalizedText>;
  mode?: 'visible' | 'silent' | 'assured' | (string & {});
  until?: string;
  widgets?: boolean;
}

export interface NewWebhook {
  url: string;
  /** With the replies that people type. */
  texts?: boolean;
  /** Only these; all by default. */
  types?: EventType[];
}

export interface Notice {
  body?: string;
  title?: string;
}

/**
 * How far a message to everyone, or by a condition, of an app with more than 1000 devices has come; absent for others.
 */
export interface Progress {
  /** Devices of the app of which it is decided whether it is for them. */
  decided: number;
  /** All of them, when sending began; 0 before. */
  total: number;
  finishes_at?: string;
  /** Pushes handed to APNs in a second, on average since sending began. */
  per_second?: number;
}

/** It has exactly one of these members. */
export interface Read {
  messages?: string[];
  up_to?: string | number;
}

export interface ReadAnswer {
  marked: number;
  unread: number;
}

export interface Recall {
  devices: RecalledDevice[];
  id: string;
  recall: Record<string, number>;
  state: MessageState;
}

export interface RecallRequest {
  notice?: Notice;
}

export interface RecalledDevice {
  device: string;
  recall: RecallOutcome;
}

export interface Recipient {
  device: string;
  /** What the device has reported, each once. */
  receipts: Reported[];
  state: PushState;
  /** APNs' last reason, or why the push was not sent. */
  reason?: string;
  /** The user whom the message was for; of a message to a condition or to everyone, the one signed in now. */
  user?: string;
}

export interface RecipientList {
  id: string;
  recipients: Recipient[];
  next?: string;
}

export interface Refusal {
  line: number;
  reason: string;
}

export interface Rendered {
  name: string;
  /** As a phone gets it, without Carillon's own key. */
  payload: Record<string, unknown>;
  version: number;
  /** Of the largest push, with everything that Carillon adds. */
  bytes?: number;
  /** Of the texts; absent for those of the payload itself. */
  language?: string;
}

export interface Report {
  accepted_at: string;
  /**
   * Devices, each at most once in a count. By their push: queued, accepted (by APNs), rejected, unanswered (given up without an
   * answer), cancelled, expired, skipped (left out by the rules of local time), set_aside (its row cannot be read). By their
   * receipts: received, shown, opened, acted, dismissed, recalled. second_sends were handed over again, since nobody knew
   * whether the first push had arrived; second_alerts may have alerted twice.
   */
  counts: Record<string, number>;
  id: string;
  mode: Mode;
  revision: number;
  state: MessageState;
  topic: string;
  campaign?: string;
  local_time?: LocalTimeReport;
  progress?: Progress;
  reason?: NobodyReason;
  recall?: Record<string, number>;
  recalled_at?: string;
  /** Devices from which a reply came; only where the message keeps replies. */
  replies?: number;
  /** In local time, when the first place on Earth gets there: sending starts then. */
  send_at?: string;
  until?: string;
}

/** id: that of the copy; without it, the message's id and .2. */
export interface ResendRequest {
  id?: string;
}

export interface Send {
  to: Audience;
  campaign?: string;
  /** The kinds of the controls to reload too; not with send_at. */
  controls?: string[];
  /**
   * Another push service's format in which the push is sent too, for apps that are installed already. The default is carillon.
   * With pushwoosh, id has at most 37 bytes.
   */
  dialect?: 'carillon' | 'pushwoosh' | 'infobip' | (string & {});
  id?: string;
  /**
   * Whether a text that a person types into the notification is told to the service, and shown on the timeline; at most 1000
   * bytes.
   */
  keep_replies?: boolean;
  /**
   * Texts in the place of the alert's, by language: each device gets those of its locale, of its language without the region,
   * or the payload's own. docs/texts.md.
   */
  localized?: Record<string, LocalizedText>;
  mode?: Mode;
  /**
   * Apple's payload, with keys of your own; `carillon` is taken. `aps.badge` may be "auto": the user's unread count, which is
   * also what users' messages get that give no number. At most 4096 bytes with Carillon's own key.
   */
  payload?: Record<string, unknown>;
  /**
   * Whether a removal is sent when `until` has passed, to devices that may still show the message. The default is true for
   * users and devices, false for everyone; it needs `until`.
   */
  remove_expired?: boolean;
  /**
   * Whether it may take the place of a message with the same id for another audience: whoever is no longer addressed loses that
   * one. Without it, 409.
   */
  replace?: boolean;
  /**
   * When to send, at most a year ahead; a time that has passed means at once. Whom a condition means is decided then. With a
   * LocalSendAt, it reaches each device at its own moment. docs/local-time.md.
   */
  send_at?: unknown;
  /**
   * The template with the content, in the place of payload and localized; its other members stand where the request has none.
   * docs/templates.md.
   */
  template?: unknown;
  /** The app's bundle id; needed where the API key is for several apps. */
  topic?: string;
  /**
   * The last moment at which it may be seen. now: it is delivered now or never. APNs tries once and keeps nothing
   * (apns-expiration 0), the service tries for 60 s, and it is in no inbox. Not with the mode assured.
   */
  until?: string | number;
  /** Whether the app's widgets are reloaded too, as by POST /v1/widgets; not with send_at. */
  widgets?: boolean;
  with?: Record<string, unknown>;
}

export interface Sent {
  id: string;
  state: MessageState;
  /**
   * How many devices it is for; 0 when nobody addressed has one. Absent for a message to everyone, or by a condition, of an app
   * with more than 1000 devices: its report tells it when it is sent.
   */
  devices?: number;
  reason?: NobodyReason;
}

export interface Sync {
  now: string;
  removals: string[];
  /** The number of a newer request, if this one has come too late and has changed nothing. */
  sequence?: number;
  /**
   * The last eight digits of the device token to which this installation's pushes go. Where they are another phone's, register
   * as a new installation.
   */
  token_end?: string;
  unread?: number;
}

export interface Template {
  changed_at: string;
  /** The API key or the program that has made this version. */
  changed_by: string;
  name: string;
  version: number;
  /** The stored members; absent in lists. */
  message?: Record<string, unknown>;
}

export interface TemplateList {
  templates: Template[];
  next?: string;
}

export interface TemplateRender {
  /** A locale such as de or pt-BR, in the place of a user's. */
  language?: string;
  /** In the language of this user's newest installation. */
  user?: string;
  version?: number;
  with?: Record<string, unknown>;
}

export interface TemplateRevert {
  version: number;
}

export interface Timeline {
  devices: DeviceTimeline[];
  id: string;
  next?: string;
  reason?: NobodyReason;
}

export interface UserData {
  messages: UserMessage[];
  user: string;
  /** On the first page: where the user is signed in. */
  devices?: Device[];
  next?: string;
}

export interface UserMessage {
  accepted_at: string;
  devices: UserMessageDevice[];
  id: string;
  in_inbox: boolean;
  /** As the user got it, in the language of one of the installations. */
  payload: Record<string, unknown>;
  revision: number;
  read_at?: string;
  until?: string;
}

export interface UserMessageDevice {
  device: string;
  events: Event[];
}

export interface Variant {
  /** Of the largest push. */
  bytes: number;
  devices: number;
  /** Absent for the payload's own texts. */
  locale?: string;
}

export interface Webhook {
  /** The endpoint has confirmed the events up to here. */
  confirmed: string;
  created: string;
  /** Failed attempts at the present request. */
  failures: number;
  id: string;
  /** After the newest event. */
  newest: string;
  /**
   * set-aside: the endpoint took nothing for a day, or answered 410; nothing is posted until the webhook is changed or
   * replayed.
   */
  state: 'active' | 'retrying' | 'set-aside' | (string & {});
  texts: boolean;
  url: string;
  delivered?: string;
  last_failure?: WebhookFailure;
  missed?: string;
  next_attempt?: string;
  /** Only in the answer to the call that made it. */
  secret?: string;
  /** Absent for all. */
  types?: EventType[];
}

export interface WebhookChange {
  state?: string;
  texts?: boolean;
  types?: EventType[];
  url?: string;
}

export interface WebhookFailure {
  /** The beginning of what the endpoint said. */
  answer: string;
  at?: string;
}

export interface WebhookReplay {
  since: string | number;
}

export interface WidgetReload {
  /** Users, devices, a condition or everyone. */
  to: Audience;
  /** The kinds of the controls to reload; without it, all widgets of the app are reloaded. */
  controls?: string[];
  topic?: string;
  /** After it nothing is sent; in 24 hours without it, in 30 days at most. */
  until?: string | number;
}

export interface WidgetReloadReport {
  /** The devices of the audience, with and without widgets. */
  devices: number;
  /** False while the rest of very many devices follows in steps. */
  finished: boolean;
  /** The tokens that are asked to reload so far. */
  tokens: number;
  reason?: 'not-signed-in' | 'no-such-device' | 'token-gone' | 'nobody-matches' | (string & {});
}

/** What `messages` can be asked for. */
export interface MessagesQuery {
  /**
   * Only messages in one of these states, with commas between them: accepted, scheduled, paused, sending, sent, cancelled,
   * recalled, expired.
   */
  state?: string[];
  /** Only messages to users or devices by their ids, to everyone, or by a condition. */
  audience?: 'named' | 'everyone' | 'condition' | (string & {});
  /** Only messages that went to this user's devices, and not by a condition or to everyone. */
  user?: string;
  /** Only messages with this text in their id. */
  id?: string;
  /** Only messages accepted at this time or later. */
  accepted_since?: string;
  /** Only messages accepted before this time. */
  accepted_before?: string;
  /** The greatest number of entries on the page. */
  limit?: number;
  /** The `next` of the page before. */
  after?: string;
}

/** What `recipients` can be asked for. */
export interface RecipientsQuery {
  /** Only devices of this group. */
  group?: 'queued' | 'accepted' | 'rejected' | 'unanswered' | 'cancelled' | 'expired' | 'skipped' | 'set_aside' | 'received' | 'shown' | 'opened' | 'acted' | 'dismissed' | 'recalled' | 'not_shown' | (string & {});
  /** The greatest number of entries on the page. */
  limit?: number;
  /** The `next` of the page before. */
  after?: string;
}

/** What `timeline` can be asked for. */
export interface TimelineQuery {
  /** The `next` of the page before. */
  after?: string;
}

/** What `devices` can be asked for. */
export interface DevicesQuery {
  /**
   * Only installations in one of these states, with commas between them: active, unregistered, quarantined, superseded,
   * awaiting-token.
   */
  state?: string[];
  /** Only installations with this tag. */
  tag?: string;
  /** Only installations on which this user is signed in. */
  user?: string;
  /** The greatest number of entries on the page. */
  limit?: number;
  /** The `next` of the page before. */
  after?: string;
}

/** What `deviceMessages` can be asked for. */
export interface DeviceMessagesQuery {
  /** The greatest number of entries on the page. */
  limit?: number;
  /** The `next` of the page before. */
  after?: string;
}

/** What `user` can be asked for. */
export interface UserQuery {
  /** The greatest number of entries on the page. */
  limit?: number;
  /** The `next` of the page before. */
  after?: string;
}

/** What `eraseUser` can be asked for. */
export interface EraseUserQuery {
  /** Delete the installations on which the user is signed in too. */
  devices?: boolean;
}

/** What `events` can be asked for. */
export interface EventsQuery {
  /** The `next` of a page, or the id of an event. */
  after?: string;
  /** Only these types. */
  types?: EventType[];
  /** With the replies that people typed. */
  texts?: boolean;
  limit?: number;
}

/** What `figures` can be asked for. */
export interface FiguresQuery {
  /** The first day; without it, 30 days are told. At most 400 days. */
  from?: string;
  /** The last day; today without it. */
  to?: string;
  /** Only messages of this campaign. */
  campaign?: string;
  /** Only this message. Not together with `campaign`. */
  message?: string;
}

/** What `campaigns` can be asked for. */
export interface CampaignsQuery {
  /** The first day; without it, 30 days are told. At most 400 days. */
  from?: string;
  /** The last day; today without it. */
  to?: string;
  /** The greatest number of entries on the page. */
  limit?: number;
  /** The `next` of the page before. */
  after?: string;
}

/** What `liveActivityTimeline` can be asked for. */
export interface LiveActivityTimelineQuery {
  /** The greatest number of entries on the page. */
  limit?: number;
  /** The `next` of the page before. */
  after?: string;
}

/** What `templates` can be asked for. */
export interface TemplatesQuery {
  /** The greatest number of entries on the page. */
  limit?: number;
  /** The `next` of the page before. */
  after?: string;
}

/** What `template` can be asked for. */
export interface TemplateQuery {
  /** The version; the newest one without it. */
  version?: number;
}
