"""The objects of the API. Made by scripts/clients.py: do not change it by hand."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

Environment = Literal[
    "production",
    "sandbox",
]

EventType = Literal[
    "message.accepted",
    "message.replaced",
    "message.paused",
    "message.resumed",
    "message.cancelled",
    "message.recalled",
    "message.finished",
    "push.queued",
    "push.sent",
    "push.accepted",
    "push.rejected",
    "push.unanswered",
    "push.cancelled",
    "message.received",
    "message.shown",
    "message.opened",
    "message.acted",
    "message.dismissed",
    "message.expired",
    "message.removed",
    "device.registered",
    "device.changed",
    "device.quarantined",
    "device.gone",
    "user.signed_in",
    "user.signed_out",
    "live_activity.started",
    "live_activity.updated",
    "live_activity.stale",
    "live_activity.ended",
    "live_activity.dismissed",
    "live_activity.undecodable",
    "sending.stopped",
    "sending.resumed",
    "certificate.expiring",
    "webhook.set_aside",
    "webhook.resumed",
]

# accepted: on the disk, and APNs has taken no push yet. scheduled: waits for send_at. paused: nothing goes out until it is
# resumed. sending: some devices are done. sent: each device has had its first push; counts says what arrived. cancelled: what
# had not gone out is not sent. recalled: it is removed from the phones; recall says from how many. expired: its until has
# passed.
MessageState = Literal[
    "accepted",
    "scheduled",
    "paused",
    "sending",
    "sent",
    "cancelled",
    "recalled",
    "expired",
]

# visible: an alert push, which iOS shows. silent: a background push, from which the SDK makes the notification; lost where the
# app may not run. assured: silent first, and visible where no phone says shown in time (60 s; 15 minutes to many).
Mode = Literal[
    "visible",
    "silent",
    "assured",
]

# Why it is for no device: the users are signed in nowhere, no such installation is registered, no device has a token that
# works, or no device meets the condition.
NobodyReason = Literal[
    "not-signed-in",
    "no-such-device",
    "token-gone",
    "nobody-matches",
]

Permission = Literal[
    "not-determined",
    "denied",
    "authorized",
    "provisional",
    "ephemeral",
]

PushState = Literal[
    "queued",
    "accepted",
    "rejected",
    "unanswered",
    "expired",
    "cancelled",
    "set-aside",
    "skipped",
]

# pending until launch: the removal has gone out, and no answer has come yet; a phone that is on confirms within seconds,
# another at its next launch at the latest. confirmed: the phone reports that it is gone. replaced: a quiet notice has taken its
# place. never sent: no push of it went to the device.
RecallOutcome = Literal[
    "confirmed",
    "replaced",
    "pending until launch",
    "never sent",
]

Reported = Literal[
    "received",
    "shown",
    "opened",
    "acted",
    "dismissed",
    "expired",
    "recalled",
]


class App(TypedDict):
    requires_sign_in: bool
    topic: str
    #: Absent without a limit.
    sends_per_second: NotRequired[int]


class AppChange(TypedDict):
    #: Pushes that go out in a second, from all processes together; 0 for no limit.
    sends_per_second: NotRequired[int]


class Audience(TypedDict):
    """It has exactly one of these members."""

    devices: NotRequired[list[str]]
    everyone: NotRequired[bool]
    user: NotRequired[str]
    users: NotRequired[Any]
    #: Confirmed devices on which a condition holds: tag, locale, time_zone, version, environment, permission, seen; with and,
    #: or, not and brackets. `seen<30d` counts from when sending starts.
    where: NotRequired[str]


CampaignFigures = TypedDict("CampaignFigures", {
    "campaigns": "list[CampaignTotal]",
    "from": "str",
    "to": "str",
    "next": "NotRequired[str]",
})


class CampaignTotal(TypedDict):
    accepted: int
    acted: int
    campaign: str
    dismissed: int
    failed: int
    #: By APNs' reason, or unanswered.
    failures: dict[str, int]
    opened: int
    opt_outs: int
    received: int
    shown: int
    #: Messages that were shown, by the seconds from APNs' acceptance to the display: each bound has those above the bound
    #: before, and more has the rest. The bounds are 1, 5, 15, 60, 300, 900, 3600, 21600, 86400.
    shown_within: dict[str, int]
    unregistered: int


class Count(TypedDict):
    to: Audience
    #: As in Send.
    topic: NotRequired[str]


class DayFigures(TypedDict):
    accepted: int
    acted: int
    day: str
    dismissed: int
    failed: int
    #: By APNs' reason, or unanswered.
    failures: dict[str, int]
    opened: int
    opt_outs: int
    received: int
    shown: int
    #: Messages that were shown, by the seconds from APNs' acceptance to the display: each bound has those above the bound
    #: before, and more has the rest. The bounds are 1, 5, 15, 60, 300, 900, 3600, 21600, 86400.
    shown_within: dict[str, int]
    unregistered: int


class Device(TypedDict):
    environment: Environment
    installation: str
    permission: Permission
    seen_at: str
    state: Literal["active", "unregistered", "quarantined", "superseded", "awaiting-token"]
    token_registered_at: str
    topic: str
    app_version: NotRequired[str]
    confirmed_at: NotRequired[str]
    locale: NotRequired[str]
    tags: NotRequired[list[str]]
    time_zone: NotRequired[str]
    user: NotRequired[str]


class DeviceList(TypedDict):
    devices: list[Device]
    next: NotRequired[str]


class DeviceMessage(TypedDict):
    accepted_at: str
    id: str
    #: What the device has reported, each once.
    receipts: list[Reported]
    revision: int
    state: PushState
    #: APNs' last reason, or why the push was not sent.
    reason: NotRequired[str]
    #: The alert's title; without one, its body. Variables stand as they were sent.
    title: NotRequired[str]
    #: The user whom the message was for; of a message to a condition or to everyone, the one signed in now.
    user: NotRequired[str]


class DeviceMessages(TypedDict):
    #: The installation.
    id: str
    notifications: list[DeviceMessage]
    next: NotRequired[str]


class DeviceTimeline(TypedDict):
    device: str
    events: list[Event]
    state: Literal["queued", "accepted", "rejected", "unanswered", "expired", "cancelled", "set-aside", "skipped"]
    recall: NotRequired[RecallOutcome]
    #: Why the push waits: nothing of the app is sent at the moment, or it is not yet the message's local time there; only with
    #: the state queued.
    waiting: NotRequired[str]


class DryRun(TypedDict):
    devices: int
    dry_run: bool
    variants: list[Variant]
    reason: NotRequired[NobodyReason]


class Erased(TypedDict):
    copies: list[str]
    deliveries: int
    devices: int
    erased_at: str
    inbox: int
    messages: int
    remaining: int
    user: str
    #: With ?devices=true.
    deleted_devices: NotRequired[int]


class Event(TypedDict):
    at: str
    device: str
    #: queued: written down for this device. sent: handed to the connection. accepted: by APNs. rejected: refused by APNs;
    #: detail says whether it will be tried again. unanswered: the answer to this attempt never came. received to dismissed:
    #: what the phone reports. expired: its time passed. recalled: it is gone from the phone and will not come back.
    event: Literal["queued", "sent", "accepted", "rejected", "unanswered", "cancelled", "received", "shown", "opened", "acted", "dismissed", "expired", "recalled"]
    message: str
    revision: int
    apns_id: NotRequired[str]
    attempt: NotRequired[int]
    detail: NotRequired[str]
    #: True when nobody reported it and the service concluded it.
    inferred: NotRequired[bool]
    #: show: brings the message. fallback: the visible push of an assured message. removal: takes messages away. notice:
    #: replaces a recalled message. badge: sets the number alone.
    purpose: NotRequired[Literal["show", "fallback", "notice", "removal", "badge"]]
    reason: NotRequired[str]
    reply: NotRequired[str]
    status: NotRequired[int]


class EventDetails(TypedDict):
    apns_id: NotRequired[str]
    attempt: NotRequired[int]
    detail: NotRequired[str]
    environment: NotRequired[Environment]
    live_activity: NotRequired[str]
    purpose: NotRequired[str]
    reason: NotRequired[str]
    reply: NotRequired[str]
    revision: NotRequired[int]
    status: NotRequired[int]
    timestamp: NotRequired[int]
    webhook: NotRequired[str]


class EventPage(TypedDict):
    events: list[FeedEvent]
    next: str


class FeedEvent(TypedDict):
    at: str
    id: str
    type: EventType
    details: NotRequired[EventDetails]
    device: NotRequired[str]
    message: NotRequired[str]
    user: NotRequired[str]


FigureReport = TypedDict("FigureReport", {
    "days": "list[DayFigures]",
    "from": "str",
    "to": "str",
    "total": "Figures",
    "campaign": "NotRequired[str]",
    "message": "NotRequired[str]",
})


class Figures(TypedDict):
    """A device counts once for each revision of a message. accepted: APNs has taken the push. failed: it was given up, for a
    reason in failures. received to dismissed: as the phone reports. opt_outs and unregistered are of no message: people who
    switched notifications off, and devices whose token APNs does not know any more."""

    accepted: int
    acted: int
    dismissed: int
    failed: int
    #: By APNs' reason, or unanswered.
    failures: dict[str, int]
    opened: int
    opt_outs: int
    received: int
    shown: int
    #: Messages that were shown, by the seconds from APNs' acceptance to the display: each bound has those above the bound
    #: before, and more has the rest. The bounds are 1, 5, 15, 60, 300, 900, 3600, 21600, 86400.
    shown_within: dict[str, int]
    unregistered: int


class ImportReport(TypedDict):
    added: int
    #: Tokens of registered installations, of which nothing was changed.
    kept: int
    #: The last line that was dealt with.
    line: int
    records: int
    refusals: list[Refusal]
    refused: int
    unchanged: int
    updated: int


class ListedMessage(TypedDict):
    accepted_at: str
    #: Devices, each at most once in a count. By their push: queued, accepted (by APNs), rejected, unanswered (given up without
    #: an answer), cancelled, expired, skipped (left out by the rules of local time), set_aside (its row cannot be read). By
    #: their receipts: received, shown, opened, acted, dismissed, recalled. second_sends were handed over again, since nobody
    #: knew whether the first push had arrived; second_alerts may have alerted twice.
    counts: dict[str, int]
    id: str
    mode: Mode
    revision: int
    state: MessageState
    topic: str
    campaign: NotRequired[str]
    local_time: NotRequired[LocalTimeReport]
    progress: NotRequired[Progress]
    reason: NotRequired[NobodyReason]
    recall: NotRequired[dict[str, int]]
    recalled_at: NotRequired[str]
    #: Devices from which a reply came; only where the message keeps replies.
    replies: NotRequired[int]
    #: In local time, when the first place on Earth gets there: sending starts then.
    send_at: NotRequired[str]
    #: The alert's title; without one, its body. Variables stand as they were sent.
    title: NotRequired[str]
    until: NotRequired[str]


LiveActivity = TypedDict("LiveActivity", {
    "attributes-type": "str",
    "changed_at": "str",
    "content-state": "dict[str, Any]",
    "devices": "int",
    "id": "str",
    "phones": "dict[str, int]",
    #: The phones that have reported each event; for updated, those that have shown the newest state.
    "receipts": "dict[str, int]",
    "revision": "int",
    "started_at": "str",
    "state": "Literal['running', 'ended', 'over']",
    "channels": "NotRequired[list[LiveActivityChannel]]",
    "ended_at": "NotRequired[str]",
    "reason": "NotRequired[Literal['not-signed-in', 'no-such-device', 'token-gone', 'nobody-matches']]",
})


class LiveActivityChannel(TypedDict):
    environment: Literal["production", "sandbox"]
    state: Literal["making", "open", "closing"]
    problem: NotRequired[str]


LiveActivityEnd = TypedDict("LiveActivityEnd", {
    "alert": "NotRequired[dict[str, Any]]",
    "content-state": "NotRequired[dict[str, Any]]",
    "dismissal-date": "NotRequired[str | float]",
    "relevance-score": "NotRequired[float]",
})


class LiveActivityPhone(TypedDict):
    device: str
    events: list[LiveActivityPhoneEvent]
    state: Literal["waiting", "queued", "started", "current", "rejected", "expired", "ending", "ended", "gone"]


class LiveActivityPhoneEvent(TypedDict):
    at: str
    event: Literal["accepted", "rejected", "started", "updated", "stale", "ended", "dismissed", "undecodable"]
    detail: NotRequired[str]
    timestamp: NotRequired[int]


LiveActivityStart = TypedDict("LiveActivityStart", {
    "alert": "dict[str, Any]",
    #: One of the members has the id as its value.
    "attributes": "dict[str, Any]",
    #: The name of the app's type, such as MatchAttributes.
    "attributes-type": "str",
    "content-state": "dict[str, Any]",
    "id": "str",
    #: Users, devices, a condition or everyone.
    "to": "Audience",
    "relevance-score": "NotRequired[float]",
    "stale-date": "NotRequired[str | float]",
    "topic": "NotRequired[str]",
})


class LiveActivityTimeline(TypedDict):
    id: str
    phones: list[LiveActivityPhone]
    #: Of the newest state.
    timestamp: int
    next: NotRequired[str]


LiveActivityUpdate = TypedDict("LiveActivityUpdate", {
    "content-state": "dict[str, Any]",
    "alert": "NotRequired[dict[str, Any]]",
    #: 10 arrives at once and costs the phone's budget; 5 does not.
    "priority": "NotRequired[Literal[5, 10]]",
    "relevance-score": "NotRequired[float]",
    "stale-date": "NotRequired[str | float]",
})


class LocalSendAt(TypedDict):
    """A time by the clock of each device. docs/local-time.md has the rules."""

    #: A date with a time of day, without a zone. A time that the change to summer time skips means the moment of the change;
    #: one that comes twice, the first.
    local: str
    #: The time zone of devices whose own is not known, by its name in the IANA database; skip: such devices are left out.
    fallback: NotRequired[str]
    #: For devices where the time had passed when the message was accepted. send: they get it at once. skip: they are left out.
    passed: NotRequired[Literal["send", "skip"]]


class LocalTimeReport(TypedDict):
    """Of a message in local time; absent for others."""

    fallback: str
    local: str
    passed: str
    #: The moments for which devices wait, the next first; empty until sending starts.
    waits: list[LocalTimeWait]


class LocalTimeWait(TypedDict):
    at: str
    devices: int
    #: From UTC, of a clock that shows the message's time then, such as +05:45.
    offset: str


class LocalizedText(TypedDict):
    body: NotRequired[str]
    subtitle: NotRequired[str]
    title: NotRequired[str]


class MessageList(TypedDict):
    notifications: list[ListedMessage]
    next: NotRequired[str]


class NewTemplate(TypedDict):
    """Every text of the payload and of localized may have variables: {{name}}, or {{name|default}}."""

    payload: dict[str, Any]
    campaign: NotRequired[str]
    controls: NotRequired[list[str]]
    dialect: NotRequired[Literal["carillon", "pushwoosh", "infobip"]]
    keep_replies: NotRequired[bool]
    localized: NotRequired[dict[str, LocalizedText]]
    mode: NotRequired[Literal["visible", "silent", "assured"]]
    until: NotRequired[str]
    widgets: NotRequired[bool]


class NewWebhook(TypedDict):
    url: str
    #: With the replies that people type.
    texts: NotRequired[bool]
    #: Only these; all by default.
    types: NotRequired[list[EventType]]


class Notice(TypedDict):
    body: NotRequired[str]
    title: NotRequired[str]


class Progress(TypedDict):
    """How far a message to everyone, or by a condition, of an app with more than 1000 devices has come; absent for others."""

    #: Devices of the app of which it is decided whether it is for them.
    decided: int
    #: All of them, when sending began; 0 before.
    total: int
    finishes_at: NotRequired[str]
    #: Pushes handed to APNs in a second, on average since sending began.
    per_second: NotRequired[float]


class Read(TypedDict):
    """It has exactly one of these members."""

    messages: NotRequired[list[str]]
    up_to: NotRequired[str | float]


class ReadAnswer(TypedDict):
    marked: int
    unread: int


class Recall(TypedDict):
    devices: list[RecalledDevice]
    id: str
    recall: dict[str, int]
    state: MessageState


class RecallRequest(TypedDict):
    notice: NotRequired[Notice]


class RecalledDevice(TypedDict):
    device: str
    recall: RecallOutcome


class Recipient(TypedDict):
    device: str
    #: What the device has reported, each once.
    receipts: list[Reported]
    state: PushState
    #: APNs' last reason, or why the push was not sent.
    reason: NotRequired[str]
    #: The user whom the message was for; of a message to a condition or to everyone, the one signed in now.
    user: NotRequired[str]


class RecipientList(TypedDict):
    id: str
    recipients: list[Recipient]
    next: NotRequired[str]


class Refusal(TypedDict):
    line: int
    reason: str


class Rendered(TypedDict):
    name: str
    #: As a phone gets it, without Carillon's own key.
    payload: dict[str, Any]
    version: int
    #: Of the largest push, with everything that Carillon adds.
    bytes: NotRequired[int]
    #: Of the texts; absent for those of the payload itself.
    language: NotRequired[str]


class Report(TypedDict):
    accepted_at: str
    #: Devices, each at most once in a count. By their push: queued, accepted (by APNs), rejected, unanswered (given up without
    #: an answer), cancelled, expired, skipped (left out by the rules of local time), set_aside (its row cannot be read). By
    #: their receipts: received, shown, opened, acted, dismissed, recalled. second_sends were handed over again, since nobody
    #: knew whether the first push had arrived; second_alerts may have alerted twice.
    counts: dict[str, int]
    id: str
    mode: Mode
    revision: int
    state: MessageState
    topic: str
    campaign: NotRequired[str]
    local_time: NotRequired[LocalTimeReport]
    progress: NotRequired[Progress]
    reason: NotRequired[NobodyReason]
    recall: NotRequired[dict[str, int]]
    recalled_at: NotRequired[str]
    #: Devices from which a reply came; only where the message keeps replies.
    replies: NotRequired[int]
    #: In local time, when the first place on Earth gets there: sending starts then.
    send_at: NotRequired[str]
    until: NotRequired[str]


class ResendRequest(TypedDict):
    """id: that of the copy; without it, the message's id and .2."""

    id: NotRequired[str]


