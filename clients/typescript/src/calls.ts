// The calls of the API. Made by scripts/clients.py: do not change it by hand.

import type {
  App,
  AppChange,
  CampaignFigures,
  CampaignTotal,
  CampaignsQuery,
  Count,
  Device,
  DeviceList,
  DeviceMessage,
  DeviceMessages,
  DeviceMessagesQuery,
  DeviceTimeline,
  DevicesQuery,
  DryRun,
  EraseUserQuery,
  Erased,
  EventPage,
  EventsQuery,
  FigureReport,
  FiguresQuery,
  ListedMessage,
  LiveActivity,
  LiveActivityEnd,
  LiveActivityPhone,
  LiveActivityStart,
  LiveActivityTimeline,
  LiveActivityTimelineQuery,
  LiveActivityUpdate,
  MessageList,
  MessagesQuery,
  NewTemplate,
  NewWebhook,
  Read,
  ReadAnswer,
  Recall,
  RecallRequest,
  Recipient,
  RecipientList,
  RecipientsQuery,
  Rendered,
  Report,
  ResendRequest,
  Send,
  Sent,
  Sync,
  Template,
  TemplateList,
  TemplateQuery,
  TemplateRender,
  TemplateRevert,
  TemplatesQuery,
  Timeline,
  TimelineQuery,
  UserData,
  UserQuery,
  Webhook,
  WebhookChange,
  WebhookReplay,
  WidgetReload,
  WidgetReloadReport,
} from './types.js';

/** What a single call can be given. */
export interface CallOptions {
  /** Makes two calls one, also those of two processes. Without it, each call has a key of its own where the API takes one. */
  idempotencyKey?: string;
  /** The ETag of the settings that are changed: 412 if they have another meanwhile. Such a call is never repeated. */
  ifMatch?: string;
  /** Ends the call, and its waits. */
  signal?: AbortSignal;
  /** Milliseconds for one attempt, until its answer is complete. */
  timeout?: number;
}

/** A call of any kind, as `request` takes it. */
export interface RequestOptions extends CallOptions {
  /** Members that are undefined are left out; a list is sent with commas. */
  query?: object;
  /** A value that is sent as JSON. */
  body?: unknown;
  /** Bytes, a text or a file that are sent as they are, in the place of a body. */
  content?: string | Uint8Array | Blob;
  /** Of the content; application/json by default. */
  contentType?: string;
  /** Whether each attempt has the same Idempotency-Key. The default is false. */
  isKeyed?: boolean;
  /** Whether the call may be made again although it may have been made. The default is true. */
  mayRepeat?: boolean;
  /** Whether the client's topic goes into the query: calls that do not name it refuse it. The default is true. */
  takesTopic?: boolean;
}

/** An answer with a status of 2xx. */
export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** A part of a path. */
export function encoded(id: string): string {
  if (id === '' || id === '.' || id === '..') throw new TypeError('an id has at least one character, and is not . or ..');
  return encodeURIComponent(id);
}

/** The calls of a backend, by name. The scope that a call needs stands in its description. */
export abstract class Calls {
  abstract request(method: string, path: string, options?: RequestOptions): Promise<Answer>;

  /** Send a message. Scope send. On disk when it is answered. */
  async send(body: Send, options: CallOptions = {}): Promise<Sent> {
    return (await this.request('POST', '/v1/notifications', {...options, body, isKeyed: true})).body as Sent;
  }

  /** What a send would do. Scope send. All of it is checked, and nothing is stored or sent. */
  async dryRun(body: Send, options: CallOptions = {}): Promise<DryRun> {
    return (await this.request('POST', '/v1/notifications', {...options, body: {...body, dry_run: true}})).body as DryRun;
  }

  /** Where a message stands. Scope read. */
  async report(id: string, options: CallOptions = {}): Promise<Report> {
    return (await this.request('GET', `/v1/notifications/${encoded(id)}`, {...options})).body as Report;
  }

  /**
   * The app's messages, the newest first. Scope read. By the time of their first acceptance. A page that asks for states may be
   * short, and even empty, although it has a `next`.
   */
  async *messages(query: MessagesQuery = {}, options: CallOptions = {}): AsyncGenerator<ListedMessage, void, undefined> {
    let after = query.after;
    do {
      const page: MessageList = await this.messagesPage({...query, after}, options);
      yield* page.notifications;
      after = page.next;
    } while (after !== undefined);
  }

  /** One page of `messages`. */
  async messagesPage(query: MessagesQuery = {}, options: CallOptions = {}): Promise<MessageList> {
    return (await this.request('GET', '/v1/notifications', {...options, query})).body as MessageList;
  }

