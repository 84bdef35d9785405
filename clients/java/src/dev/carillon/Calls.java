// Made by scripts/clients.py: do not change it by hand.
package dev.carillon;

import dev.carillon.Types.*;
import java.util.List;

/** The calls of a backend, by name. The scope that a call needs stands in its description. */
public abstract class Calls {
    /** Makes any call of the API. */
    public abstract Answer request(Request request);

    /** Send a message. Scope send. On disk when it is answered. */
    public Sent send(final Send body) {
        return new Sent(request(new Request("POST", "/v1/notifications").body(body).keyed()).body());
    }

    /** What a send would do. Scope send. All of it is checked, and nothing is stored or sent. */
    public DryRun dryRun(final Send body) {
        return new DryRun(request(new Request("POST", "/v1/notifications").body(body.with("dry_run", true))).body());
    }

    /** Where a message stands. Scope read. */
    public Report report(final String id) {
        return new Report(request(new Request("GET", "/v1/notifications/" + Request.encoded(id))).body());
    }

    /** As below, with nothing that may be left out. */
    public Pages<ListedMessage> messages() {
        return messages(new MessagesQuery());
    }

    /**
     * The app's messages, the newest first. Scope read. By the time of their first acceptance. A page that asks for states may
     * be short, and even empty, although it has a `next`.
     */
    public Pages<ListedMessage> messages(final MessagesQuery query) {
        return new Pages<>(after -> {
            final MessagesQuery next = new MessagesQuery(query);
            if (after != null) next.after(after);
            final MessageList page = messagesPage(next);
            return new Pages.Page<>(page.notifications(), page.next());
        });
    }

    /** One page of {@link #messages}. */
    public MessageList messagesPage(final MessagesQuery query) {
        return new MessageList(request(new Request("GET", "/v1/notifications").query(query)).body());
    }

    /** As below, with nothing that may be left out. */
    public Pages<Recipient> recipients(final String id) {
        return recipients(id, new RecipientsQuery());
    }

    /**
     * A message's devices, or those of a count. Scope read. `group` takes the name of a count of the report, and not_shown:
     * accepted by APNs, and no sign that the person could see it. A page with a `next` may be short.
     */
    public Pages<Recipient> recipients(final String id, final RecipientsQuery query) {
        return new Pages<>(after -> {
            final RecipientsQuery next = new RecipientsQuery(query);
            if (after != null) next.after(after);
            final RecipientList page = recipientsPage(id, next);
            return new Pages.Page<>(page.recipients(), page.next());
        });
    }

    /** One page of {@link #recipients}. */
    public RecipientList recipientsPage(final String id, final RecipientsQuery query) {
        return new RecipientList(request(new Request("GET", "/v1/notifications/" + Request.encoded(id) + "/recipients").query(query)).body());
    }

    /** As below, with nothing that may be left out. */
    public Pages<DeviceTimeline> timeline(final String id) {
        return timeline(id, new TimelineQuery());
    }

    /** What happened to a message, device by device. Scope read. 100 devices a page. */
    public Pages<DeviceTimeline> timeline(final String id, final TimelineQuery query) {
        return new Pages<>(after -> {
            final TimelineQuery next = new TimelineQuery(query);
            if (after != null) next.after(after);
            final Timeline page = timelinePage(id, next);
            return new Pages.Page<>(page.devices(), page.next());
        });
    }

    /** One page of {@link #timeline}. */
    public Timeline timelinePage(final String id, final TimelineQuery query) {
        return new Timeline(request(new Request("GET", "/v1/notifications/" + Request.encoded(id) + "/timeline").query(query)).body());
    }

    /** As below, with nothing that may be left out. */
    public Recall recall(final String id) {
        return recall(id, null);
    }

    /**
     * Recall a message, with a notice where nothing of the app runs. Scope send. Like the deletion. A quiet notice takes the
     * message's place on devices that may show it and have not confirmed its removal in time, at once on those that leave
     * silent pushes unanswered. It expires with the message. The first notice stands; it may follow a recall without one. A
     * message without a text gets none.
     */
    public Recall recall(final String id, final RecallRequest body) {
        return new Recall(request(new Request("POST", "/v1/notifications/" + Request.encoded(id) + "/recall").body(body)).body());
    }