Send = TypedDict("Send", {
    "to": "Audience",
    "campaign": "NotRequired[str]",
    #: The kinds of the controls to reload too; not with send_at.
    "controls": "NotRequired[list[str]]",
    #: Another push service's format in which the push is sent too, for apps that are installed already. The default is
    #: carillon. With pushwoosh, id has at most 37 bytes.
    "dialect": "NotRequired[Literal['carillon', 'pushwoosh', 'infobip']]",
    "id": "NotRequired[str]",
    #: Whether a text that a person types into the notification is told to the service, and shown on the timeline; at most 1000
    #: bytes.
    "keep_replies": "NotRequired[bool]",
    #: Texts in the place of the alert's, by language: each device gets those of its locale, of its language without the region,
    #: or the payload's own. docs/texts.md.
    "localized": "NotRequired[dict[str, LocalizedText]]",
    "mode": "NotRequired[Mode]",
    #: Apple's payload, with keys of your own; `carillon` is taken. `aps.badge` may be "auto": the user's unread count, which is
    #: also what users' messages get that give no number. At most 4096 bytes with Carillon's own key.
    "payload": "NotRequired[dict[str, Any]]",
    #: Whether a removal is sent when `until` has passed, to devices that may still show the message. The default is true for
    #: users and devices, false for everyone; it needs `until`.
    "remove_expired": "NotRequired[bool]",
    #: Whether it may take the place of a message with the same id for another audience: whoever is no longer addressed loses
    #: that one. Without it, 409.
    "replace": "NotRequired[bool]",
    #: When to send, at most a year ahead; a time that has passed means at once. Whom a condition means is decided then. With a
    #: LocalSendAt, it reaches each device at its own moment. docs/local-time.md.
    "send_at": "NotRequired[Any]",
    #: The template with the content, in the place of payload and localized; its other members stand where the request has none.
    #: docs/templates.md.
    "template": "NotRequired[Any]",
    #: The app's bundle id; needed where the API key is for several apps.
    "topic": "NotRequired[str]",
    #: The last moment at which it may be seen. now: it is delivered now or never. APNs tries once and keeps nothing
    #: (apns-expiration 0), the service tries for 60 s, and it is in no inbox. Not with the mode assured.
    "until": "NotRequired[str | float]",
    #: Whether the app's widgets are reloaded too, as by POST /v1/widgets; not with send_at.
    "widgets": "NotRequired[bool]",
    "with": "NotRequired[dict[str, Any]]",
})


