"""The calls of the API. Made by scripts/clients.py: do not change it by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal
from urllib.parse import quote

from .types import (
    App,
    AppChange,
    CampaignFigures,
    CampaignTotal,
    Count,
    Device,
    DeviceList,
    DeviceMessage,
    DeviceMessages,
    DeviceTimeline,
    DryRun,
    Erased,
    EventPage,
    EventType,
    FigureReport,
    ListedMessage,
    LiveActivity,
    LiveActivityEnd,
    LiveActivityPhone,
    LiveActivityStart,
    LiveActivityTimeline,
    LiveActivityUpdate,
    MessageList,
    NewTemplate,
    NewWebhook,
    Read,
    ReadAnswer,
    Recall,
    RecallRequest,
    Recipient,
    RecipientList,
    Rendered,
    Report,
    ResendRequest,
    Send,
    Sent,
    Sync,
    Template,
    TemplateList,
    TemplateRender,
    TemplateRevert,
    Timeline,
    UserData,
    Webhook,
    WebhookChange,
    WebhookReplay,
    WidgetReload,
    WidgetReloadReport,
)


def encoded(id: str) -> str:
    """A part of a path."""
    if id in ("", ".", ".."):
        raise ValueError("an id has at least one character, and is not . or ..")
    return quote(id, safe="")


class Calls:
    """The calls of a backend, by name. The scope that a call needs stands in its description."""

    def request(self, *arguments: Any, **options: Any) -> Any:
        raise NotImplementedError

    def send(self, body: Send, *, idempotency_key: str | None = None) -> Sent:
        """Send a message. Scope send. On disk when it is answered."""
        return self.request("POST", "/v1/notifications", body=body, is_keyed=True, idempotency_key=idempotency_key).body

    def dry_run(self, body: Send) -> DryRun:
        """What a send would do. Scope send. All of it is checked, and nothing is stored or sent."""
        return self.request("POST", "/v1/notifications", body={**body, "dry_run": True}).body

    def report(self, id: str) -> Report:
        """Where a message stands. Scope read."""
        return self.request("GET", f"/v1/notifications/{encoded(id)}").body

    def messages(
        self, *, state: list[str] | None = None, audience: Literal["named", "everyone", "condition"] | None = None, user: str |
        None = None, id: str | None = None, accepted_since: str | None = None, accepted_before: str | None = None, limit: int |
        None = None, after: str | None = None
    ) -> Iterator[ListedMessage]:
        """The app's messages, the newest first. Scope read. By the time of their first acceptance. A page that asks for states may
        be short, and even empty, although it has a `next`.

        - state: Only messages in one of these states, with commas between them: accepted, scheduled, paused, sending, sent,
        cancelled, recalled, expired.
        - audience: Only messages to users or devices by their ids, to everyone, or by a condition.
        - user: Only messages that went to this user's devices, and not by a condition or to everyone.
        - id: Only messages with this text in their id.
        - accepted_since: Only messages accepted at this time or later.
        - accepted_before: Only messages accepted before this time.
        - limit: The greatest number of entries on the page.
        - after: The `next` of the page before.
        """
        while True:
            page = self.messages_page(state=state, audience=audience, user=user, id=id, accepted_since=accepted_since, accepted_before=accepted_before, limit=limit, after=after)
            yield from page["notifications"]
            if (after := page.get("next")) is None:
                return

    def messages_page(
        self, *, state: list[str] | None = None, audience: Literal["named", "everyone", "condition"] | None = None, user: str |
        None = None, id: str | None = None, accepted_since: str | None = None, accepted_before: str | None = None, limit: int |
        None = None, after: str | None = None
    ) -> MessageList:
        """One page of `messages`."""
        return self.request(
            "GET", "/v1/notifications", query={"state": state, "audience": audience, "user": user, "id": id, "accepted_since": accepted_since, "accepted_before": accepted_before, "limit": limit, "after": after}).body

    def recipients(
        self, id: str, *, group: Literal["queued", "accepted", "rejected", "unanswered", "cancelled", "expired", "skipped",
        "set_aside", "received", "shown", "opened", "acted", "dismissed", "recalled", "not_shown"] | None = None, limit: int |
        None = None, after: str | None = None
    ) -> Iterator[Recipient]:
        """A message's devices, or those of a count. Scope read. `group` takes the name of a count of the report, and not_shown:
        accepted by APNs, and no sign that the person could see it. A page with a `next` may be short.

        - group: Only devices of this group.
        - limit: The greatest number of entries on the page.
        - after: The `next` of the page before.
        """
        while True:
            page = self.recipients_page(id, group=group, limit=limit, after=after)
            yield from page["recipients"]
            if (after := page.get("next")) is None:
                return

    def recipients_page(
        self, id: str, *, group: Literal["queued", "accepted", "rejected", "unanswered", "cancelled", "expired", "skipped",
        "set_aside", "received", "shown", "opened", "acted", "dismissed", "recalled", "not_shown"] | None = None, limit: int |
        None = None, after: str | None = None
    ) -> RecipientList:
        """One page of `recipients`."""
        return self.request(
            "GET", f"/v1/notifications/{encoded(id)}/recipients", query={"group": group, "limit": limit, "after": after}).body

    def timeline(self, id: str, *, after: str | None = None) -> Iterator[DeviceTimeline]:
        """What happened to a message, device by device. Scope read. 100 devices a page.

        - after: The `next` of the page before.
        """
        while True:
            page = self.timeline_page(id, after=after)
            yield from page["devices"]
            if (after := page.get("next")) is None:
                return

    def timeline_page(self, id: str, *, after: str | None = None) -> Timeline:
        """One page of `timeline`."""
        return self.request("GET", f"/v1/notifications/{encoded(id)}/timeline", query={"after": after}).body

    def recall(self, id: str, body: RecallRequest | None = None) -> Recall:
        """Recall a message, with a notice where nothing of the app runs. Scope send. Like the deletion. A quiet notice takes the
        message's place on devices that may show it and have not confirmed its removal in time, at once on those that leave
        silent pushes unanswered. It expires with the message. The first notice stands; it may follow a recall without one. A
        message without a text gets none."""
        return self.request("POST", f"/v1/notifications/{encoded(id)}/recall", body=body).body

    def pause(self, id: str) -> Report:
        """Stop a message for a while. Scope send. Nothing of it is sent until it is resumed; what has gone out stays. It has no
        effect where nothing is left to be sent."""
        return self.request("POST", f"/v1/notifications/{encoded(id)}/pause").body

    def resume(self, id: str) -> Report:
        """Let a paused message go on. Scope send. One whose time has come meanwhile is sent at once."""
        return self.request("POST", f"/v1/notifications/{encoded(id)}/resume").body

    def cancel(self, id: str) -> Report:
        """Stop a message for good. Scope send. What has not gone out is not sent; what has stays on the phones, unlike with a
        recall. It has no effect where nothing is left to be sent."""
        return self.request("POST", f"/v1/notifications/{encoded(id)}/cancel").body

    def resend(self, id: str, body: ResendRequest | None = None, *, idempotency_key: str | None = None) -> Sent:
        """Send a message again to those who did not see it. Scope send. A copy of the message goes to the devices of the group
        not_shown, except where another user is signed in now. The copy is a message with an id of its own, in no inbox. A
        repeated call sends nothing. Those whom a broadcast to many means are determined while the copy is sent."""
        return self.request(
            "POST", f"/v1/notifications/{encoded(id)}/resend", body=body, is_keyed=True, idempotency_key=idempotency_key).body

    def count_audience(self, body: Count) -> int:
        """Count the devices that an audience means now. Scope send. Sends nothing."""
        return self.request("POST", "/v1/audiences/count", body=body).body["devices"]

    def devices(
        self, *, state: list[str] | None = None, tag: str | None = None, user: str | None = None, limit: int | None = None,
        after: str | None = None
    ) -> Iterator[Device]:
        """The app's installations, the newest first. Scope read. Those whose token APNs has accepted; of one user, all.

        - state: Only installations in one of these states, with commas between them: active, unregistered, quarantined,
        superseded, awaiting-token.
        - tag: Only installations with this tag.
        - user: Only installations on which this user is signed in.
        - limit: The greatest number of entries on the page.
        - after: The `next` of the page before.
        """
        while True:
            page = self.devices_page(state=state, tag=tag, user=user, limit=limit, after=after)
            yield from page["devices"]
            if (after := page.get("next")) is None:
                return

    def devices_page(
        self, *, state: list[str] | None = None, tag: str | None = None, user: str | None = None, limit: int | None = None,
        after: str | None = None
    ) -> DeviceList:
        """One page of `devices`."""
        return self.request(
            "GET", "/v1/devices", query={"state": state, "tag": tag, "user": user, "limit": limit, "after": after}).body

    def device(self, id: str) -> Device:
        """What is known of an installation. For itself, or for the backend of its app with the scope read. Neither token nor
        secret."""
        return self.request("GET", f"/v1/devices/{encoded(id)}", takes_topic=False).body

    def device_messages(self, id: str, *, limit: int | None = None, after: str | None = None) -> Iterator[DeviceMessage]:
        """What an installation got, and why not. Scope read. The messages for this installation, the newest first, with the state
        of the push and what the phone has reported. A page may have few, or none, and still have a `next`.

        - limit: The greatest number of entries on the page.
        - after: The `next` of the page before.
        """
        while True:
            page = self.device_messages_page(id, limit=limit, after=after)
            yield from page["notifications"]
            if (after := page.get("next")) is None:
                return

    def device_messages_page(self, id: str, *, limit: int | None = None, after: str | None = None) -> DeviceMessages:
        """One page of `device_messages`."""
        return self.request("GET", f"/v1/devices/{encoded(id)}/notifications", query={"limit": limit, "after": after}).body

    def delete_device(self, id: str) -> None:
        """Forget an installation. By itself, or by the backend of its app with the scope users. What is queued for it is
        cancelled."""
        self.request("DELETE", f"/v1/devices/{encoded(id)}", takes_topic=False).body

    def sign_out_device(self, id: str) -> Sync:
        """Sign out. Unbinds the installation from its user; what is queued for the user is not sent to it. Also for the backend of
        its app, with the scope users."""
        return self.request("DELETE", f"/v1/devices/{encoded(id)}/user", takes_topic=False).body

    def user(self, id: str, *, limit: int | None = None, after: str | None = None) -> UserData:
        """What is kept of a user. Scope users. The user's installations and the messages that name the user, with the replies that
        the user typed: what an erasure removes. The feed of events tells nothing else and is left out.

        - limit: The greatest number of entries on the page.
        - after: The `next` of the page before.
        """
        return self.request("GET", f"/v1/users/{encoded(id)}", query={"limit": limit, "after": after}).body

    def user_devices(self, id: str) -> list[Device]:
        """The installations bound to a user. Scope read. At most 100."""
        return self.request("GET", f"/v1/users/{encoded(id)}/devices").body["devices"]

    def sign_out_user(self, id: str) -> int:
        """Sign a user out everywhere. Scope users. Unbinds all of the user's installations."""
        return self.request("POST", f"/v1/users/{encoded(id)}/sign-out").body["devices"]

    def mark_read(self, id: str, body: Read) -> ReadAnswer:
        """Mark messages as read. Scope send. They disappear from the user's devices."""
        return self.request("POST", f"/v1/users/{encoded(id)}/read", body=body).body

    def erase_user(self, id: str, *, devices: bool | None = None) -> Erased:
        """Erase a user. Scope users. Signs the user out everywhere, and erases what names the user and what only the user was
        sent; `remaining` is counted afterwards. `copies` names the files beside the database that an upgrade has made before:
        they still have the user.

        - devices: Delete the installations on which the user is signed in too.
        """
        return self.request("DELETE", f"/v1/users/{encoded(id)}", query={"devices": devices}).body

    def app(self) -> App:
        """The app's settings. Scope read."""
        return self.request("GET", "/v1/app").body

    def change_app(self, body: AppChange) -> App:
        """Change the app's settings. Scope admin."""
        return self.request("PATCH", "/v1/app", body=body).body

    def events(
        self, *, after: str | None = None, types: list[EventType] | None = None, texts: bool | None = None, limit: int | None =
        None
    ) -> EventPage:
        """What has happened, in order and each once. Scope read. Without `after`, no event, and the cursor of now. With `Accept:
        text/event-stream`, a stream that goes on; there, `Last-Event-ID` takes the place of `after`. 410: the events after the
        cursor are not complete any more. docs/events.md.

        - after: The `next` of a page, or the id of an event.
        - types: Only these types.
        - texts: With the replies that people typed.
        """
        return self.request("GET", "/v1/events", query={"after": after, "types": types, "texts": texts, "limit": limit}).body

    def figures(
        self, *, from_: str | None = None, to: str | None = None, campaign: str | None = None, message: str | None = None
    ) -> FigureReport:
        """What has happened, counted by day. Scope read. Figures of the app, or of one of its campaigns or messages. They are
        counted as things happen, in the transaction that makes them durable. docs/figures.md.

        - from_: The first day; without it, 30 days are told. At most 400 days.
        - to: The last day; today without it.
        - campaign: Only messages of this campaign.
        - message: Only this message. Not together with `campaign`.
        """
        return self.request(
            "GET", "/v1/figures", query={"from": from_, "to": to, "campaign": campaign, "message": message}).body

    def campaigns(
        self, *, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None
    ) -> Iterator[CampaignTotal]:
        """The app's campaigns, each with its figures. Scope read. By name; campaigns for which something was counted on these
        days.

        - from_: The first day; without it, 30 days are told. At most 400 days.
        - to: The last day; today without it.
        - limit: The greatest number of entries on the page.
        - after: The `next` of the page before.
        """
        while True:
            page = self.campaigns_page(from_=from_, to=to, limit=limit, after=after)
            yield from page["campaigns"]
            if (after := page.get("next")) is None:
                return

    def campaigns_page(
        self, *, from_: str | None = None, to: str | None = None, limit: int | None = None, after: str | None = None
    ) -> CampaignFigures:
        """One page of `campaigns`."""
        return self.request(
            "GET", "/v1/figures/campaigns", query={"from": from_, "to": to, "limit": limit, "after": after}).body

    def start_live_activity(self, body: LiveActivityStart, *, idempotency_key: str | None = None) -> LiveActivity:
        """Start a Live Activity. Scope send. On disk when it is answered. A repeated body changes nothing; another body with a
        known id gets 409. docs/live-activities.md."""
        return self.request("POST", "/v1/live-activities", body=body, is_keyed=True, idempotency_key=idempotency_key).body

    def live_activity(self, id: str) -> LiveActivity:
        """Where a Live Activity stands. Scope read."""
        return self.request("GET", f"/v1/live-activities/{encoded(id)}").body

    def update_live_activity(self, id: str, body: LiveActivityUpdate, *, idempotency_key: str | None = None) -> LiveActivity:
        """Update a Live Activity. Scope send. The whole new state: a phone gets the newest one, never one after a newer one."""
        return self.request(
            "PATCH", f"/v1/live-activities/{encoded(id)}", body=body, is_keyed=True, idempotency_key=idempotency_key).body

    def end_live_activity(
        self, id: str, body: LiveActivityEnd | None = None, *, idempotency_key: str | None = None
    ) -> LiveActivity:
        """End a Live Activity, with a last state or a time to dismiss it. Scope send. Like the deletion."""
        return self.request(
            "POST", f"/v1/live-activities/{encoded(id)}/end", body=body, is_keyed=True, idempotency_key=idempotency_key).body

    def live_activity_timeline(
        self, id: str, *, limit: int | None = None, after: str | None = None
    ) -> Iterator[LiveActivityPhone]:
        """What has happened to a Live Activity on each phone. Scope read. The newest event of each kind: APNs' answers, and the
        phone's receipts.

        - limit: The greatest number of entries on the page.
        - after: The `next` of the page before.
        """
        while True:
            page = self.live_activity_timeline_page(id, limit=limit, after=after)
            yield from page["phones"]
            if (after := page.get("next")) is None:
                return

    def live_activity_timeline_page(
        self, id: str, *, limit: int | None = None, after: str | None = None
    ) -> LiveActivityTimeline:
        """One page of `live_activity_timeline`."""
        return self.request("GET", f"/v1/live-activities/{encoded(id)}/timeline", query={"limit": limit, "after": after}).body

    def reload_widgets(self, body: WidgetReload, *, idempotency_key: str | None = None) -> WidgetReloadReport:
        """Reload widgets or controls. Scope send. A push to each token of the audience; what waits already is one push with it.
        docs/widgets.md."""
        return self.request("POST", "/v1/widgets", body=body, is_keyed=True, idempotency_key=idempotency_key).body

    def templates(self, *, limit: int | None = None, after: str | None = None) -> Iterator[Template]:
        """The app's templates, by name. Scope read. The newest version of each, without its message. docs/templates.md.

        - limit: The greatest number of entries on the page.
        - after: The `next` of the page before.
        """
        while True:
            page = self.templates_page(limit=limit, after=after)
            yield from page["templates"]
            if (after := page.get("next")) is None:
                return

    def templates_page(self, *, limit: int | None = None, after: str | None = None) -> TemplateList:
        """One page of `templates`."""
        return self.request("GET", "/v1/templates", query={"limit": limit, "after": after}).body

    def template(self, id: str, *, version: int | None = None) -> Template:
        """A template. Scope read. The newest version, or another.

        - version: The version; the newest one without it.
        """
        return self.request("GET", f"/v1/templates/{encoded(id)}", query={"version": version}).body

    def store_template(self, id: str, body: NewTemplate, *, if_match: str | None = None) -> Template:
        """Store a template. Scope admin. The body has members of POST /v1/notifications: what the message says, and how. Another
        content makes another version; the same one changes nothing."""
        return self.request("PUT", f"/v1/templates/{encoded(id)}", body=body, if_match=if_match).body

    def delete_template(self, id: str) -> None:
        """Delete a template with all its versions. Scope admin. Messages that were sent with it stay."""
        self.request("DELETE", f"/v1/templates/{encoded(id)}").body

    def template_versions(self, id: str) -> list[Template]:
        """The versions of a template, the newest first. Scope read. The 50 newest."""
        return self.request("GET", f"/v1/templates/{encoded(id)}/versions").body["versions"]

    def revert_template(self, id: str, body: TemplateRevert, *, if_match: str | None = None) -> Template:
        """Return to a version. Scope admin. A new version gets the content of a former one."""
        return self.request("POST", f"/v1/templates/{encoded(id)}/revert", body=body, if_match=if_match).body

    def render_template(self, id: str, body: TemplateRender | None = None) -> Rendered:
        """Show what a template makes, without sending. Scope read. A value that is missing is refused with its name."""
        return self.request("POST", f"/v1/templates/{encoded(id)}/render", body=body).body

    def webhooks(self) -> list[Webhook]:
        """The app's webhooks. Scope read."""
        return self.request("GET", "/v1/webhooks").body["webhooks"]

    def add_webhook(self, body: NewWebhook, *, idempotency_key: str | None = None) -> Webhook:
        """Have events posted to an address. Scope admin. The webhook gets the events from now on. The answer has its secret, which
        no other call shows. docs/webhooks.md."""
        return self.request("POST", "/v1/webhooks", body=body, is_keyed=True, idempotency_key=idempotency_key).body

    def webhook(self, id: str) -> Webhook:
        """A webhook, and what its endpoint last said. Scope read."""
        return self.request("GET", f"/v1/webhooks/{encoded(id)}").body

    def change_webhook(self, id: str, body: WebhookChange, *, if_match: str | None = None) -> Webhook:
        """Change a webhook, or let one go on that is set aside. Scope admin. A request that is being tried keeps its events."""
        return self.request("PATCH", f"/v1/webhooks/{encoded(id)}", body=body, if_match=if_match).body

    def delete_webhook(self, id: str) -> None:
        """Delete a webhook. Scope admin. A request under way may still arrive."""
        self.request("DELETE", f"/v1/webhooks/{encoded(id)}").body

    def rotate_webhook(self, id: str, *, idempotency_key: str | None = None) -> Webhook:
        """Give a webhook another secret. Scope admin. For a day, requests are signed with the former one too."""
        return self.request("POST", f"/v1/webhooks/{encoded(id)}/rotate", is_keyed=True, idempotency_key=idempotency_key).body

    def replay_webhook(self, id: str, body: WebhookReplay, *, idempotency_key: str | None = None) -> Webhook:
        """Tell a webhook events again. Scope admin. From a time on, as far as events are kept; in requests with new ids."""
        return self.request(
            "POST", f"/v1/webhooks/{encoded(id)}/replay", body=body, is_keyed=True, idempotency_key=idempotency_key).body

    def test_webhook(self, id: str) -> Webhook:
        """Post a test event to a webhook. Scope admin. The event webhook.test comes after those that wait."""
        return self.request("POST", f"/v1/webhooks/{encoded(id)}/test", may_repeat=False).body