  /**
   * A message's devices, or those of a count. Scope read. `group` takes the name of a count of the report, and not_shown:
   * accepted by APNs, and no sign that the person could see it. A page with a `next` may be short.
   */
  async *recipients(id: string, query: RecipientsQuery = {}, options: CallOptions = {}): AsyncGenerator<Recipient, void, undefined> {
    let after = query.after;
    do {
      const page: RecipientList = await this.recipientsPage(id, {...query, after}, options);
      yield* page.recipients;
      after = page.next;
    } while (after !== undefined);
  }

  /** One page of `recipients`. */
  async recipientsPage(id: string, query: RecipientsQuery = {}, options: CallOptions = {}): Promise<RecipientList> {
    return (await this.request('GET', `/v1/notifications/${encoded(id)}/recipients`, {...options, query})).body as RecipientList;
  }

  /** What happened to a message, device by device. Scope read. 100 devices a page. */
  async *timeline(id: string, query: TimelineQuery = {}, options: CallOptions = {}): AsyncGenerator<DeviceTimeline, void, undefined> {
    let after = query.after;
    do {
      const page: Timeline = await this.timelinePage(id, {...query, after}, options);
      yield* page.devices;
      after = page.next;
    } while (after !== undefined);
  }

  /** One page of `timeline`. */
  async timelinePage(id: string, query: TimelineQuery = {}, options: CallOptions = {}): Promise<Timeline> {
    return (await this.request('GET', `/v1/notifications/${encoded(id)}/timeline`, {...options, query})).body as Timeline;
  }

  /**
   * Recall a message, with a notice where nothing of the app runs. Scope send. Like the deletion. A quiet notice takes the
   * message's place on devices that may show it and have not confirmed its removal in time, at once on those that leave silent
   * pushes unanswered. It expires with the message. The first notice stands; it may follow a recall without one. A message
   * without a text gets none.
   */
  async recall(id: string, body?: RecallRequest, options: CallOptions = {}): Promise<Recall> {
    return (await this.request('POST', `/v1/notifications/${encoded(id)}/recall`, {...options, body})).body as Recall;
  }

  /**
   * Stop a message for a while. Scope send. Nothing of it is sent until it is resumed; what has gone out stays. It has no
   * effect where nothing is left to be sent.
   */
  async pause(id: string, options: CallOptions = {}): Promise<Report> {
    return (await this.request('POST', `/v1/notifications/${encoded(id)}/pause`, {...options})).body as Report;
  }

  /** Let a paused message go on. Scope send. One whose time has come meanwhile is sent at once. */
  async resume(id: string, options: CallOptions = {}): Promise<Report> {
    return (await this.request('POST', `/v1/notifications/${encoded(id)}/resume`, {...options})).body as Report;
  }

  /**
   * Stop a message for good. Scope send. What has not gone out is not sent; what has stays on the phones, unlike with a recall.
   * It has no effect where nothing is left to be sent.
   */
  async cancel(id: string, options: CallOptions = {}): Promise<Report> {
    return (await this.request('POST', `/v1/notifications/${encoded(id)}/cancel`, {...options})).body as Report;
  }

  /**
   * Send a message again to those who did not see it. Scope send. A copy of the message goes to the devices of the group
   * not_shown, except where another user is signed in now. The copy is a message with an id of its own, in no inbox. A repeated
   * call sends nothing. Those whom a broadcast to many means are determined while the copy is sent.
   */
  async resend(id: string, body?: ResendRequest, options: CallOptions = {}): Promise<Sent> {
    return (await this.request('POST', `/v1/notifications/${encoded(id)}/resend`, {...options, body, isKeyed: true})).body as Sent;
  }

  /** Count the devices that an audience means now. Scope send. Sends nothing. */
  async countAudience(body: Count, options: CallOptions = {}): Promise<number> {
    return ((await this.request('POST', '/v1/audiences/count', {...options, body})).body as {devices: number}).devices;
  }

  /**
   * The app's installations, the newest first. Scope read. Those whose token APNs has accepted; of one user, all.
   */
  async *devices(query: DevicesQuery = {}, options: CallOptions = {}): AsyncGenerator<Device, void, undefined> {
    let after = query.after;
    do {
      const page: DeviceList = await this.devicesPage({...query, after}, options);
      yield* page.devices;
      after = page.next;
    } while (after !== undefined);
  }