class Sent(TypedDict):
    id: str
    state: MessageState
    #: How many devices it is for; 0 when nobody addressed has one. Absent for a message to everyone, or by a condition, of an
    #: app with more than 1000 devices: its report tells it when it is sent.
    devices: NotRequired[int]
    reason: NotRequired[NobodyReason]


class Sync(TypedDict):
    now: str
    removals: list[str]
    #: The number of a newer request, if this one has come too late and has changed nothing.
    sequence: NotRequired[int]
    #: The last eight digits of the device token to which this installation's pushes go. Where they are another phone's,
    #: register as a new installation.
    token_end: NotRequired[str]
    unread: NotRequired[int]


class Template(TypedDict):
    changed_at: str
    #: The API key or the program that has made this version.
    changed_by: str
    name: str
    version: int
    #: The stored members; absent in lists.
    message: NotRequired[dict[str, Any]]


class TemplateList(TypedDict):
    templates: list[Template]
    next: NotRequired[str]


TemplateRender = TypedDict("TemplateRender", {
    #: A locale such as de or pt-BR, in the place of a user's.
    "language": "NotRequired[str]",
    #: In the language of this user's newest installation.
    "user": "NotRequired[str]",
    "version": "NotRequired[int]",
    "with": "NotRequired[dict[str, Any]]",
})


