"""Requests that the service posts to you, verified as Standard Webhooks says."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from .errors import WebhookError

if TYPE_CHECKING:
    from .types import FeedEvent

TOLERANCE = 300.0


def verify_webhook(
    secrets: str | Iterable[str], headers: Mapping[str, str], body: bytes, *, tolerance: float = TOLERANCE, now: float | None = None
) -> list[FeedEvent]:
    """Returns the events of a request.

    - secrets: `whsec_…`, or several during a rotation.
    - headers: those of the request, in any spelling. `webhook-id` is the same when the request comes again: remember it.
    - body: the bytes as they came, not parsed and written again.
    - tolerance: the seconds by which the request's time may differ from `now`, which is the clock's time by default.

    Raises WebhookError if the request is not signed with one of the secrets, or is not of this time.
    """
    given = {name.lower(): value for name, value in headers.items()}
    identifier, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if not identifier or not (timestamp.isascii() and timestamp.isdigit()) or len(timestamp) > 15:
        raise WebhookError("the request has no webhook-id, or no webhook-timestamp in seconds")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookError("the request is of another time: an old one that is repeated, or a clock is wrong")
    signatures = given.get("webhook-signature", "").split(" ")
    signed = f"{identifier}.{timestamp}.".encode() + body
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        mac = hmac.new(_key(secret), signed, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(mac)
        if any(hmac.compare_digest(each.encode(), expected) for each in signatures):
            return _events(body)
    raise WebhookError("no signature of the request is of this secret")


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise ValueError("a webhook's secret is whsec_ and base64, as the call that made the webhook has answered it")
    return key


def _events(body: bytes) -> list[FeedEvent]:
    try:
        return json.loads(body)["events"]
    except (ValueError, KeyError, TypeError):
        raise WebhookError("the request is signed and has no events") from None