    /**
     * Stop a message for a while. Scope send. Nothing of it is sent until it is resumed; what has gone out stays. It has no
     * effect where nothing is left to be sent.
     */
    public Report pause(final String id) {
        return new Report(request(new Request("POST", "/v1/notifications/" + Request.encoded(id) + "/pause")).body());
    }

    /** Let a paused message go on. Scope send. One whose time has come meanwhile is sent at once. */
    public Report resume(final String id) {
        return new Report(request(new Request("POST", "/v1/notifications/" + Request.encoded(id) + "/resume")).body());
    }

    /**
     * Stop a message for good. Scope send. What has not gone out is not sent; what has stays on the phones, unlike with a
     * recall. It has no effect where nothing is left to be sent.
     */
    public Report cancel(final String id) {
        return new Report(request(new Request("POST", "/v1/notifications/" + Request.encoded(id) + "/cancel")).body());
    }

    /** As below, with nothing that may be left out. */
    public Sent resend(final String id) {
        return resend(id, null);
    }

    /**
     * Send a message again to those who did not see it. Scope send. A copy of the message goes to the devices of the group
     * not_shown, except where another user is signed in now. The copy is a message with an id of its own, in no inbox. A
     * repeated call sends nothing. Those whom a broadcast to many means are determined while the copy is sent.
     */
    public Sent resend(final String id, final ResendRequest body) {
        return new Sent(request(new Request("POST", "/v1/notifications/" + Request.encoded(id) + "/resend").body(body).keyed()).body());
    }

    /** Count the devices that an audience means now. Scope send. Sends nothing. */
    public long countAudience(final Count body) {
        return JsonObject.asLong(Request.member(request(new Request("POST", "/v1/audiences/count").body(body)).body(), "devices"));
    }

    /** As below, with nothing that may be left out. */
    public Pages<Device> devices() {
        return devices(new DevicesQuery());
    }

    /**
     * The app's installations, the newest first. Scope read. Those whose token APNs has accepted; of one user, all.
     */
    public Pages<Device> devices(final DevicesQuery query) {
        return new Pages<>(after -> {
            final DevicesQuery next = new DevicesQuery(query);
            if (after != null) next.after(after);
            final DeviceList page = devicesPage(next);
            return new Pages.Page<>(page.devices(), page.next());
        });
    }

    /** One page of {@link #devices}. */
    public DeviceList devicesPage(final DevicesQuery query) {
        return new DeviceList(request(new Request("GET", "/v1/devices").query(query)).body());
    }

    /**
     * What is known of an installation. For itself, or for the backend of its app with the scope read. Neither token nor
     * secret.
     */
    public Device device(final String id) {
        return new Device(request(new Request("GET", "/v1/devices/" + Request.encoded(id)).withoutTopic()).body());
    }

    /** As below, with nothing that may be left out. */
    public Pages<DeviceMessage> deviceMessages(final String id) {
        return deviceMessages(id, new DeviceMessagesQuery());
    }

    /**
     * What an installation got, and why not. Scope read. The messages for this installation, the newest first, with the state
     * of the push and what the phone has reported. A page may have few, or none, and still have a `next`.
     */
    public Pages<DeviceMessage> deviceMessages(final String id, final DeviceMessagesQuery query) {
        return new Pages<>(after -> {
            final DeviceMessagesQuery next = new DeviceMessagesQuery(query);
            if (after != null) next.after(after);
            final DeviceMessages page = deviceMessagesPage(id, next);
            return new Pages.Page<>(page.notifications(), page.next());
        });
    }

    /** One page of {@link #deviceMessages}. */
    public DeviceMessages deviceMessagesPage(final String id, final DeviceMessagesQuery query) {
        return new DeviceMessages(request(new Request("GET", "/v1/devices/" + Request.encoded(id) + "/notifications").query(query)).body());
    }

