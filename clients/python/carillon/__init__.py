"""A client of Carillon's HTTP API, with nothing but Python's standard library (3.11 or newer)."""

from .client import Carillon
from .errors import APIError, CarillonError, NoAnswerError, WebhookError
from .webhooks import verify_webhook

__all__ = ["APIError", "Carillon", "CarillonError", "NoAnswerError", "WebhookError", "verify_webhook"]