  /** One page of `devices`. */
  async devicesPage(query: DevicesQuery = {}, options: CallOptions = {}): Promise<DeviceList> {
    return (await this.request('GET', '/v1/devices', {...options, query})).body as DeviceList;
  }

  /**
   * What is known of an installation. For itself, or for the backend of its app with the scope read. Neither token nor secret.
   */
  async device(id: string, options: CallOptions = {}): Promise<Device> {
    return (await this.request('GET', `/v1/devices/${encoded(id)}`, {...options, takesTopic: false})).body as Device;
  }

  /**
   * What an installation got, and why not. Scope read. The messages for this installation, the newest first, with the state of
   * the push and what the phone has reported. A page may have few, or none, and still have a `next`.
   */
  async *deviceMessages(id: string, query: DeviceMessagesQuery = {}, options: CallOptions = {}): AsyncGenerator<DeviceMessage, void, undefined> {
    let after = query.after;
    do {
      const page: DeviceMessages = await this.deviceMessagesPage(id, {...query, after}, options);
      yield* page.notifications;
      after = page.next;
    } while (after !== undefined);
  }

  /** One page of `deviceMessages`. */
  async deviceMessagesPage(id: string, query: DeviceMessagesQuery = {}, options: CallOptions = {}): Promise<DeviceMessages> {
    return (await this.request('GET', `/v1/devices/${encoded(id)}/notifications`, {...options, query})).body as DeviceMessages;
  }

  /**
   * Forget an installation. By itself, or by the backend of its app with the scope users. What is queued for it is cancelled.
   */
  async deleteDevice(id: string, options: CallOptions = {}): Promise<void> {
    await this.request('DELETE', `/v1/devices/${encoded(id)}`, {...options, takesTopic: false});
  }

  /**
   * Sign out. Unbinds the installation from its user; what is queued for the user is not sent to it. Also for the backend of
   * its app, with the scope users.
   */
  async signOutDevice(id: string, options: CallOptions = {}): Promise<Sync> {
    return (await this.request('DELETE', `/v1/devices/${encoded(id)}/user`, {...options, takesTopic: false})).body as Sync;
  }

  /**
   * What is kept of a user. Scope users. The user's installations and the messages that name the user, with the replies that
   * the user typed: what an erasure removes. The feed of events tells nothing else and is left out.
   */
  async user(id: string, query: UserQuery = {}, options: CallOptions = {}): Promise<UserData> {
    return (await this.request('GET', `/v1/users/${encoded(id)}`, {...options, query})).body as UserData;
  }

  /** The installations bound to a user. Scope read. At most 100. */
  async userDevices(id: string, options: CallOptions = {}): Promise<Device[]> {
    return ((await this.request('GET', `/v1/users/${encoded(id)}/devices`, {...options})).body as {devices: Device[]}).devices;
  }

  /** Sign a user out everywhere. Scope users. Unbinds all of the user's installations. */
  async signOutUser(id: string, options: CallOptions = {}): Promise<number> {
    return ((await this.request('POST', `/v1/users/${encoded(id)}/sign-out`, {...options})).body as {devices: number}).devices;
  }

  /** Mark messages as read. Scope send. They disappear from the user's devices. */
  async markRead(id: string, body: Read, options: CallOptions = {}): Promise<ReadAnswer> {
    return (await this.request('POST', `/v1/users/${encoded(id)}/read`, {...options, body})).body as ReadAnswer;
  }

  /**
   * Erase a user. Scope users. Signs the user out everywhere, and erases what names the user and what only the user was sent;
   * `remaining` is counted afterwards. `copies` names the files beside the database that an upgrade has made before: they still
   * have the user.
   */
  async eraseUser(id: string, query: EraseUserQuery = {}, options: CallOptions = {}): Promise<Erased> {
    return (await this.request('DELETE', `/v1/users/${encoded(id)}`, {...options, query})).body as Erased;
  }

  /** The app's settings. Scope read. */
  async app(options: CallOptions = {}): Promise<App> {
    return (await this.request('GET', '/v1/app', {...options})).body as App;
  }

  /** Change the app's settings. Scope admin. */
  async changeApp(body: AppChange, options: CallOptions = {}): Promise<App> {
    return (await this.request('PATCH', '/v1/app', {...options, body})).body as App;
  }

  /**
   * What has happened, in order and each once. Scope read. Without `after`, no event, and the cursor of now. With `Accept:
   * text/event-stream`, a stream that goes on; there, `Last-Event-ID` takes the place of `after`. 410: the events after the
   * cursor are not complete any more. docs/events.md.
   */
  async events(query: EventsQuery = {}, options: CallOptions = {}): Promise<EventPage> {
    return (await this.request('GET', '/v1/events', {...options, query})).body as EventPage;
  }