    /**
     * Forget an installation. By itself, or by the backend of its app with the scope users. What is queued for it is cancelled.
     */
    public void deleteDevice(final String id) {
        request(new Request("DELETE", "/v1/devices/" + Request.encoded(id)).withoutTopic());
    }

    /**
     * Sign out. Unbinds the installation from its user; what is queued for the user is not sent to it. Also for the backend of
     * its app, with the scope users.
     */
    public Sync signOutDevice(final String id) {
        return new Sync(request(new Request("DELETE", "/v1/devices/" + Request.encoded(id) + "/user").withoutTopic()).body());
    }

    /** As below, with nothing that may be left out. */
    public UserData user(final String id) {
        return user(id, new UserQuery());
    }

    /**
     * What is kept of a user. Scope users. The user's installations and the messages that name the user, with the replies that
     * the user typed: what an erasure removes. The feed of events tells nothing else and is left out.
     */
    public UserData user(final String id, final UserQuery query) {
        return new UserData(request(new Request("GET", "/v1/users/" + Request.encoded(id)).query(query)).body());
    }

    /** The installations bound to a user. Scope read. At most 100. */
    public List<Device> userDevices(final String id) {
        return JsonObject.asList(Request.member(request(new Request("GET", "/v1/users/" + Request.encoded(id) + "/devices")).body(), "devices"), Device::new);
    }

    /** Sign a user out everywhere. Scope users. Unbinds all of the user's installations. */
    public long signOutUser(final String id) {
        return JsonObject.asLong(Request.member(request(new Request("POST", "/v1/users/" + Request.encoded(id) + "/sign-out")).body(), "devices"));
    }

    /** Mark messages as read. Scope send. They disappear from the user's devices. */
    public ReadAnswer markRead(final String id, final Read body) {
        return new ReadAnswer(request(new Request("POST", "/v1/users/" + Request.encoded(id) + "/read").body(body)).body());
    }

    /** As below, with nothing that may be left out. */
    public Erased eraseUser(final String id) {
        return eraseUser(id, new EraseUserQuery());
    }

    /**
     * Erase a user. Scope users. Signs the user out everywhere, and erases what names the user and what only the user was sent;
     * `remaining` is counted afterwards. `copies` names the files beside the database that an upgrade has made before: they
     * still have the user.
     */
    public Erased eraseUser(final String id, final EraseUserQuery query) {
        return new Erased(request(new Request("DELETE", "/v1/users/" + Request.encoded(id)).query(query)).body());
    }

    /** The app's settings. Scope read. */
    public App app() {
        return new App(request(new Request("GET", "/v1/app")).body());
    }

    /** Change the app's settings. Scope admin. */
    public App changeApp(final AppChange body) {
        return new App(request(new Request("PATCH", "/v1/app").body(body)).body());
    }

    /** As below, with nothing that may be left out. */
    public EventPage events() {
        return events(new EventsQuery());
    }

    /**
     * What has happened, in order and each once. Scope read. Without `after`, no event, and the cursor of now. With `Accept:
     * text/event-stream`, a stream that goes on; there, `Last-Event-ID` takes the place of `after`. 410: the events after the
     * cursor are not complete any more. docs/events.md.
     */
    public EventPage events(final EventsQuery query) {
        return new EventPage(request(new Request("GET", "/v1/events").query(query)).body());
    }

    /** As below, with nothing that may be left out. */
    public FigureReport figures() {
        return figures(new FiguresQuery());
    }

    /**
     * What has happened, counted by day. Scope read. Figures of the app, or of one of its campaigns or messages. They are
     * counted as things happen, in the transaction that makes them durable. docs/figures.md.
     */
    public FigureReport figures(final FiguresQuery query) {
        return new FigureReport(request(new Request("GET", "/v1/figures").query(query)).body());
    }

    /** As below, with nothing that may be left out. */
    public Pages<CampaignTotal> campaigns() {
        return campaigns(new CampaignsQuery());
    }

    /**
     * The app's campaigns, each with its figures. Scope read. By name; campaigns for which something was counted on these days.
     */
    public Pages<CampaignTotal> campaigns(final CampaignsQuery query) {
        return new Pages<>(after -> {
            final CampaignsQuery next = new CampaignsQuery(query);
            if (after != null) next.after(after);
            final CampaignFigures page = campaignsPage(next);
            return new Pages.Page<>(page.campaigns(), page.next());
        });
    }

