"""A receiver of Carillon's webhooks: python3 webhook_receiver.py PORT, with the secret in WEBHOOK_SECRET.

It needs only Python's standard library. `verified` is what you take over into your own server.
"""

import base64
import hashlib
import hmac
import http.server
import json
import os
import sys
import time

TOLERANCE = 300  # seconds


def verified(secret, headers, body):
    """Returns the events of a request, or None if it is not Carillon's, or an old one that somebody repeats."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    identifier, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE:
        return None
    signed = f"{identifier}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # During a rotation there are two signatures.
    given = headers.get("webhook-signature", "").split(" ")
    if not any(hmac.compare_digest(each.encode(), expected.encode()) for each in given):
        return None
    return json.loads(body)["events"]


class Receiver(http.server.BaseHTTPRequestHandler):
    seen = set()  # in your server: a table, in one transaction with what you make of the events

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        events = verified(os.environ["WEBHOOK_SECRET"], self.headers, body)
        # A request may come twice, with an equal id.
        if events is not None and self.headers["webhook-id"] not in self.seen:
            self.seen.add(self.headers["webhook-id"])
            for event in events:
                print(event["type"], event.get("message", ""), event.get("user", ""), flush=True)
        self.send_response(401 if events is None else 204)
        self.end_headers()

    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