class TemplateRevert(TypedDict):
    version: int


class Timeline(TypedDict):
    devices: list[DeviceTimeline]
    id: str
    next: NotRequired[str]
    reason: NotRequired[NobodyReason]


class UserData(TypedDict):
    messages: list[UserMessage]
    user: str
    #: On the first page: where the user is signed in.
    devices: NotRequired[list[Device]]
    next: NotRequired[str]


class UserMessage(TypedDict):
    accepted_at: str
    devices: list[UserMessageDevice]
    id: str
    in_inbox: bool
    #: As the user got it, in the language of one of the installations.
    payload: dict[str, Any]
    revision: int
    read_at: NotRequired[str]
    until: NotRequired[str]


class UserMessageDevice(TypedDict):
    device: str
    events: list[Event]


class Variant(TypedDict):
    #: Of the largest push.
    bytes: int
    devices: int
    #: Absent for the payload's own texts.
    locale: NotRequired[str]


class Webhook(TypedDict):
    #: The endpoint has confirmed the events up to here.
    confirmed: str
    created: str
    #: Failed attempts at the present request.
    failures: int
    id: str
    #: After the newest event.
    newest: str
    #: set-aside: the endpoint took nothing for a day, or answered 410; nothing is posted until the webhook is changed or
    #: replayed.
    state: Literal["active", "retrying", "set-aside"]
    texts: bool
    url: str
    delivered: NotRequired[str]
    last_failure: NotRequired[WebhookFailure]
    missed: NotRequired[str]
    next_attempt: NotRequired[str]
    #: Only in the answer to the call that made it.
    secret: NotRequired[str]
    #: Absent for all.
    types: NotRequired[list[EventType]]


class WebhookChange(TypedDict):
    state: NotRequired[str]
    texts: NotRequired[bool]
    types: NotRequired[list[EventType]]
    url: NotRequired[str]


class WebhookFailure(TypedDict):
    #: The beginning of what the endpoint said.
    answer: str
    at: NotRequired[str]


class WebhookReplay(TypedDict):
    since: str | float


class WidgetReload(TypedDict):
    #: Users, devices, a condition or everyone.
    to: Audience
    #: The kinds of the controls to reload; without it, all widgets of the app are reloaded.
    controls: NotRequired[list[str]]
    topic: NotRequired[str]
    #: After it nothing is sent; in 24 hours without it, in 30 days at most.
    until: NotRequired[str | float]


class WidgetReloadReport(TypedDict):
    #: The devices of the audience, with and without widgets.
    devices: int
    #: False while the rest of very many devices follows in steps.
    finished: bool
    #: The tokens that are asked to reload so far.
    tokens: int
    reason: NotRequired[Literal["not-signed-in", "no-such-device", "token-gone", "nobody-matches"]]
