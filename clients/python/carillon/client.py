"""How a call is made: one request after the other, until there is an answer that counts."""

from __future__ import annotations

import email.utils
import http.client
import json
import random
import re
import ssl
import threading
import time
import urllib.parse
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any

from .calls import Calls
from .errors import APIError, NoAnswerError
from .types import EventPage, EventType, FeedEvent, ImportReport

#: The statuses after which a call that may be repeated is made again.
PASSING = frozenset({408, 429, 500, 502, 503, 504})
#: The seconds before the first repetition and the most before a later one, where the service says nothing.
FIRST_WAIT, LONGEST_BACKOFF = 0.5, 8.0
#: The seconds for which an idle connection is kept. The service closes it after 75.
IDLE = 30.0
EXCERPT = 200


@dataclass
class Answer:
    """An answer of the service with a status of 2xx."""

    status: int
    headers: http.client.HTTPMessage
    body: Any

    @property
    def etag(self) -> str | None:
        """The entity tag of the settings in the answer, for `if_match`."""
        return self.headers.get("ETag")


class Carillon(Calls):
    """A client of one service. It may be used by several threads.

    - url: where the service is, such as `https://push.example.com`.
    - key: an API key, of `carillon api-keys create`.
    - topic: the app's bundle id; needed where the key is for several apps.
    - timeout: the seconds for one attempt, until its answer is complete. The default is 30.
    - attempts: how often a call is made at most, if it may be repeated. The default is 4.
    - longest_wait: the most seconds between two attempts. Where `Retry-After` asks for more, the error is raised. The default is 60.
    - ssl_context: whom to trust; the system's certificates by default.
    """

    def __init__(
        self, url: str, key: str, *, topic: str | None = None, timeout: float = 30.0, attempts: int = 4,
        longest_wait: float = 60.0, ssl_context: ssl.SSLContext | None = None,
    ):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment or "@" in parts.netloc:
            raise ValueError("url must be like https://push.example.com, with no user, query or fragment")
        if not re.fullmatch(r"[A-Za-z0-9._~+/=-]+", key):
            raise ValueError("key must be an API key, without spaces and line ends")
        if attempts < 1 or timeout <= 0:
            raise ValueError("attempts must be 1 or more, and timeout more than 0 seconds")
        self._parts, self._host, self._key, self._topic = parts, parts.hostname, key, topic
        self._timeout, self._attempts, self._longest_wait = timeout, attempts, longest_wait
        self._ssl = ssl_context or (ssl.create_default_context() if parts.scheme == "https" else None)
        self._idle: list[tuple[float, http.client.HTTPConnection]] = []
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Carillon({self._parts.scheme}://{self._parts.netloc}{self._parts.path})"

    def __enter__(self) -> Carillon:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes idle connections. The client can be used further."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    def import_devices(
        self, content: bytes | IO[bytes], *, format: str = "csv", environment: str | None = None, after_line: int | None = None,
        timeout: float = 600.0,
    ) -> ImportReport:
        """Import devices that another provider knew (docs/import.md). Scope users. A file that comes again changes nothing.

        - content: bytes, or a file that is open for reading bytes.
        - format: csv or ndjson.
        - environment: for records that name none; production by default.
        - after_line: goes on behind that line of the file, the `line` of an earlier report.
        """
        types = {"csv": "text/csv", "ndjson": "application/x-ndjson"}
        return self.request(
            "POST", "/v1/devices/import", content=content, content_type=types[format], timeout=timeout,
            query={"environment": environment, "after_line": after_line}).body

    def follow(
        self, after: str | None = None, *, types: list[EventType] | None = None, texts: bool | None = None, wait: float | None = 2.0
    ) -> Iterator[FeedEvent]:
        """Yields events, and goes on as they happen, looking every `wait` seconds; with `wait=None` it ends behind the newest.

        Store the `id` of an event together with what you made of it: it is the `after` of the next start. Where few events are
        of your `types`, use `follow_pages`, whose `next` also passes the others.
        """
        for page in self.follow_pages(after, types=types, texts=texts, wait=wait):
            yield from page["events"]

    def follow_pages(
        self, after: str | None = None, *, types: list[EventType] | None = None, texts: bool | None = None, wait: float | None = 2.0
    ) -> Iterator[EventPage]:
        """Yields pages of events as `follow` does. Store the `next` of a page: it is the `after` of the next start."""
        while True:
            page = self.events(after=after, types=types, texts=texts, limit=1000)
            yield page
            if page["next"] == after:
                if wait is None:
                    return
                time.sleep(wait)
            after = page["next"]

    def request(
        self, method: str, path: str, *, query: Mapping[str, Any] | None = None, body: Any = None,
        content: bytes | IO[bytes] | None = None, content_type: str = "application/json", is_keyed: bool = False,
        may_repeat: bool = True, takes_topic: bool = True, idempotency_key: str | None = None, if_match: str | None = None, timeout: float | None = None,
    ) -> Answer:
        """Makes any call of the API, also one that this client has no method for.

        - path: with each part encoded, such as `/v1/users/a%2Fb`.
        - query: members that are None are left out.
        - body: a value that is sent as JSON. Instead, `content` has bytes or an open file, of the type `content_type`.
        - is_keyed: sends an `Idempotency-Key`, the same one in each attempt, if `idempotency_key` has none.
        - may_repeat: whether the call may be made again although it may have been made. One with `if_match` never is.
        - takes_topic: whether the client's topic goes into the query: calls that do not name it refuse it.

        Raises APIError, or NoAnswerError.
        """
        headers = {
            "Authorization": f"Bearer {self._key}", "Accept": "application/json", "User-Agent": "carillon-python/1"}
        if body is not None:
            content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
        if content is not None:
            headers["Content-Type"] = content_type
        if is_keyed or idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if if_match is not None:
            headers["If-Match"] = if_match
            may_repeat = False
        file = None if content is None or isinstance(content, bytes) else content
        start = _start(file) if file is not None else 0
        target = self._target(path, query, takes_topic)
        is_lost = False
        for attempt in range(1, self._attempts + 1):
            is_last = attempt == self._attempts
            if file is not None:
                file.seek(start)
            try:
                status, answered, raw = self._attempt(method, target, headers, content, timeout or self._timeout)
            except _NotSentError as error:
                if is_last:
                    raise self._no_answer(method, path, error.__cause__) from error.__cause__
                wait = None
            except (OSError, http.client.HTTPException) as error:
                if is_last or not may_repeat:
                    raise self._no_answer(method, path, error) from error
                is_lost, wait = True, None
            else:
                if is_lost and method == "DELETE" and status == 404:
                    return Answer(204, answered, None)  # the attempt without an answer has deleted it
                failure, body_read = self._read(status, answered, raw)
                if failure is None:
                    return Answer(status, answered, body_read)
                wait = failure.retry_after
                repeats = status in PASSING and (may_repeat or status == 429)
                if is_last or not repeats or (wait is not None and wait > self._longest_wait):
                    raise failure
            time.sleep(_backoff(attempt, wait))
        raise AssertionError("the last attempt returns or raises")

    def _target(self, path: str, query: Mapping[str, Any] | None, takes_topic: bool) -> str:
        # A space is %20 here: a plus is a plus.
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        if self._topic is not None and takes_topic:
            given.setdefault("topic", self._topic)
        return self._parts.path.rstrip("/") + path + ("?" + urllib.parse.urlencode(given, quote_via=urllib.parse.quote, safe="") if given else "")

    def _attempt(
        self, method: str, target: str, headers: dict[str, str], content: bytes | IO[bytes] | None, timeout: float
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Makes one request. Redirects are not followed: the key is for this address only."""
        end = time.monotonic() + timeout
        connection = self._connection(timeout)
        is_reusable = False
        try:
            if connection.sock is None:
                try:
                    connection.connect()
                except OSError as error:
                    raise _NotSentError from error
            connection.sock.settimeout(timeout)
            connection.request(method, target, content, headers)
            answer = connection.getresponse()
            pieces = []
            while piece := answer.read1(1 << 16):
                pieces.append(piece)
                if (left := end - time.monotonic()) <= 0:
                    raise TimeoutError("the answer was not complete in time")
                if connection.sock is not None:
                    connection.sock.settimeout(left)
            raw = b"".join(pieces)
            if answer.length:
                raise http.client.IncompleteRead(raw, answer.length)
            answer.close()  # otherwise the connection takes no further request
            is_reusable = not answer.will_close
            return answer.status, answer.headers, raw
        finally:
            if is_reusable:
                with self._lock:
                    self._idle.append((time.monotonic(), connection))
            else:
                connection.close()

    def _connection(self, timeout: float) -> http.client.HTTPConnection:
        with self._lock:
            while self._idle:
                since, connection = self._idle.pop()
                if time.monotonic() - since < IDLE:
                    return connection
                connection.close()
        if self._parts.scheme == "https":
            return http.client.HTTPSConnection(self._host, self._parts.port, timeout=timeout, context=self._ssl)
        return http.client.HTTPConnection(self._host, self._parts.port, timeout=timeout)

    def _read(self, status: int, headers: http.client.HTTPMessage, raw: bytes) -> tuple[APIError | None, Any]:
        """Returns the error of an answer, or what a successful one has."""
        try:
            value = json.loads(raw) if raw else None
        except ValueError:
            value = _UNREADABLE
        if 200 <= status < 300 and value is not _UNREADABLE:
            return None, value
        retry_after = _retry_after(headers)
        if isinstance(value, dict) and isinstance(value.get("type"), str) and status >= 400:
            kind, title, detail = (self._without_key(str(value.get(name, ""))) for name in ("type", "title", "detail"))
            return APIError(status, kind, title, detail, value.get("pointer"), retry_after), None
        return self._foreign(status, headers, raw, retry_after), None

    def _foreign(self, status: int, headers: http.client.HTTPMessage, raw: bytes, retry_after: float | None) -> APIError:
        if 300 <= status < 400:
            place = self._without_key(headers.get("Location", "nowhere"))[:EXCERPT]
            detail = f"redirected to {place}, which is not followed: give the client the service's own address"
        else:
            kind = headers.get("Content-Type", "no type")
            begin = self._without_key(" ".join(raw.decode(errors="replace").split()))[:EXCERPT]
            detail = f"the answer is no JSON of Carillon, but {kind}, as of a proxy in between: {begin}"
        return APIError(status, "about:blank", http.client.responses.get(status, "An answer"), detail, None, retry_after)

    def _no_answer(self, method: str, path: str, error: BaseException | None) -> NoAnswerError:
        text = self._without_key(f"{type(error).__name__}: {error}")
        return NoAnswerError(f"{method} {path} at {self._parts.scheme}://{self._parts.netloc} had no answer: {text}")

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "…")


class _NotSentError(Exception):
    """There was no connection, so nothing was sent."""


_UNREADABLE = object()


def _start(content: IO[bytes]) -> int:
    if not content.seekable():
        raise ValueError("the file cannot be read again from its beginning: give one that can, or bytes")
    return content.tell()


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, (list, tuple)) else str(value)


def _retry_after(headers: http.client.HTTPMessage) -> float | None:
    """The seconds of `Retry-After`: a number, or a date by the clock of whoever answers."""
    value = headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        then = email.utils.parsedate_to_datetime(value)
        now = headers.get("Date")
        base = email.utils.parsedate_to_datetime(now).timestamp() if now else time.time()
        return max(0.0, then.timestamp() - base)
    except (TypeError, ValueError):
        return None


def _backoff(attempt: int, asked: float | None) -> float:
    if asked is not None:
        return asked
    return min(LONGEST_BACKOFF, FIRST_WAIT * 2 ** (attempt - 1)) * random.uniform(0.5, 1.0)
