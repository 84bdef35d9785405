// Made by scripts/clients.py: do not change it by hand.
package dev.carillon;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The objects of the API. Members that this client does not know yet are in {@link JsonObject#members}. */
public final class Types {
    private Types() {}

    public static final class App extends JsonObject {
        public App(final Object value) {
            super(value);
        }

        public boolean requiresSignIn() {
            return get("requires_sign_in", JsonObject::asBoolean);
        }

        public String topic() {
            return get("topic", JsonObject::asText);
        }

        /** Absent without a limit. Null if it is absent. */
        public Long sendsPerSecond() {
            return get("sends_per_second", JsonObject::asLong);
        }
    }

    public static final class AppChange extends JsonObject {
        public AppChange() {}

        public AppChange(final Object value) {
            super(value);
        }

        /**
         * Pushes that go out in a second, from all processes together; 0 for no limit. Null if it is absent.
         */
        public Long sendsPerSecond() {
            return get("sends_per_second", JsonObject::asLong);
        }

        /** Pushes that go out in a second, from all processes together; 0 for no limit. */
        public AppChange sendsPerSecond(final Long value) {
            set("sends_per_second", value);
            return this;
        }
    }

    /** It has exactly one of these members. */
    public static final class Audience extends JsonObject {
        public Audience() {}

        public Audience(final Object value) {
            super(value);
        }

        /** Null if it is absent. */
        public List<String> devices() {
            return get("devices", value -> asList(value, JsonObject::asText));
        }

        public Audience devices(final List<String> value) {
            set("devices", value);
            return this;
        }

        /** Null if it is absent. */
        public Boolean everyone() {
            return get("everyone", JsonObject::asBoolean);
        }

        public Audience everyone(final Boolean value) {
            set("everyone", value);
            return this;
        }

        /** Null if it is absent. */
        public String user() {
            return get("user", JsonObject::asText);
        }

        public Audience user(final String value) {
            set("user", value);
            return this;
        }

        /** Null if it is absent. */
        public Object users() {
            return get("users", value -> value);
        }

        /** A list of users, or a map from each to the values of the texts' variables. */
        public Audience users(final Object value) {
            set("users", value);
            return this;
        }

        /**
         * Confirmed devices on which a condition holds: tag, locale, time_zone, version, environment, permission, seen; with
         * and, or, not and brackets. `seen&lt;30d` counts from when sending starts. Null if it is absent.
         */
        public String where() {
            return get("where", JsonObject::asText);
        }

        /**
         * Confirmed devices on which a condition holds: tag, locale, time_zone, version, environment, permission, seen; with
         * and, or, not and brackets. `seen&lt;30d` counts from when sending starts.
         */
        public Audience where(final String value) {
            set("where", value);
            return this;
        }
    }

    public static final class CampaignFigures extends JsonObject {
        public CampaignFigures(final Object value) {
            super(value);
        }

        public List<CampaignTotal> campaigns() {
            return get("campaigns", value -> asList(value, CampaignTotal::new));
        }

        public String from() {
            return get("from", JsonObject::asText);
        }

        public String to() {
            return get("to", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String next() {
            return get("next", JsonObject::asText);
        }
    }

    public static final class CampaignTotal extends JsonObject {
        public CampaignTotal(final Object value) {
            super(value);
        }

        public long accepted() {
            return get("accepted", JsonObject::asLong);
        }

        public long acted() {
            return get("acted", JsonObject::asLong);
        }

        public String campaign() {
            return get("campaign", JsonObject::asText);
        }

        public long dismissed() {
            return get("dismissed", JsonObject::asLong);
        }

        public long failed() {
            return get("failed", JsonObject::asLong);
        }

        /** By APNs' reason, or unanswered. */
        public Map<String, Long> failures() {
            return get("failures", value -> asMap(value, JsonObject::asLong));
        }

        public long opened() {
            return get("opened", JsonObject::asLong);
        }

        public long optOuts() {
            return get("opt_outs", JsonObject::asLong);
        }

        public long received() {
            return get("received", JsonObject::asLong);
        }

        public long shown() {
            return get("shown", JsonObject::asLong);
        }

        /**
         * Messages that were shown, by the seconds from APNs' acceptance to the display: each bound has those above the bound
         * before, and more has the rest. The bounds are 1, 5, 15, 60, 300, 900, 3600, 21600, 86400.
         */
        public Map<String, Long> shownWithin() {
            return get("shown_within", value -> asMap(value, JsonObject::asLong));
        }

        public long unregistered() {
            return get("unregistered", JsonObject::asLong);
        }
    }

    public static final class Count extends JsonObject {
        public Count() {}

        public Count(final Object value) {
            super(value);
        }

        public Audience to() {
            return get("to", Audience::new);
        }

        public Count to(final Audience value) {
            set("to", value);
            return this;
        }

        /** As in Send. Null if it is absent. */
        public String topic() {
            return get("topic", JsonObject::asText);
        }

        /** As in Send. */
        public Count topic(final String value) {
            set("topic", value);
            return this;
        }
    }

    public static final class DayFigures extends JsonObject {
        public DayFigures(final Object value) {
            super(value);
        }

        public long accepted() {
            return get("accepted", JsonObject::asLong);
        }

        public long acted() {
            return get("acted", JsonObject::asLong);
        }

        public String day() {
            return get("day", JsonObject::asText);
        }

        public long dismissed() {
            return get("dismissed", JsonObject::asLong);
        }

        public long failed() {
            return get("failed", JsonObject::asLong);
        }

        /** By APNs' reason, or unanswered. */
        public Map<String, Long> failures() {
            return get("failures", value -> asMap(value, JsonObject::asLong));
        }

        public long opened() {
            return get("opened", JsonObject::asLong);
        }

        public long optOuts() {
            return get("opt_outs", JsonObject::asLong);
        }

        public long received() {
            return get("received", JsonObject::asLong);
        }

        public long shown() {
            return get("shown", JsonObject::asLong);
        }

        /**
         * Messages that were shown, by the seconds from APNs' acceptance to the display: each bound has those above the bound
         * before, and more has the rest. The bounds are 1, 5, 15, 60, 300, 900, 3600, 21600, 86400.
         */
        public Map<String, Long> shownWithin() {
            return get("shown_within", value -> asMap(value, JsonObject::asLong));
        }

        public long unregistered() {
            return get("unregistered", JsonObject::asLong);
        }
    }

    public static final class Device extends JsonObject {
        public Device(final Object value) {
            super(value);
        }

        public String environment() {
            return get("environment", JsonObject::asText);
        }

        public String installation() {
            return get("installation", JsonObject::asText);
        }

        public String permission() {
            return get("permission", JsonObject::asText);
        }

        public Instant seenAt() {
            return get("seen_at", JsonObject::asInstant);
        }

        public String state() {
            return get("state", JsonObject::asText);
        }

        public Instant tokenRegisteredAt() {
            return get("token_registered_at", JsonObject::asInstant);
        }

        public String topic() {
            return get("topic", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String appVersion() {
            return get("app_version", JsonObject::asText);
        }

        /** Null if it is absent. */
        public Instant confirmedAt() {
            return get("confirmed_at", JsonObject::asInstant);
        }

        /** Null if it is absent. */
        public String locale() {
            return get("locale", JsonObject::asText);
        }

        /** Null if it is absent. */
        public List<String> tags() {
            return get("tags", value -> asList(value, JsonObject::asText));
        }

        /** Null if it is absent. */
        public String timeZone() {
            return get("time_zone", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String user() {
            return get("user", JsonObject::asText);
        }
    }

    public static final class DeviceList extends JsonObject {
        public DeviceList(final Object value) {
            super(value);
        }

        public List<Device> devices() {
            return get("devices", value -> asList(value, Device::new));
        }

        /** Null if it is absent. */
        public String next() {
            return get("next", JsonObject::asText);
        }
    }

    public static final class DeviceMessage extends JsonObject {
        public DeviceMessage(final Object value) {
            super(value);
        }

        public Instant acceptedAt() {
            return get("accepted_at", JsonObject::asInstant);
        }

        public String id() {
            return get("id", JsonObject::asText);
        }

        /** What the device has reported, each once. */
        public List<String> receipts() {
            return get("receipts", value -> asList(value, JsonObject::asText));
        }

        public long revision() {
            return get("revision", JsonObject::asLong);
        }

        public String state() {
            return get("state", JsonObject::asText);
        }

        /** APNs' last reason, or why the push was not sent. Null if it is absent. */
        public String reason() {
            return get("reason", JsonObject::asText);
        }

        /**
         * The alert's title; without one, its body. Variables stand as they were sent. Null if it is absent.
         */
        public String title() {
            return get("title", JsonObject::asText);
        }

        /**
         * The user whom the message was for; of a message to a condition or to everyone, the one signed in now. Null if it is
         * absent.
         */
        public String user() {
            return get("user", JsonObject::asText);
        }
    }

    public static final class DeviceMessages extends JsonObject {
        public DeviceMessages(final Object value) {
            super(value);
        }

        /** The installation. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        public List<DeviceMessage> notifications() {
            return get("notifications", value -> asList(value, DeviceMessage::new));
        }

        /** Null if it is absent. */
        public String next() {
            return get("next", JsonObject::asText);
        }
    }

    public static final class DeviceTimeline extends JsonObject {
        public DeviceTimeline(final Object value) {
            super(value);
        }

        public String device() {
            return get("device", JsonObject::asText);
        }

        public List<Event> events() {
            return get("events", value -> asList(value, Event::new));
        }

        public String state() {
            return get("state", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String recall() {
            return get("recall", JsonObject::asText);
        }

        /**
         * Why the push waits: nothing of the app is sent at the moment, or it is not yet the message's local time there; only
         * with the state queued. Null if it is absent.
         */
        public String waiting() {
            return get("waiting", JsonObject::asText);
        }
    }

    public static final class DryRun extends JsonObject {
        public DryRun(final Object value) {
            super(value);
        }

        public long devices() {
            return get("devices", JsonObject::asLong);
        }

        public boolean dryRun() {
            return get("dry_run", JsonObject::asBoolean);
        }

        public List<Variant> variants() {
            return get("variants", value -> asList(value, Variant::new));
        }

        /** Null if it is absent. */
        public String reason() {
            return get("reason", JsonObject::asText);
        }
    }

    public static final class Erased extends JsonObject {
        public Erased(final Object value) {
            super(value);
        }

        public List<String> copies() {
            return get("copies", value -> asList(value, JsonObject::asText));
        }

        public long deliveries() {
            return get("deliveries", JsonObject::asLong);
        }

        public long devices() {
            return get("devices", JsonObject::asLong);
        }

        public Instant erasedAt() {
            return get("erased_at", JsonObject::asInstant);
        }

        public long inbox() {
            return get("inbox", JsonObject::asLong);
        }

        public long messages() {
            return get("messages", JsonObject::asLong);
        }

        public long remaining() {
            return get("remaining", JsonObject::asLong);
        }

        public String user() {
            return get("user", JsonObject::asText);
        }

        /** With ?devices=true. Null if it is absent. */
        public Long deletedDevices() {
            return get("deleted_devices", JsonObject::asLong);
        }
    }

    public static final class Event extends JsonObject {
        public Event(final Object value) {
            super(value);
        }

        public Instant at() {
            return get("at", JsonObject::asInstant);
        }

        public String device() {
            return get("device", JsonObject::asText);
        }

        /**
         * queued: written down for this device. sent: handed to the connection. accepted: by APNs. rejected: refused by APNs;
         * detail says whether it will be tried again. unanswered: the answer to this attempt never came. received to dismissed:
         * what the phone reports. expired: its time passed. recalled: it is gone from the phone and will not come back.
         */
        public String event() {
            return get("event", JsonObject::asText);
        }

        public String message() {
            return get("message", JsonObject::asText);
        }

        public long revision() {
            return get("revision", JsonObject::asLong);
        }

        /** Null if it is absent. */
        public String apnsId() {
            return get("apns_id", JsonObject::asText);
        }

        /** Null if it is absent. */
        public Long attempt() {
            return get("attempt", JsonObject::asLong);
        }

        /** Null if it is absent. */
        public String detail() {
            return get("detail", JsonObject::asText);
        }

        /** True when nobody reported it and the service concluded it. Null if it is absent. */
        public Boolean inferred() {
            return get("inferred", JsonObject::asBoolean);
        }

        /**
         * show: brings the message. fallback: the visible push of an assured message. removal: takes messages away. notice:
         * replaces a recalled message. badge: sets the number alone. Null if it is absent.
         */
        public String purpose() {
            return get("purpose", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String reason() {
            return get("reason", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String reply() {
            return get("reply", JsonObject::asText);
        }

        /** Null if it is absent. */
        public Long status() {
            return get("status", JsonObject::asLong);
        }
    }

    public static final class EventDetails extends JsonObject {
        public EventDetails(final Object value) {
            super(value);
        }

        /** Null if it is absent. */
        public String apnsId() {
            return get("apns_id", JsonObject::asText);
        }

        /** Null if it is absent. */
        public Long attempt() {
            return get("attempt", JsonObject::asLong);
        }

        /** Null if it is absent. */
        public String detail() {
            return get("detail", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String environment() {
            return get("environment", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String liveActivity() {
            return get("live_activity", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String purpose() {
            return get("purpose", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String reason() {
            return get("reason", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String reply() {
            return get("reply", JsonObject::asText);
        }

        /** Null if it is absent. */
        public Long revision() {
            return get("revision", JsonObject::asLong);
        }

        /** Null if it is absent. */
        public Long status() {
            return get("status", JsonObject::asLong);
        }

        /** Null if it is absent. */
        public Long timestamp() {
            return get("timestamp", JsonObject::asLong);
        }

        /** Null if it is absent. */
        public String webhook() {
            return get("webhook", JsonObject::asText);
        }
    }

    public static final class EventPage extends JsonObject {
        public EventPage(final Object value) {
            super(value);
        }

        public List<FeedEvent> events() {
            return get("events", value -> asList(value, FeedEvent::new));
        }

        public String next() {
            return get("next", JsonObject::asText);
        }
    }

    public static final class FeedEvent extends JsonObject {
        public FeedEvent(final Object value) {
            super(value);
        }

        public Instant at() {
            return get("at", JsonObject::asInstant);
        }

        public String id() {
            return get("id", JsonObject::asText);
        }

        public String type() {
            return get("type", JsonObject::asText);
        }

        /** Null if it is absent. */
        public EventDetails details() {
            return get("details", EventDetails::new);
        }

        /** Null if it is absent. */
        public String device() {
            return get("device", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String message() {
            return get("message", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String user() {
            return get("user", JsonObject::asText);
        }
    }

    public static final class FigureReport extends JsonObject {
        public FigureReport(final Object value) {
            super(value);
        }

        public List<DayFigures> days() {
            return get("days", value -> asList(value, DayFigures::new));
        }

        public String from() {
            return get("from", JsonObject::asText);
        }

        public String to() {
            return get("to", JsonObject::asText);
        }

        public Figures total() {
            return get("total", Figures::new);
        }

        /** Null if it is absent. */
        public String campaign() {
            return get("campaign", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String message() {
            return get("message", JsonObject::asText);
        }
    }

    /**
     * A device counts once for each revision of a message. accepted: APNs has taken the push. failed: it was given up, for a
     * reason in failures. received to dismissed: as the phone reports. opt_outs and unregistered are of no message: people who
     * switched notifications off, and devices whose token APNs does not know any more.
     */
    public static final class Figures extends JsonObject {
        public Figures(final Object value) {
            super(value);
        }

        public long accepted() {
            return get("accepted", JsonObject::asLong);
        }

        public long acted() {
            return get("acted", JsonObject::asLong);
        }

        public long dismissed() {
            return get("dismissed", JsonObject::asLong);
        }

        public long failed() {
            return get("failed", JsonObject::asLong);
        }

        /** By APNs' reason, or unanswered. */
        public Map<String, Long> failures() {
            return get("failures", value -> asMap(value, JsonObject::asLong));
        }

        public long opened() {
            return get("opened", JsonObject::asLong);
        }

        public long optOuts() {
            return get("opt_outs", JsonObject::asLong);
        }

        public long received() {
            return get("received", JsonObject::asLong);
        }

        public long shown() {
            return get("shown", JsonObject::asLong);
        }

        /**
         * Messages that were shown, by the seconds from APNs' acceptance to the display: each bound has those above the bound
         * before, and more has the rest. The bounds are 1, 5, 15, 60, 300, 900, 3600, 21600, 86400.
         */
        public Map<String, Long> shownWithin() {
            return get("shown_within", value -> asMap(value, JsonObject::asLong));
        }

        public long unregistered() {
            return get("unregistered", JsonObject::asLong);
        }
    }

    public static final class ImportReport extends JsonObject {
        public ImportReport(final Object value) {
            super(value);
        }

        public long added() {
            return get("added", JsonObject::asLong);
        }

        /** Tokens of registered installations, of which nothing was changed. */
        public long kept() {
            return get("kept", JsonObject::asLong);
        }

        /** The last line that was dealt with. */
        public long line() {
            return get("line", JsonObject::asLong);
        }

        public long records() {
            return get("records", JsonObject::asLong);
        }

        public List<Refusal> refusals() {
            return get("refusals", value -> asList(value, Refusal::new));
        }

        public long refused() {
            return get("refused", JsonObject::asLong);
        }

        public long unchanged() {
            return get("unchanged", JsonObject::asLong);
        }

        public long updated() {
            return get("updated", JsonObject::asLong);
        }
    }

    public static final class ListedMessage extends JsonObject {
        public ListedMessage(final Object value) {
            super(value);
        }

        public Instant acceptedAt() {
            return get("accepted_at", JsonObject::asInstant);
        }

        /**
         * Devices, each at most once in a count. By their push: queued, accepted (by APNs), rejected, unanswered (given up
         * without an answer), cancelled, expired, skipped (left out by the rules of local time), set_aside (its row cannot be
         * read). By their receipts: received, shown, opened, acted, dismissed, recalled. second_sends were handed over again,
         * since nobody knew whether the first push had arrived; second_alerts may have alerted twice.
         */
        public Map<String, Long> counts() {
            return get("counts", value -> asMap(value, JsonObject::asLong));
        }

        public String id() {
            return get("id", JsonObject::asText);
        }

        public String mode() {
            return get("mode", JsonObject::asText);
        }

        public long revision() {
            return get("revision", JsonObject::asLong);
        }

        public String state() {
            return get("state", JsonObject::asText);
        }

        public String topic() {
            return get("topic", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String campaign() {
            return get("campaign", JsonObject::asText);
        }

        /** Null if it is absent. */
        public LocalTimeReport localTime() {
            return get("local_time", LocalTimeReport::new);
        }

        /** Null if it is absent. */
        public Progress progress() {
            return get("progress", Progress::new);
        }

        /** Null if it is absent. */
        public String reason() {
            return get("reason", JsonObject::asText);
        }

        /** Null if it is absent. */
        public Map<String, Long> recall() {
            return get("recall", value -> asMap(value, JsonObject::asLong));
        }

        /** Null if it is absent. */
        public Instant recalledAt() {
            return get("recalled_at", JsonObject::asInstant);
        }

        /** Devices from which a reply came; only where the message keeps replies. Null if it is absent. */
        public Long replies() {
            return get("replies", JsonObject::asLong);
        }

        /**
         * In local time, when the first place on Earth gets there: sending starts then. Null if it is absent.
         */
        public Instant sendAt() {
            return get("send_at", JsonObject::asInstant);
        }

        /**
         * The alert's title; without one, its body. Variables stand as they were sent. Null if it is absent.
         */
        public String title() {
            return get("title", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String until() {
            return get("until", JsonObject::asText);
        }
    }

    public static final class LiveActivity extends JsonObject {
        public LiveActivity(final Object value) {
            super(value);
        }

        public String attributesType() {
            return get("attributes-type", JsonObject::asText);
        }

        public Instant changedAt() {
            return get("changed_at", JsonObject::asInstant);
        }

        public Map<String, Object> contentState() {
            return get("content-state", value -> asMap(value, values -> values));
        }

        public long devices() {
            return get("devices", JsonObject::asLong);
        }

        public String id() {
            return get("id", JsonObject::asText);
        }

        public Map<String, Long> phones() {
            return get("phones", value -> asMap(value, JsonObject::asLong));
        }

        /** The phones that have reported each event; for updated, those that have shown the newest state. */
        public Map<String, Long> receipts() {
            return get("receipts", value -> asMap(value, JsonObject::asLong));
        }

        public long revision() {
            return get("revision", JsonObject::asLong);
        }

        public Instant startedAt() {
            return get("started_at", JsonObject::asInstant);
        }

        public String state() {
            return get("state", JsonObject::asText);
        }

        /** Null if it is absent. */
        public List<LiveActivityChannel> channels() {
            return get("channels", value -> asList(value, LiveActivityChannel::new));
        }

        /** Null if it is absent. */
        public Instant endedAt() {
            return get("ended_at", JsonObject::asInstant);
        }

        /** Null if it is absent. */
        public String reason() {
            return get("reason", JsonObject::asText);
        }
    }

    public static final class LiveActivityChannel extends JsonObject {
        public LiveActivityChannel(final Object value) {
            super(value);
        }

        public String environment() {
            return get("environment", JsonObject::asText);
        }

        public String state() {
            return get("state", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String problem() {
            return get("problem", JsonObject::asText);
        }
    }

    public static final class LiveActivityEnd extends JsonObject {
        public LiveActivityEnd() {}

        public LiveActivityEnd(final Object value) {
            super(value);
        }

        /** Null if it is absent. */
        public Map<String, Object> alert() {
            return get("alert", value -> asMap(value, values -> values));
        }

        public LiveActivityEnd alert(final Map<String, Object> value) {
            set("alert", value);
            return this;
        }

        /** Null if it is absent. */
        public Map<String, Object> contentState() {
            return get("content-state", value -> asMap(value, values -> values));
        }

        public LiveActivityEnd contentState(final Map<String, Object> value) {
            set("content-state", value);
            return this;
        }

        /** Null if it is absent. */
        public Object dismissalDate() {
            return get("dismissal-date", value -> value);
        }

        /** An Instant, a text of RFC 3339, or seconds since 1970. */
        public LiveActivityEnd dismissalDate(final Object value) {
            set("dismissal-date", value);
            return this;
        }

        /** Null if it is absent. */
        public Double relevanceScore() {
            return get("relevance-score", JsonObject::asDouble);
        }

        public LiveActivityEnd relevanceScore(final Double value) {
            set("relevance-score", value);
            return this;
        }
    }

    public static final class LiveActivityPhone extends JsonObject {
        public LiveActivityPhone(final Object value) {
            super(value);
        }

        public String device() {
            return get("device", JsonObject::asText);
        }

        public List<LiveActivityPhoneEvent> events() {
            return get("events", value -> asList(value, LiveActivityPhoneEvent::new));
        }

        public String state() {
            return get("state", JsonObject::asText);
        }
    }

    public static final class LiveActivityPhoneEvent extends JsonObject {
        public LiveActivityPhoneEvent(final Object value) {
            super(value);
        }

        public Instant at() {
            return get("at", JsonObject::asInstant);
        }

        public String event() {
            return get("event", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String detail() {
            return get("detail", JsonObject::asText);
        }

        /** Null if it is absent. */
        public Long timestamp() {
            return get("timestamp", JsonObject::asLong);
        }
    }

    public static final class LiveActivityStart extends JsonObject {
        public LiveActivityStart() {}

        public LiveActivityStart(final Object value) {
            super(value);
        }

        public Map<String, Object> alert() {
            return get("alert", value -> asMap(value, values -> values));
        }

        public LiveActivityStart alert(final Map<String, Object> value) {
            set("alert", value);
            return this;
        }

        /** One of the members has the id as its value. */
        public Map<String, Object> attributes() {
            return get("attributes", value -> asMap(value, values -> values));
        }

        /** One of the members has the id as its value. */
        public LiveActivityStart attributes(final Map<String, Object> value) {
            set("attributes", value);
            return this;
        }

        /** The name of the app's type, such as MatchAttributes. */
        public String attributesType() {
            return get("attributes-type", JsonObject::asText);
        }

        /** The name of the app's type, such as MatchAttributes. */
        public LiveActivityStart attributesType(final String value) {
            set("attributes-type", value);
            return this;
        }

        public Map<String, Object> contentState() {
            return get("content-state", value -> asMap(value, values -> values));
        }

        public LiveActivityStart contentState(final Map<String, Object> value) {
            set("content-state", value);
            return this;
        }

        public String id() {
            return get("id", JsonObject::asText);
        }

        public LiveActivityStart id(final String value) {
            set("id", value);
            return this;
        }

        /** Users, devices, a condition or everyone. */
        public Audience to() {
            return get("to", Audience::new);
        }

        /** Users, devices, a condition or everyone. */
        public LiveActivityStart to(final Audience value) {
            set("to", value);
            return this;
        }

        /** Null if it is absent. */
        public Double relevanceScore() {
            return get("relevance-score", JsonObject::asDouble);
        }

        public LiveActivityStart relevanceScore(final Double value) {
            set("relevance-score", value);
            return this;
        }

        /** Null if it is absent. */
        public Object staleDate() {
            return get("stale-date", value -> value);
        }

        /** An Instant, a text of RFC 3339, or seconds since 1970. */
        public LiveActivityStart staleDate(final Object value) {
            set("stale-date", value);
            return this;
        }

        /** Null if it is absent. */
        public String topic() {
            return get("topic", JsonObject::asText);
        }

        public LiveActivityStart topic(final String value) {
            set("topic", value);
            return this;
        }
    }

    public static final class LiveActivityTimeline extends JsonObject {
        public LiveActivityTimeline(final Object value) {
            super(value);
        }

        public String id() {
            return get("id", JsonObject::asText);
        }

        public List<LiveActivityPhone> phones() {
            return get("phones", value -> asList(value, LiveActivityPhone::new));
        }

        /** Of the newest state. */
        public long timestamp() {
            return get("timestamp", JsonObject::asLong);
        }

        /** Null if it is absent. */
        public String next() {
            return get("next", JsonObject::asText);
        }
    }

    public static final class LiveActivityUpdate extends JsonObject {
        public LiveActivityUpdate() {}

        public LiveActivityUpdate(final Object value) {
            super(value);
        }

        public Map<String, Object> contentState() {
            return get("content-state", value -> asMap(value, values -> values));
        }

        public LiveActivityUpdate contentState(final Map<String, Object> value) {
            set("content-state", value);
            return this;
        }

        /** Null if it is absent. */
        public Map<String, Object> alert() {
            return get("alert", value -> asMap(value, values -> values));
        }

        public LiveActivityUpdate alert(final Map<String, Object> value) {
            set("alert", value);
            return this;
        }

        /** 10 arrives at once and costs the phone's budget; 5 does not. Null if it is absent. */
        public String priority() {
            return get("priority", JsonObject::asText);
        }

        /** 10 arrives at once and costs the phone's budget; 5 does not. */
        public LiveActivityUpdate priority(final String value) {
            set("priority", value);
            return this;
        }

        /** Null if it is absent. */
        public Double relevanceScore() {
            return get("relevance-score", JsonObject::asDouble);
        }

        public LiveActivityUpdate relevanceScore(final Double value) {
            set("relevance-score", value);
            return this;
        }

        /** Null if it is absent. */
        public Object staleDate() {
            return get("stale-date", value -> value);
        }

        /** An Instant, a text of RFC 3339, or seconds since 1970. */
        public LiveActivityUpdate staleDate(final Object value) {
            set("stale-date", value);
            return this;
        }
    }

    /** A time by the clock of each device. docs/local-time.md has the rules. */
    public static final class LocalSendAt extends JsonObject {
        public LocalSendAt() {}

        public LocalSendAt(final Object value) {
            super(value);
        }

        /**
         * A date with a time of day, without a zone. A time that the change to summer time skips means the moment of the
         * change; one that comes twice, the first.
         */
        public String local() {
            return get("local", JsonObject::asText);
        }

        /**
         * A date with a time of day, without a zone. A time that the change to summer time skips means the moment of the
         * change; one that comes twice, the first.
         */
        public LocalSendAt local(final String value) {
            set("local", value);
            return this;
        }

        /**
         * The time zone of devices whose own is not known, by its name in the IANA database; skip: such devices are left out.
         * Null if it is absent.
         */
        public String fallback() {
            return get("fallback", JsonObject::asText);
        }

        /**
         * The time zone of devices whose own is not known, by its name in the IANA database; skip: such devices are left out.
         */
        public LocalSendAt fallback(final String value) {
            set("fallback", value);
            return this;
        }

        /**
         * For devices where the time had passed when the message was accepted. send: they get it at once. skip: they are left
         * out. Null if it is absent.
         */
        public String passed() {
            return get("passed", JsonObject::asText);
        }

        /**
         * For devices where the time had passed when the message was accepted. send: they get it at once. skip: they are left
         * out.
         */
        public LocalSendAt passed(final String value) {
            set("passed", value);
            return this;
        }
    }

    /** Of a message in local time; absent for others. */
    public static final class LocalTimeReport extends JsonObject {
        public LocalTimeReport(final Object value) {
            super(value);
        }

        public String fallback() {
            return get("fallback", JsonObject::asText);
        }

        public String local() {
            return get("local", JsonObject::asText);
        }

        public String passed() {
            return get("passed", JsonObject::asText);
        }

        /** The moments for which devices wait, the next first; empty until sending starts. */
        public List<LocalTimeWait> waits() {
            return get("waits", value -> asList(value, LocalTimeWait::new));
        }
    }

    public static final class LocalTimeWait extends JsonObject {
        public LocalTimeWait(final Object value) {
            super(value);
        }

        public Instant at() {
            return get("at", JsonObject::asInstant);
        }

        public long devices() {
            return get("devices", JsonObject::asLong);
        }

        /** From UTC, of a clock that shows the message's time then, such as +05:45. */
        public String offset() {
            return get("offset", JsonObject::asText);
        }
    }

    public static final class LocalizedText extends JsonObject {
        public LocalizedText() {}

        public LocalizedText(final Object value) {
            super(value);
        }

        /** Null if it is absent. */
        public String body() {
            return get("body", JsonObject::asText);
        }

        public LocalizedText body(final String value) {
            set("body", value);
            return this;
        }

        /** Null if it is absent. */
        public String subtitle() {
            return get("subtitle", JsonObject::asText);
        }

        public LocalizedText subtitle(final String value) {
            set("subtitle", value);
            return this;
        }

        /** Null if it is absent. */
        public String title() {
            return get("title", JsonObject::asText);
        }

        public LocalizedText title(final String value) {
            set("title", value);
            return this;
        }
    }

    public static final class MessageList extends JsonObject {
        public MessageList(final Object value) {
            super(value);
        }

        public List<ListedMessage> notifications() {
            return get("notifications", value -> asList(value, ListedMessage::new));
        }

        /** Null if it is absent. */
        public String next() {
            return get("next", JsonObject::asText);
        }
    }

    /** Every text of the payload and of localized may have variables: { {name}}, or { {name|default}}. */
    public static final class NewTemplate extends JsonObject {
        public NewTemplate() {}

        public NewTemplate(final Object value) {
            super(value);
        }

        public Map<String, Object> payload() {
            return get("payload", value -> asMap(value, values -> values));
        }

        public NewTemplate payload(final Map<String, Object> value) {
            set("payload", value);
            return this;
        }

        /** Null if it is absent. */
        public String campaign() {
            return get("campaign", JsonObject::asText);
        }

        public NewTemplate campaign(final String value) {
            set("campaign", value);
            return this;
        }

        /** Null if it is absent. */
        public List<String> controls() {
            return get("controls", value -> asList(value, JsonObject::asText));
        }

        public NewTemplate controls(final List<String> value) {
            set("controls", value);
            return this;
        }

        /** Null if it is absent. */
        public String dialect() {
            return get("dialect", JsonObject::asText);
        }

        public NewTemplate dialect(final String value) {
            set("dialect", value);
            return this;
        }

        /** Null if it is absent. */
        public Boolean keepReplies() {
            return get("keep_replies", JsonObject::asBoolean);
        }

        public NewTemplate keepReplies(final Boolean value) {
            set("keep_replies", value);
            return this;
        }

        /** Null if it is absent. */
        public Map<String, LocalizedText> localized() {
            return get("localized", value -> asMap(value, LocalizedText::new));
        }

        public NewTemplate localized(final Map<String, LocalizedText> value) {
            set("localized", value);
            return this;
        }

        /** Null if it is absent. */
        public String mode() {
            return get("mode", JsonObject::asText);
        }

        public NewTemplate mode(final String value) {
            set("mode", value);
            return this;
        }

        /** Null if it is absent. */
        public String until() {
            return get("until", JsonObject::asText);
        }

        public NewTemplate until(final String value) {
            set("until", value);
            return this;
        }

        /** Null if it is absent. */
        public Boolean widgets() {
            return get("widgets", JsonObject::asBoolean);
        }

        public NewTemplate widgets(final Boolean value) {
            set("widgets", value);
            return this;
        }
    }

    public static final class NewWebhook extends JsonObject {
        public NewWebhook() {}

        public NewWebhook(final Object value) {
            super(value);
        }

        public String url() {
            return get("url", JsonObject::asText);
        }

        public NewWebhook url(final String value) {
            set("url", value);
            return this;
        }

        /** With the replies that people type. Null if it is absent. */
        public Boolean texts() {
            return get("texts", JsonObject::asBoolean);
        }

        /** With the replies that people type. */
        public NewWebhook texts(final Boolean value) {
            set("texts", value);
            return this;
        }

        /** Only these; all by default. Null if it is absent. */
        public List<String> types() {
            return get("types", value -> asList(value, JsonObject::asText));
        }

        /** Only these; all by default. */
        public NewWebhook types(final List<String> value) {
            set("types", value);
            return this;
        }
    }

    public static final class Notice extends JsonObject {
        public Notice() {}

        public Notice(final Object value) {
            super(value);
        }

        /** Null if it is absent. */
        public String body() {
            return get("body", JsonObject::asText);
        }

        public Notice body(final String value) {
            set("body", value);
            return this;
        }

        /** Null if it is absent. */
        public String title() {
            return get("title", JsonObject::asText);
        }

        public Notice title(final String value) {
            set("title", value);
            return this;
        }
    }

    /**
     * How far a message to everyone, or by a condition, of an app with more than 1000 devices has come; absent for others.
     */
    public static final class Progress extends JsonObject {
        public Progress(final Object value) {
            super(value);
        }

        /** Devices of the app of which it is decided whether it is for them. */
        public long decided() {
            return get("decided", JsonObject::asLong);
        }

        /** All of them, when sending began; 0 before. */
        public long total() {
            return get("total", JsonObject::asLong);
        }

        /** Null if it is absent. */
        public Instant finishesAt() {
            return get("finishes_at", JsonObject::asInstant);
        }

        /** Pushes handed to APNs in a second, on average since sending began. Null if it is absent. */
        public Double perSecond() {
            return get("per_second", JsonObject::asDouble);
        }
    }

    /** It has exactly one of these members. */
    public static final class Read extends JsonObject {
        public Read() {}

        public Read(final Object value) {
            super(value);
        }

        /** Null if it is absent. */
        public List<String> messages() {
            return get("messages", value -> asList(value, JsonObject::asText));
        }

        public Read messages(final List<String> value) {
            set("messages", value);
            return this;
        }

        /** Null if it is absent. */
        public Object upTo() {
            return get("up_to", value -> value);
        }

        /** An Instant, a text of RFC 3339, or seconds since 1970. */
        public Read upTo(final Object value) {
            set("up_to", value);
            return this;
        }
    }

    public static final class ReadAnswer extends JsonObject {
        public ReadAnswer(final Object value) {
            super(value);
        }

        public long marked() {
            return get("marked", JsonObject::asLong);
        }

        public long unread() {
            return get("unread", JsonObject::asLong);
        }
    }

    public static final class Recall extends JsonObject {
        public Recall(final Object value) {
            super(value);
        }

        public List<RecalledDevice> devices() {
            return get("devices", value -> asList(value, RecalledDevice::new));
        }

        public String id() {
            return get("id", JsonObject::asText);
        }

        public Map<String, Long> recall() {
            return get("recall", value -> asMap(value, JsonObject::asLong));
        }

        public String state() {
            return get("state", JsonObject::asText);
        }
    }

    public static final class RecallRequest extends JsonObject {
        public RecallRequest() {}

        public RecallRequest(final Object value) {
            super(value);
        }

        /** Null if it is absent. */
        public Notice notice() {
            return get("notice", Notice::new);
        }

        public RecallRequest notice(final Notice value) {
            set("notice", value);
            return this;
        }
    }

    public static final class RecalledDevice extends JsonObject {
        public RecalledDevice(final Object value) {
            super(value);
        }

        public String device() {
            return get("device", JsonObject::asText);
        }

        public String recall() {
            return get("recall", JsonObject::asText);
        }
    }

    public static final class Recipient extends JsonObject {
        public Recipient(final Object value) {
            super(value);
        }

        public String device() {
            return get("device", JsonObject::asText);
        }

        /** What the device has reported, each once. */
        public List<String> receipts() {
            return get("receipts", value -> asList(value, JsonObject::asText));
        }

        public String state() {
            return get("state", JsonObject::asText);
        }

        /** APNs' last reason, or why the push was not sent. Null if it is absent. */
        public String reason() {
            return get("reason", JsonObject::asText);
        }

        /**
         * The user whom the message was for; of a message to a condition or to everyone, the one signed in now. Null if it is
         * absent.
         */
        public String user() {
            return get("user", JsonObject::asText);
        }
    }

    public static final class RecipientList extends JsonObject {
        public RecipientList(final Object value) {
            super(value);
        }

        public String id() {
            return get("id", JsonObject::asText);
        }

        public List<Recipient> recipients() {
            return get("recipients", value -> asList(value, Recipient::new));
        }

        /** Null if it is absent. */
        public String next() {
            return get("next", JsonObject::asText);
        }
    }

    public static final class Refusal extends JsonObject {
        public Refusal(final Object value) {
            super(value);
        }

        public long line() {
            return get("line", JsonObject::asLong);
        }

        public String reason() {
            return get("reason", JsonObject::asText);
        }
    }

    public static final class Rendered extends JsonObject {
        public Rendered(final Object value) {
            super(value);
        }

        public String name() {
            return get("name", JsonObject::asText);
        }

        /** As a phone gets it, without Carillon's own key. */
        public Map<String, Object> payload() {
            return get("payload", value -> asMap(value, values -> values));
        }

        public long version() {
            return get("version", JsonObject::asLong);
        }

        /** Of the largest push, with everything that Carillon adds. Null if it is absent. */
        public Long bytes() {
            return get("bytes", JsonObject::asLong);
        }

        /** Of the texts; absent for those of the payload itself. Null if it is absent. */
        public String language() {
            return get("language", JsonObject::asText);
        }
    }

    public static final class Report extends JsonObject {
        public Report(final Object value) {
            super(value);
        }

        public Instant acceptedAt() {
            return get("accepted_at", JsonObject::asInstant);
        }

        /**
         * Devices, each at most once in a count. By their push: queued, accepted (by APNs), rejected, unanswered (given up
         * without an answer), cancelled, expired, skipped (left out by the rules of local time), set_aside (its row cannot be
         * read). By their receipts: received, shown, opened, acted, dismissed, recalled. second_sends were handed over again,
         * since nobody knew whether the first push had arrived; second_alerts may have alerted twice.
         */
        public Map<String, Long> counts() {
            return get("counts", value -> asMap(value, JsonObject::asLong));
        }

        public String id() {
            return get("id", JsonObject::asText);
        }

        public String mode() {
            return get("mode", JsonObject::asText);
        }

        public long revision() {
            return get("revision", JsonObject::asLong);
        }

        public String state() {
            return get("state", JsonObject::asText);
        }

        public String topic() {
            return get("topic", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String campaign() {
            return get("campaign", JsonObject::asText);
        }

        /** Null if it is absent. */
        public LocalTimeReport localTime() {
            return get("local_time", LocalTimeReport::new);
        }

        /** Null if it is absent. */
        public Progress progress() {
            return get("progress", Progress::new);
        }

        /** Null if it is absent. */
        public String reason() {
            return get("reason", JsonObject::asText);
        }

        /** Null if it is absent. */
        public Map<String, Long> recall() {
            return get("recall", value -> asMap(value, JsonObject::asLong));
        }

        /** Null if it is absent. */
        public Instant recalledAt() {
            return get("recalled_at", JsonObject::asInstant);
        }

        /** Devices from which a reply came; only where the message keeps replies. Null if it is absent. */
        public Long replies() {
            return get("replies", JsonObject::asLong);
        }

        /**
         * In local time, when the first place on Earth gets there: sending starts then. Null if it is absent.
         */
        public Instant sendAt() {
            return get("send_at", JsonObject::asInstant);
        }

        /** Null if it is absent. */
        public String until() {
            return get("until", JsonObject::asText);
        }
    }

    /** id: that of the copy; without it, the message's id and .2. */
    public static final class ResendRequest extends JsonObject {
        public ResendRequest() {}

        public ResendRequest(final Object value) {
            super(value);
        }

        /** Null if it is absent. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        public ResendRequest id(final String value) {
            set("id", value);
            return this;
        }
    }

    public static final class Send extends JsonObject {
        public Send() {}

        public Send(final Object value) {
            super(value);
        }

        public Audience to() {
            return get("to", Audience::new);
        }

        public Send to(final Audience value) {
            set("to", value);
            return this;
        }

        /** Null if it is absent. */
        public String campaign() {
            return get("campaign", JsonObject::asText);
        }

        public Send campaign(final String value) {
            set("campaign", value);
            return this;
        }

        /** The kinds of the controls to reload too; not with send_at. Null if it is absent. */
        public List<String> controls() {
            return get("controls", value -> asList(value, JsonObject::asText));
        }

        /** The kinds of the controls to reload too; not with send_at. */
        public Send controls(final List<String> value) {
            set("controls", value);
            return this;
        }

        /**
         * Another push service's format in which the push is sent too, for apps that are installed already. The default is
         * carillon. With pushwoosh, id has at most 37 bytes. Null if it is absent.
         */
        public String dialect() {
            return get("dialect", JsonObject::asText);
        }

        /**
         * Another push service's format in which the push is sent too, for apps that are installed already. The default is
         * carillon. With pushwoosh, id has at most 37 bytes.
         */
        public Send dialect(final String value) {
            set("dialect", value);
            return this;
        }

        /** Null if it is absent. */
        public String id() {
            return get("id", JsonObject::asText);
        }

        public Send id(final String value) {
            set("id", value);
            return this;
        }

        /**
         * Whether a text that a person types into the notification is told to the service, and shown on the timeline; at most
         * 1000 bytes. Null if it is absent.
         */
        public Boolean keepReplies() {
            return get("keep_replies", JsonObject::asBoolean);
        }

        /**
         * Whether a text that a person types into the notification is told to the service, and shown on the timeline; at most
         * 1000 bytes.
         */
        public Send keepReplies(final Boolean value) {
            set("keep_replies", value);
            return this;
        }

        /**
         * Texts in the place of the alert's, by language: each device gets those of its locale, of its language without the
         * region, or the payload's own. docs/texts.md. Null if it is absent.
         */
        public Map<String, LocalizedText> localized() {
            return get("localized", value -> asMap(value, LocalizedText::new));
        }

        /**
         * Texts in the place of the alert's, by language: each device gets those of its locale, of its language without the
         * region, or the payload's own. docs/texts.md.
         */
        public Send localized(final Map<String, LocalizedText> value) {
            set("localized", value);
            return this;
        }

        /** Null if it is absent. */
        public String mode() {
            return get("mode", JsonObject::asText);
        }

        public Send mode(final String value) {
            set("mode", value);
            return this;
        }

        /**
         * Apple's payload, with keys of your own; `carillon` is taken. `aps.badge` may be "auto": the user's unread count,
         * which is also what users' messages get that give no number. At most 4096 bytes with Carillon's own key. Null if it is
         * absent.
         */
        public Map<String, Object> payload() {
            return get("payload", value -> asMap(value, values -> values));
        }

        /**
         * Apple's payload, with keys of your own; `carillon` is taken. `aps.badge` may be "auto": the user's unread count,
         * which is also what users' messages get that give no number. At most 4096 bytes with Carillon's own key.
         */
        public Send payload(final Map<String, Object> value) {
            set("payload", value);
            return this;
        }

        /**
         * Whether a removal is sent when `until` has passed, to devices that may still show the message. The default is true
         * for users and devices, false for everyone; it needs `until`. Null if it is absent.
         */
        public Boolean removeExpired() {
            return get("remove_expired", JsonObject::asBoolean);
        }

        /**
         * Whether a removal is sent when `until` has passed, to devices that may still show the message. The default is true
         * for users and devices, false for everyone; it needs `until`.
         */
        public Send removeExpired(final Boolean value) {
            set("remove_expired", value);
            return this;
        }

        /**
         * Whether it may take the place of a message with the same id for another audience: whoever is no longer addressed
         * loses that one. Without it, 409. Null if it is absent.
         */
        public Boolean replace() {
            return get("replace", JsonObject::asBoolean);
        }

        /**
         * Whether it may take the place of a message with the same id for another audience: whoever is no longer addressed
         * loses that one. Without it, 409.
         */
        public Send replace(final Boolean value) {
            set("replace", value);
            return this;
        }

        /**
         * When to send, at most a year ahead; a time that has passed means at once. Whom a condition means is decided then.
         * With a LocalSendAt, it reaches each device at its own moment. docs/local-time.md. Null if it is absent.
         */
        public Object sendAt() {
            return get("send_at", value -> value);
        }

        /**
         * When to send, at most a year ahead; a time that has passed means at once. Whom a condition means is decided then.
         * With a LocalSendAt, it reaches each device at its own moment. docs/local-time.md.
         */
        public Send sendAt(final Object value) {
            set("send_at", value);
            return this;
        }

        /**
         * The template with the content, in the place of payload and localized; its other members stand where the request has
         * none. docs/templates.md. Null if it is absent.
         */
        public Object template() {
            return get("template", value -> value);
        }

        /**
         * The template with the content, in the place of payload and localized; its other members stand where the request has
         * none. docs/templates.md.
         */
        public Send template(final Object value) {
            set("template", value);
            return this;
        }

        /** The app's bundle id; needed where the API key is for several apps. Null if it is absent. */
        public String topic() {
            return get("topic", JsonObject::asText);
        }

        /** The app's bundle id; needed where the API key is for several apps. */
        public Send topic(final String value) {
            set("topic", value);
            return this;
        }

        /**
         * The last moment at which it may be seen. now: it is delivered now or never. APNs tries once and keeps nothing
         * (apns-expiration 0), the service tries for 60 s, and it is in no inbox. Not with the mode assured. Null if it is
         * absent.
         */
        public Object until() {
            return get("until", value -> value);
        }

        /**
         * The last moment at which it may be seen. now: it is delivered now or never. APNs tries once and keeps nothing
         * (apns-expiration 0), the service tries for 60 s, and it is in no inbox. Not with the mode assured. An Instant, a text
         * of RFC 3339, or seconds since 1970.
         */
        public Send until(final Object value) {
            set("until", value);
            return this;
        }

        /**
         * Whether the app's widgets are reloaded too, as by POST /v1/widgets; not with send_at. Null if it is absent.
         */
        public Boolean widgets() {
            return get("widgets", JsonObject::asBoolean);
        }

        /** Whether the app's widgets are reloaded too, as by POST /v1/widgets; not with send_at. */
        public Send widgets(final Boolean value) {
            set("widgets", value);
            return this;
        }

        /** Null if it is absent. */
        public Map<String, Object> with() {
            return get("with", value -> asMap(value, values -> values));
        }

        public Send with(final Map<String, Object> value) {
            set("with", value);
            return this;
        }
    }

    public static final class Sent extends JsonObject {
        public Sent(final Object value) {
            super(value);
        }

        public String id() {
            return get("id", JsonObject::asText);
        }

        public String state() {
            return get("state", JsonObject::asText);
        }

        /**
         * How many devices it is for; 0 when nobody addressed has one. Absent for a message to everyone, or by a condition, of
         * an app with more than 1000 devices: its report tells it when it is sent. Null if it is absent.
         */
        public Long devices() {
            return get("devices", JsonObject::asLong);
        }

        /** Null if it is absent. */
        public String reason() {
            return get("reason", JsonObject::asText);
        }
    }

    public static final class Sync extends JsonObject {
        public Sync(final Object value) {
            super(value);
        }

        public Instant now() {
            return get("now", JsonObject::asInstant);
        }

        public List<String> removals() {
            return get("removals", value -> asList(value, JsonObject::asText));
        }

        /**
         * The number of a newer request, if this one has come too late and has changed nothing. Null if it is absent.
         */
        public Long sequence() {
            return get("sequence", JsonObject::asLong);
        }

        /**
         * The last eight digits of the device token to which this installation's pushes go. Where they are another phone's,
         * register as a new installation. Null if it is absent.
         */
        public String tokenEnd() {
            return get("token_end", JsonObject::asText);
        }

        /** Null if it is absent. */
        public Long unread() {
            return get("unread", JsonObject::asLong);
        }
    }

    public static final class Template extends JsonObject {
        public Template(final Object value) {
            super(value);
        }

        public Instant changedAt() {
            return get("changed_at", JsonObject::asInstant);
        }

        /** The API key or the program that has made this version. */
        public String changedBy() {
            return get("changed_by", JsonObject::asText);
        }

        public String name() {
            return get("name", JsonObject::asText);
        }

        public long version() {
            return get("version", JsonObject::asLong);
        }

        /** The stored members; absent in lists. Null if it is absent. */
        public Map<String, Object> message() {
            return get("message", value -> asMap(value, values -> values));
        }
    }

    public static final class TemplateList extends JsonObject {
        public TemplateList(final Object value) {
            super(value);
        }

        public List<Template> templates() {
            return get("templates", value -> asList(value, Template::new));
        }

        /** Null if it is absent. */
        public String next() {
            return get("next", JsonObject::asText);
        }
    }

    public static final class TemplateRender extends JsonObject {
        public TemplateRender() {}

        public TemplateRender(final Object value) {
            super(value);
        }

        /** A locale such as de or pt-BR, in the place of a user's. Null if it is absent. */
        public String language() {
            return get("language", JsonObject::asText);
        }

        /** A locale such as de or pt-BR, in the place of a user's. */
        public TemplateRender language(final String value) {
            set("language", value);
            return this;
        }

        /** In the language of this user's newest installation. Null if it is absent. */
        public String user() {
            return get("user", JsonObject::asText);
        }

        /** In the language of this user's newest installation. */
        public TemplateRender user(final String value) {
            set("user", value);
            return this;
        }

        /** Null if it is absent. */
        public Long version() {
            return get("version", JsonObject::asLong);
        }

        public TemplateRender version(final Long value) {
            set("version", value);
            return this;
        }

        /** Null if it is absent. */
        public Map<String, Object> with() {
            return get("with", value -> asMap(value, values -> values));
        }

        public TemplateRender with(final Map<String, Object> value) {
            set("with", value);
            return this;
        }
    }

    public static final class TemplateRevert extends JsonObject {
        public TemplateRevert() {}

        public TemplateRevert(final Object value) {
            super(value);
        }

        public long version() {
            return get("version", JsonObject::asLong);
        }

        public TemplateRevert version(final Long value) {
            set("version", value);
            return this;
        }
    }

    public static final class Timeline extends JsonObject {
        public Timeline(final Object value) {
            super(value);
        }

        public List<DeviceTimeline> devices() {
            return get("devices", value -> asList(value, DeviceTimeline::new));
        }

        public String id() {
            return get("id", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String next() {
            return get("next", JsonObject::asText);
        }

        /** Null if it is absent. */
        public String reason() {
            return get("reason", JsonObject::asText);
        }
    }

    public static final class UserData extends JsonObject {
        public UserData(final Object value) {
            super(value);
        }

        public List<UserMessage> messages() {
            return get("messages", value -> asList(value, UserMessage::new));
        }

        public String user() {
            return get("user", JsonObject::asText);
        }

        /** On the first page: where the user is signed in. Null if it is absent. */
        public List<Device> devices() {
            return get("devices", value -> asList(value, Device::new));
        }

        /** Null if it is absent. */
        public String next() {
            return get("next", JsonObject::asText);
        }
    }

    public static final class UserMessage extends JsonObject {
        public UserMessage(final Object value) {
            super(value);
        }

        public Instant acceptedAt() {
            return get("accepted_at", JsonObject::asInstant);
        }

        public List<UserMessageDevice> devices() {
            return get("devices", value -> asList(value, UserMessageDevice::new));
        }

        public String id() {
            return get("id", JsonObject::asText);
        }

        public boolean inInbox() {
            return get("in_inbox", JsonObject::asBoolean);
        }

        /** As the user got it, in the language of one of the installations. */
        public Map<String, Object> payload() {
            return get("payload", value -> asMap(value, values -> values));
        }

        public long revision() {
            return get("revision", JsonObject::asLong);
        }

        /** Null if it is absent. */
        public Instant readAt() {
            return get("read_at", JsonObject::asInstant);
        }

        /** Null if it is absent. */
        public Instant until() {
            return get("until", JsonObject::asInstant);
        }
    }

    public static final class UserMessageDevice extends JsonObject {
        public UserMessageDevice(final Object value) {
            super(value);
        }

        public String device() {
            return get("device", JsonObject::asText);
        }

        public List<Event> events() {
            return get("events", value -> asList(value, Event::new));
        }
    }

    public static final class Variant extends JsonObject {
        public Variant(final Object value) {
            super(value);
        }

        /** Of the largest push. */
        public long bytes() {
            return get("bytes", JsonObject::asLong);
        }

        public long devices() {
            return get("devices", JsonObject::asLong);
        }

        /** Absent for the payload's own texts. Null if it is absent. */
        public String locale() {
            return get("locale", JsonObject::asText);
        }
    }

    public static final class Webhook extends JsonObject {
        public Webhook(final Object value) {
            super(value);
        }

        /** The endpoint has confirmed the events up to here. */
        public String confirmed() {
            return get("confirmed", JsonObject::asText);
        }

        public Instant created() {
            return get("created", JsonObject::asInstant);
        }

        /** Failed attempts at the present request. */
        public long failures() {
            return get("failures", JsonObject::asLong);
        }

        public String id() {
            return get("id", JsonObject::asText);
        }

        /** After the newest event. */
        public String newest() {
            return get("newest", JsonObject::asText);
        }

        /**
         * set-aside: the endpoint took nothing for a day, or answered 410; nothing is posted until the webhook is changed or
         * replayed.
         */
        public String state() {
            return get("state", JsonObject::asText);
        }

        public boolean texts() {
            return get("texts", JsonObject::asBoolean);
        }

        public String url() {
            return get("url", JsonObject::asText);
        }

        /** Null if it is absent. */
        public Instant delivered() {
            return get("delivered", JsonObject::asInstant);
        }

        /** Null if it is absent. */
        public WebhookFailure lastFailure() {
            return get("last_failure", WebhookFailure::new);
        }

        /** Null if it is absent. */
        public Instant missed() {
            return get("missed", JsonObject::asInstant);
        }

        /** Null if it is absent. */
        public Instant nextAttempt() {
            return get("next_attempt", JsonObject::asInstant);
        }

        /** Only in the answer to the call that made it. Null if it is absent. */
        public String secret() {
            return get("secret", JsonObject::asText);
        }

        /** Absent for all. Null if it is absent. */
        public List<String> types() {
            return get("types", value -> asList(value, JsonObject::asText));
        }
    }

    public static final class WebhookChange extends JsonObject {
        public WebhookChange() {}

        public WebhookChange(final Object value) {
            super(value);
        }

        /** Null if it is absent. */
        public String state() {
            return get("state", JsonObject::asText);
        }

        public WebhookChange state(final String value) {
            set("state", value);
            return this;
        }

        /** Null if it is absent. */
        public Boolean texts() {
            return get("texts", JsonObject::asBoolean);
        }

        public WebhookChange texts(final Boolean value) {
            set("texts", value);
            return this;
        }

        /** Null if it is absent. */
        public List<String> types() {
            return get("types", value -> asList(value, JsonObject::asText));
        }

        public WebhookChange types(final List<String> value) {
            set("types", value);
            return this;
        }

        /** Null if it is absent. */
        public String url() {
            return get("url", JsonObject::asText);
        }

        public WebhookChange url(final String value) {
            set("url", value);
            return this;
        }
    }

    public static final class WebhookFailure extends JsonObject {
        public WebhookFailure(final Object value) {
            super(value);
        }

        /** The beginning of what the endpoint said. */
        public String answer() {
            return get("answer", JsonObject::asText);
        }

        /** Null if it is absent. */
        public Instant at() {
            return get("at", JsonObject::asInstant);
        }
    }

    public static final class WebhookReplay extends JsonObject {
        public WebhookReplay() {}

        public WebhookReplay(final Object value) {
            super(value);
        }

        public Object since() {
            return get("since", value -> value);
        }

        /** An Instant, a text of RFC 3339, or seconds since 1970. */
        public WebhookReplay since(final Object value) {
            set("since", value);
            return this;
        }
    }

    public static final class WidgetReload extends JsonObject {
        public WidgetReload() {}

        public WidgetReload(final Object value) {
            super(value);
        }

        /** Users, devices, a condition or everyone. */
        public Audience to() {
            return get("to", Audience::new);
        }

        /** Users, devices, a condition or everyone. */
        public WidgetReload to(final Audience value) {
            set("to", value);
            return this;
        }

        /**
         * The kinds of the controls to reload; without it, all widgets of the app are reloaded. Null if it is absent.
         */
        public List<String> controls() {
            return get("controls", value -> asList(value, JsonObject::asText));
        }

        /** The kinds of the controls to reload; without it, all widgets of the app are reloaded. */
        public WidgetReload controls(final List<String> value) {
            set("controls", value);
            return this;
        }

        /** Null if it is absent. */
        public String topic() {
            return get("topic", JsonObject::asText);
        }

        public WidgetReload topic(final String value) {
            set("topic", value);
            return this;
        }

        /** After it nothing is sent; in 24 hours without it, in 30 days at most. Null if it is absent. */
        public Object until() {
            return get("until", value -> value);
        }

        /**
         * After it nothing is sent; in 24 hours without it, in 30 days at most. An Instant, a text of RFC 3339, or seconds
         * since 1970.
         */
        public WidgetReload until(final Object value) {
            set("until", value);
            return this;
        }
    }

    public static final class WidgetReloadReport extends JsonObject {
        public WidgetReloadReport(final Object value) {
            super(value);
        }

        /** The devices of the audience, with and without widgets. */
        public long devices() {
            return get("devices", JsonObject::asLong);
        }

        /** False while the rest of very many devices follows in steps. */
        public boolean finished() {
            return get("finished", JsonObject::asBoolean);
        }

        /** The tokens that are asked to reload so far. */
        public long tokens() {
            return get("tokens", JsonObject::asLong);
        }

        /** Null if it is absent. */
        public String reason() {
            return get("reason", JsonObject::asText);
        }
    }

    /** What {@link Calls#messages} can be asked for. */
    public static final class MessagesQuery extends JsonObject {
        public MessagesQuery() {}

        MessagesQuery(final MessagesQuery other) {
            super(other.members());
        }

        /**
         * Only messages in one of these states, with commas between them: accepted, scheduled, paused, sending, sent,
         * cancelled, recalled, expired.
         */
        public MessagesQuery state(final List<String> value) {
            set("state", value);
            return this;
        }

        /** Only messages to users or devices by their ids, to everyone, or by a condition. */
        public MessagesQuery audience(final String value) {
            set("audience", value);
            return this;
        }

        /** Only messages that went to this user's devices, and not by a condition or to everyone. */
        public MessagesQuery user(final String value) {
            set("user", value);
            return this;
        }

        /** Only messages with this text in their id. */
        public MessagesQuery id(final String value) {
            set("id", value);
            return this;
        }

        /** Only messages accepted at this time or later. */
        public MessagesQuery acceptedSince(final Instant value) {
            set("accepted_since", value);
            return this;
        }

        /** Only messages accepted before this time. */
        public MessagesQuery acceptedBefore(final Instant value) {
            set("accepted_before", value);
            return this;
        }

        /** The greatest number of entries on the page. */
        public MessagesQuery limit(final Long value) {
            set("limit", value);
            return this;
        }

        /** The `next` of the page before. */
        public MessagesQuery after(final String value) {
            set("after", value);
            return this;
        }
    }

    /** What {@link Calls#recipients} can be asked for. */
    public static final class RecipientsQuery extends JsonObject {
        public RecipientsQuery() {}

        RecipientsQuery(final RecipientsQuery other) {
            super(other.members());
        }

        /** Only devices of this group. */
        public RecipientsQuery group(final String value) {
            set("group", value);
            return this;
        }

        /** The greatest number of entries on the page. */
        public RecipientsQuery limit(final Long value) {
            set("limit", value);
            return this;
        }

        /** The `next` of the page before. */
        public RecipientsQuery after(final String value) {
            set("after", value);
            return this;
        }
    }

    /** What {@link Calls#timeline} can be asked for. */
    public static final class TimelineQuery extends JsonObject {
        public TimelineQuery() {}

        TimelineQuery(final TimelineQuery other) {
            super(other.members());
        }

        /** The `next` of the page before. */
        public TimelineQuery after(final String value) {
            set("after", value);
            return this;
        }
    }

    /** What {@link Calls#devices} can be asked for. */
    public static final class DevicesQuery extends JsonObject {
        public DevicesQuery() {}

        DevicesQuery(final DevicesQuery other) {
            super(other.members());
        }

        /**
         * Only installations in one of these states, with commas between them: active, unregistered, quarantined, superseded,
         * awaiting-token.
         */
        public DevicesQuery state(final List<String> value) {
            set("state", value);
            return this;
        }

        /** Only installations with this tag. */
        public DevicesQuery tag(final String value) {
            set("tag", value);
            return this;
        }

        /** Only installations on which this user is signed in. */
        public DevicesQuery user(final String value) {
            set("user", value);
            return this;
        }

        /** The greatest number of entries on the page. */
        public DevicesQuery limit(final Long value) {
            set("limit", value);
            return this;
        }

        /** The `next` of the page before. */
        public DevicesQuery after(final String value) {
            set("after", value);
            return this;
        }
    }

    /** What {@link Calls#deviceMessages} can be asked for. */
    public static final class DeviceMessagesQuery extends JsonObject {
        public DeviceMessagesQuery() {}

        DeviceMessagesQuery(final DeviceMessagesQuery other) {
            super(other.members());
        }

        /** The greatest number of entries on the page. */
        public DeviceMessagesQuery limit(final Long value) {
            set("limit", value);
            return this;
        }

        /** The `next` of the page before. */
        public DeviceMessagesQuery after(final String value) {
            set("after", value);
            return this;
        }
    }

    /** What {@link Calls#user} can be asked for. */
    public static final class UserQuery extends JsonObject {
        public UserQuery() {}

        UserQuery(final UserQuery other) {
            super(other.members());
        }

        /** The greatest number of entries on the page. */
        public UserQuery limit(final Long value) {
            set("limit", value);
            return this;
        }

        /** The `next` of the page before. */
        public UserQuery after(final String value) {
            set("after", value);
            return this;
        }
    }

    /** What {@link Calls#eraseUser} can be asked for. */
    public static final class EraseUserQuery extends JsonObject {
        public EraseUserQuery() {}

        EraseUserQuery(final EraseUserQuery other) {
            super(other.members());
        }

        /** Delete the installations on which the user is signed in too. */
        public EraseUserQuery devices(final Boolean value) {
            set("devices", value);
            return this;
        }
    }

    /** What {@link Calls#events} can be asked for. */
    public static final class EventsQuery extends JsonObject {
        public EventsQuery() {}

        EventsQuery(final EventsQuery other) {
            super(other.members());
        }

        /** The `next` of a page, or the id of an event. */
        public EventsQuery after(final String value) {
            set("after", value);
            return this;
        }

        /** Only these types. */
        public EventsQuery types(final List<String> value) {
            set("types", value);
            return this;
        }

        /** With the replies that people typed. */
        public EventsQuery texts(final Boolean value) {
            set("texts", value);
            return this;
        }

        public EventsQuery limit(final Long value) {
            set("limit", value);
            return this;
        }
    }

    /** What {@link Calls#figures} can be asked for. */
    public static final class FiguresQuery extends JsonObject {
        public FiguresQuery() {}

        FiguresQuery(final FiguresQuery other) {
            super(other.members());
        }

        /** The first day; without it, 30 days are told. At most 400 days. */
        public FiguresQuery from(final String value) {
            set("from", value);
            return this;
        }

        /** The last day; today without it. */
        public FiguresQuery to(final String value) {
            set("to", value);
            return this;
        }

        /** Only messages of this campaign. */
        public FiguresQuery campaign(final String value) {
            set("campaign", value);
            return this;
        }

        /** Only this message. Not together with `campaign`. */
        public FiguresQuery message(final String value) {
            set("message", value);
            return this;
        }
    }

    /** What {@link Calls#campaigns} can be asked for. */
    public static final class CampaignsQuery extends JsonObject {
        public CampaignsQuery() {}

        CampaignsQuery(final CampaignsQuery other) {
            super(other.members());
        }

        /** The first day; without it, 30 days are told. At most 400 days. */
        public CampaignsQuery from(final String value) {
            set("from", value);
            return this;
        }

        /** The last day; today without it. */
        public CampaignsQuery to(final String value) {
            set("to", value);
            return this;
        }

        /** The greatest number of entries on the page. */
        public CampaignsQuery limit(final Long value) {
            set("limit", value);
            return this;
        }

        /** The `next` of the page before. */
        public CampaignsQuery after(final String value) {
            set("after", value);
            return this;
        }
    }

    /** What {@link Calls#liveActivityTimeline} can be asked for. */
    public static final class LiveActivityTimelineQuery extends JsonObject {
        public LiveActivityTimelineQuery() {}

        LiveActivityTimelineQuery(final LiveActivityTimelineQuery other) {
            super(other.members());
        }

        /** The greatest number of entries on the page. */
        public LiveActivityTimelineQuery limit(final Long value) {
            set("limit", value);
            return this;
        }

        /** The `next` of the page before. */
        public LiveActivityTimelineQuery after(final String value) {
            set("after", value);
            return this;
        }
    }

    /** What {@link Calls#templates} can be asked for. */
    public static final class TemplatesQuery extends JsonObject {
        public TemplatesQuery() {}

        TemplatesQuery(final TemplatesQuery other) {
            super(other.members());
        }

        /** The greatest number of entries on the page. */
        public TemplatesQuery limit(final Long value) {
            set("limit", value);
            return this;
        }

        /** The `next` of the page before. */
        public TemplatesQuery after(final String value) {
            set("after", value);
            return this;
        }
    }

    /** What {@link Calls#template} can be asked for. */
    public static final class TemplateQuery extends JsonObject {
        public TemplateQuery() {}

        TemplateQuery(final TemplateQuery other) {
            super(other.members());
        }

        /** The version; the newest one without it. */
        public TemplateQuery version(final Long value) {
            set("version", value);
            return this;
        }
    }
}