    /** One page of {@link #campaigns}. */
    public CampaignFigures campaignsPage(final CampaignsQuery query) {
        return new CampaignFigures(request(new Request("GET", "/v1/figures/campaigns").query(query)).body());
    }

    /**
     * Start a Live Activity. Scope send. On disk when it is answered. A repeated body changes nothing; another body with a
     * known id gets 409. docs/live-activities.md.
     */
    public LiveActivity startLiveActivity(final LiveActivityStart body) {
        return new LiveActivity(request(new Request("POST", "/v1/live-activities").body(body).keyed()).body());
    }

    /** Where a Live Activity stands. Scope read. */
    public LiveActivity liveActivity(final String id) {
        return new LiveActivity(request(new Request("GET", "/v1/live-activities/" + Request.encoded(id))).body());
    }

    /**
     * Update a Live Activity. Scope send. The whole new state: a phone gets the newest one, never one after a newer one.
     */
    public LiveActivity updateLiveActivity(final String id, final LiveActivityUpdate body) {
        return new LiveActivity(request(new Request("PATCH", "/v1/live-activities/" + Request.encoded(id)).body(body).keyed()).body());
    }

    /** As below, with nothing that may be left out. */
    public LiveActivity endLiveActivity(final String id) {
        return endLiveActivity(id, null);
    }

    /** End a Live Activity, with a last state or a time to dismiss it. Scope send. Like the deletion. */
    public LiveActivity endLiveActivity(final String id, final LiveActivityEnd body) {
        return new LiveActivity(request(new Request("POST", "/v1/live-activities/" + Request.encoded(id) + "/end").body(body).keyed()).body());
    }

    /** As below, with nothing that may be left out. */
    public Pages<LiveActivityPhone> liveActivityTimeline(final String id) {
        return liveActivityTimeline(id, new LiveActivityTimelineQuery());
    }

    /**
     * What has happened to a Live Activity on each phone. Scope read. The newest event of each kind: APNs' answers, and the
     * phone's receipts.
     */
    public Pages<LiveActivityPhone> liveActivityTimeline(final String id, final LiveActivityTimelineQuery query) {
        return new Pages<>(after -> {
            final LiveActivityTimelineQuery next = new LiveActivityTimelineQuery(query);
            if (after != null) next.after(after);
            final LiveActivityTimeline page = liveActivityTimelinePage(id, next);
            return new Pages.Page<>(page.phones(), page.next());
        });
    }

    /** One page of {@link #liveActivityTimeline}. */
    public LiveActivityTimeline liveActivityTimelinePage(final String id, final LiveActivityTimelineQuery query) {
        return new LiveActivityTimeline(request(new Request("GET", "/v1/live-activities/" + Request.encoded(id) + "/timeline").query(query)).body());
    }

    /**
     * Reload widgets or controls. Scope send. A push to each token of the audience; what waits already is one push with it.
     * docs/widgets.md.
     */
    public WidgetReloadReport reloadWidgets(final WidgetReload body) {
        return new WidgetReloadReport(request(new Request("POST", "/v1/widgets").body(body).keyed()).body());
    }

    /** As below, with nothing that may be left out. */
    public Pages<Template> templates() {
        return templates(new TemplatesQuery());
    }

    /**
     * The app's templates, by name. Scope read. The newest version of each, without its message. docs/templates.md.
     */
    public Pages<Template> templates(final TemplatesQuery query) {
        return new Pages<>(after -> {
            final TemplatesQuery next = new TemplatesQuery(query);
            if (after != null) next.after(after);
            final TemplateList page = templatesPage(next);
            return new Pages.Page<>(page.templates(), page.next());
        });
    }

    /** One page of {@link #templates}. */
    public TemplateList templatesPage(final TemplatesQuery query) {
        return new TemplateList(request(new Request("GET", "/v1/templates").query(query)).body());
    }

