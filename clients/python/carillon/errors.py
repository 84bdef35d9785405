"""What goes wrong, in a form to decide by."""

from __future__ import annotations

PREFIX = "urn:carillon:problem:"


class CarillonError(Exception):
    """All errors of this package."""


class NoAnswerError(CarillonError):
    """No complete answer came: the service is away, too slow, or the connection broke. The call may have been made or not."""


class WebhookError(CarillonError):
    """A request is not a webhook of this service, or it is an old one that somebody repeats. Answer 401."""


class APIError(CarillonError):
    """An answer that is no success.

    Decide by `type`, which never changes (docs/errors.md), or by `name`, its last part.
    """

    #: The HTTP status. 200 if the answer of a successful call could not be read, as of a proxy's page.
    status: int
    #: Such as `urn:carillon:problem:no-such-message`; `about:blank` for an answer of a proxy in between.
    type: str
    #: The kind of error in words.
    title: str
    #: What was wrong in this call, and what to do.
    detail: str
    #: The place in the body, as a JSON pointer.
    pointer: str | None
    #: The seconds after which the service says to try again.
    retry_after: float | None

    def __init__(
        self, status: int, type: str, title: str, detail: str, pointer: str | None = None, retry_after: float | None = None
    ):
        self.status, self.type, self.title, self.detail = status, type, title, detail
        self.pointer, self.retry_after = pointer, retry_after
        place = f" (at {pointer})" if pointer else ""
        super().__init__(f"{status} {self.name or 'not of Carillon'}: {title}: {detail}{place}")

    @property
    def name(self) -> str | None:
        """The last part of `type`, such as `no-such-message`; None for an answer of a proxy in between."""
        return self.type.removeprefix(PREFIX) if self.type.startswith(PREFIX) else None