  /**
   * What has happened, counted by day. Scope read. Figures of the app, or of one of its campaigns or messages. They are counted
   * as things happen, in the transaction that makes them durable. docs/figures.md.
   */
  async figures(query: FiguresQuery = {}, options: CallOptions = {}): Promise<FigureReport> {
    return (await this.request('GET', '/v1/figures', {...options, query})).body as FigureReport;
  }

  /**
   * The app's campaigns, each with its figures. Scope read. By name; campaigns for which something was counted on these days.
   */
  async *campaigns(query: CampaignsQuery = {}, options: CallOptions = {}): AsyncGenerator<CampaignTotal, void, undefined> {
    let after = query.after;
    do {
      const page: CampaignFigures = await this.campaignsPage({...query, after}, options);
      yield* page.campaigns;
      after = page.next;
    } while (after !== undefined);
  }

  /** One page of `campaigns`. */
  async campaignsPage(query: CampaignsQuery = {}, options: CallOptions = {}): Promise<CampaignFigures> {
    return (await this.request('GET', '/v1/figures/campaigns', {...options, query})).body as CampaignFigures;
  }

  /**
   * Start a Live Activity. Scope send. On disk when it is answered. A repeated body changes nothing; another body with a known
   * id gets 409. docs/live-activities.md.
   */
  async startLiveActivity(body: LiveActivityStart, options: CallOptions = {}): Promise<LiveActivity> {
    return (await this.request('POST', '/v1/live-activities', {...options, body, isKeyed: true})).body as LiveActivity;
  }

  /** Where a Live Activity stands. Scope read. */
  async liveActivity(id: string, options: CallOptions = {}): Promise<LiveActivity> {
    return (await this.request('GET', `/v1/live-activities/${encoded(id)}`, {...options})).body as LiveActivity;
  }

  /**
   * Update a Live Activity. Scope send. The whole new state: a phone gets the newest one, never one after a newer one.
   */
  async updateLiveActivity(id: string, body: LiveActivityUpdate, options: CallOptions = {}): Promise<LiveActivity> {
    return (await this.request('PATCH', `/v1/live-activities/${encoded(id)}`, {...options, body, isKeyed: true})).body as LiveActivity;
  }

  /** End a Live Activity, with a last state or a time to dismiss it. Scope send. Like the deletion. */
  async endLiveActivity(id: string, body?: LiveActivityEnd, options: CallOptions = {}): Promise<LiveActivity> {
    return (await this.request('POST', `/v1/live-activities/${encoded(id)}/end`, {...options, body, isKeyed: true})).body as LiveActivity;
  }

  /**
   * What has happened to a Live Activity on each phone. Scope read. The newest event of each kind: APNs' answers, and the
   * phone's receipts.
   */
  async *liveActivityTimeline(id: string, query: LiveActivityTimelineQuery = {}, options: CallOptions = {}): AsyncGenerator<LiveActivityPhone, void, undefined> {
    let after = query.after;
    do {
      const page: LiveActivityTimeline = await this.liveActivityTimelinePage(id, {...query, after}, options);
      yield* page.phones;
      after = page.next;
    } while (after !== undefined);
  }

  /** One page of `liveActivityTimeline`. */
  async liveActivityTimelinePage(id: string, query: LiveActivityTimelineQuery = {}, options: CallOptions = {}): Promise<LiveActivityTimeline> {
    return (await this.request('GET', `/v1/live-activities/${encoded(id)}/timeline`, {...options, query})).body as LiveActivityTimeline;
  }

  /**
   * Reload widgets or controls. Scope send. A push to each token of the audience; what waits already is one push with it.
   * docs/widgets.md.
   */
  async reloadWidgets(body: WidgetReload, options: CallOptions = {}): Promise<WidgetReloadReport> {
    return (await this.request('POST', '/v1/widgets', {...options, body, isKeyed: true})).body as WidgetReloadReport;
  }

  /**
   * The app's templates, by name. Scope read. The newest version of each, without its message. docs/templates.md.
   */
  async *templates(query: TemplatesQuery = {}, options: CallOptions = {}): AsyncGenerator<Template, void, undefined> {
    let after = query.after;
    do {
      const page: TemplateList = await this.templatesPage({...query, after}, options);
      yield* page.templates;
      after = page.next;
    } while (after !== undefined);
  }