    /** As below, with nothing that may be left out. */
    public Template template(final String id) {
        return template(id, new TemplateQuery());
    }

    /** A template. Scope read. The newest version, or another. */
    public Template template(final String id, final TemplateQuery query) {
        return new Template(request(new Request("GET", "/v1/templates/" + Request.encoded(id)).query(query)).body());
    }

    /**
     * Store a template. Scope admin. The body has members of POST /v1/notifications: what the message says, and how. Another
     * content makes another version; the same one changes nothing.
     */
    public Template storeTemplate(final String id, final NewTemplate body) {
        return new Template(request(new Request("PUT", "/v1/templates/" + Request.encoded(id)).body(body)).body());
    }

    /** Delete a template with all its versions. Scope admin. Messages that were sent with it stay. */
    public void deleteTemplate(final String id) {
        request(new Request("DELETE", "/v1/templates/" + Request.encoded(id)));
    }

    /** The versions of a template, the newest first. Scope read. The 50 newest. */
    public List<Template> templateVersions(final String id) {
        return JsonObject.asList(Request.member(request(new Request("GET", "/v1/templates/" + Request.encoded(id) + "/versions")).body(), "versions"), Template::new);
    }

    /** Return to a version. Scope admin. A new version gets the content of a former one. */
    public Template revertTemplate(final String id, final TemplateRevert body) {
        return new Template(request(new Request("POST", "/v1/templates/" + Request.encoded(id) + "/revert").body(body)).body());
    }

    /** As below, with nothing that may be left out. */
    public Rendered renderTemplate(final String id) {
        return renderTemplate(id, null);
    }

    /**
     * Show what a template makes, without sending. Scope read. A value that is missing is refused with its name.
     */
    public Rendered renderTemplate(final String id, final TemplateRender body) {
        return new Rendered(request(new Request("POST", "/v1/templates/" + Request.encoded(id) + "/render").body(body)).body());
    }

    /** The app's webhooks. Scope read. */
    public List<Webhook> webhooks() {
        return JsonObject.asList(Request.member(request(new Request("GET", "/v1/webhooks")).body(), "webhooks"), Webhook::new);
    }

    /**
     * Have events posted to an address. Scope admin. The webhook gets the events from now on. The answer has its secret, which
     * no other call shows. docs/webhooks.md.
     */
    public Webhook addWebhook(final NewWebhook body) {
        return new Webhook(request(new Request("POST", "/v1/webhooks").body(body).keyed()).body());
    }

    /** A webhook, and what its endpoint last said. Scope read. */
    public Webhook webhook(final String id) {
        return new Webhook(request(new Request("GET", "/v1/webhooks/" + Request.encoded(id))).body());
    }

    /**
     * Change a webhook, or let one go on that is set aside. Scope admin. A request that is being tried keeps its events.
     */
    public Webhook changeWebhook(final String id, final WebhookChange body) {
        return new Webhook(request(new Request("PATCH", "/v1/webhooks/" + Request.encoded(id)).body(body)).body());
    }

    /** Delete a webhook. Scope admin. A request under way may still arrive. */
    public void deleteWebhook(final String id) {
        request(new Request("DELETE", "/v1/webhooks/" + Request.encoded(id)));
    }

    /** Give a webhook another secret. Scope admin. For a day, requests are signed with the former one too. */
    public Webhook rotateWebhook(final String id) {
        return new Webhook(request(new Request("POST", "/v1/webhooks/" + Request.encoded(id) + "/rotate").keyed()).body());
    }

    /**
     * Tell a webhook events again. Scope admin. From a time on, as far as events are kept; in requests with new ids.
     */
    public Webhook replayWebhook(final String id, final WebhookReplay body) {
        return new Webhook(request(new Request("POST", "/v1/webhooks/" + Request.encoded(id) + "/replay").body(body).keyed()).body());
    }

    /** Post a test event to a webhook. Scope admin. The event webhook.test comes after those that wait. */
    public Webhook testWebhook(final String id) {
        return new Webhook(request(new Request("POST", "/v1/webhooks/" + Request.encoded(id) + "/test").once()).body());
    }
}