  /** One page of `templates`. */
  async templatesPage(query: TemplatesQuery = {}, options: CallOptions = {}): Promise<TemplateList> {
    return (await this.request('GET', '/v1/templates', {...options, query})).body as TemplateList;
  }

  /** A template. Scope read. The newest version, or another. */
  async template(id: string, query: TemplateQuery = {}, options: CallOptions = {}): Promise<Template> {
    return (await this.request('GET', `/v1/templates/${encoded(id)}`, {...options, query})).body as Template;
  }

  /**
   * Store a template. Scope admin. The body has members of POST /v1/notifications: what the message says, and how. Another
   * content makes another version; the same one changes nothing.
   */
  async storeTemplate(id: string, body: NewTemplate, options: CallOptions = {}): Promise<Template> {
    return (await this.request('PUT', `/v1/templates/${encoded(id)}`, {...options, body})).body as Template;
  }

  /** Delete a template with all its versions. Scope admin. Messages that were sent with it stay. */
  async deleteTemplate(id: string, options: CallOptions = {}): Promise<void> {
    await this.request('DELETE', `/v1/templates/${encoded(id)}`, {...options});
  }

  /** The versions of a template, the newest first. Scope read. The 50 newest. */
  async templateVersions(id: string, options: CallOptions = {}): Promise<Template[]> {
    return ((await this.request('GET', `/v1/templates/${encoded(id)}/versions`, {...options})).body as {versions: Template[]}).versions;
  }

  /** Return to a version. Scope admin. A new version gets the content of a former one. */
  async revertTemplate(id: string, body: TemplateRevert, options: CallOptions = {}): Promise<Template> {
    return (await this.request('POST', `/v1/templates/${encoded(id)}/revert`, {...options, body})).body as Template;
  }

  /**
   * Show what a template makes, without sending. Scope read. A value that is missing is refused with its name.
   */
  async renderTemplate(id: string, body?: TemplateRender, options: CallOptions = {}): Promise<Rendered> {
    return (await this.request('POST', `/v1/templates/${encoded(id)}/render`, {...options, body})).body as Rendered;
  }

  /** The app's webhooks. Scope read. */
  async webhooks(options: CallOptions = {}): Promise<Webhook[]> {
    return ((await this.request('GET', '/v1/webhooks', {...options})).body as {webhooks: Webhook[]}).webhooks;
  }

  /**
   * Have events posted to an address. Scope admin. The webhook gets the events from now on. The answer has its secret, which no
   * other call shows. docs/webhooks.md.
   */
  async addWebhook(body: NewWebhook, options: CallOptions = {}): Promise<Webhook> {
    return (await this.request('POST', '/v1/webhooks', {...options, body, isKeyed: true})).body as Webhook;
  }

  /** A webhook, and what its endpoint last said. Scope read. */
  async webhook(id: string, options: CallOptions = {}): Promise<Webhook> {
    return (await this.request('GET', `/v1/webhooks/${encoded(id)}`, {...options})).body as Webhook;
  }

  /**
   * Change a webhook, or let one go on that is set aside. Scope admin. A request that is being tried keeps its events.
   */
  async changeWebhook(id: string, body: WebhookChange, options: CallOptions = {}): Promise<Webhook> {
    return (await this.request('PATCH', `/v1/webhooks/${encoded(id)}`, {...options, body})).body as Webhook;
  }

  /** Delete a webhook. Scope admin. A request under way may still arrive. */
  async deleteWebhook(id: string, options: CallOptions = {}): Promise<void> {
    await this.request('DELETE', `/v1/webhooks/${encoded(id)}`, {...options});
  }

  /** Give a webhook another secret. Scope admin. For a day, requests are signed with the former one too. */
  async rotateWebhook(id: string, options: CallOptions = {}): Promise<Webhook> {
    return (await this.request('POST', `/v1/webhooks/${encoded(id)}/rotate`, {...options, isKeyed: true})).body as Webhook;
  }

  /**
   * Tell a webhook events again. Scope admin. From a time on, as far as events are kept; in requests with new ids.
   */
  async replayWebhook(id: string, body: WebhookReplay, options: CallOptions = {}): Promise<Webhook> {
    return (await this.request('POST', `/v1/webhooks/${encoded(id)}/replay`, {...options, body, isKeyed: true})).body as Webhook;
  }

  /** Post a test event to a webhook. Scope admin. The event webhook.test comes after those that wait. */
  async testWebhook(id: string, options: CallOptions = {}): Promise<Webhook> {
    return (await this.request('POST', `/v1/webhooks/${encoded(id)}/test`, {...options, mayRepeat: false})).body as Webhook;
  }
}
