"""A sender that pipelines, in raw frames: what it has under way crosses GOAWAY and REFUSED_STREAM on the wire.

Reads one JSON document from standard input: host, port, ca (PEM), authorization, topic, tokens, and
  rounds    how many times everything is sent,
  requests  how many in one write,
  chunk     after how many bytes each write is split, so that a GOAWAY falls between a stream's HEADERS and its DATA,
  cold      whether they are sent before anything has been answered, all heads before the first body.
Sends again, over a new connection where there was a GOAWAY, what is certain not to have been processed: refused streams
and those beyond a GOAWAY's last. Writes one JSON document, summed up over the rounds: accepted, refused, connections,
and problems (a stream up to the last that was not answered, one beyond it that was, another status or code, a connection
that ended without GOAWAY).
"""

import json
import sys

from conformance.wire import REFUSED, Connection, data, headers, request

BODY = b'{"aps":{"alert":"Hello"}}'


class Round:
    def __init__(self, setup, summary):
        self.setup, self.summary = setup, summary
        self.waiting = setup["requests"]

    def request(self, number):
        token = self.setup["tokens"][number % len(self.setup["tokens"])]
        fields = [
            ("authorization", self.setup["authorization"]),
            ("apns-topic", self.setup["topic"]),
            ("apns-push-type", "alert"),
        ]
        return request(path=f"/3/device/{token}", more=fields)

    def send(self, connection, streams):
        heads = [headers(stream, self.request(stream), end=False) for stream in streams]
        bodies = [data(stream, BODY) for stream in streams]
        if self.setup["cold"]:
            # All heads come before the first body, and so before the first answer.
            raw = b"".join(heads + bodies)
        else:
            raw = b"".join(head + body for head, body in zip(heads, bodies))
        chunk = self.setup["chunk"]
        for start in range(0, len(raw), chunk):
            connection.send(raw[start : start + chunk])

    def connect(self):
        self.summary["connections"] += 1
        connection, next_stream = Connection(self.setup), 1
        if not self.setup["cold"]:
            self.exchange(connection, [1])
            next_stream = 3
        while self.waiting and connection.goaway is None and not connection.closed:
            streams = list(range(next_stream, next_stream + 2 * self.waiting, 2))
            next_stream = streams[-1] + 2
            self.exchange(connection, streams)
        if connection.closed and connection.last is None:
            self.summary["problems"].append("the connection ended without GOAWAY")
        connection.close()

    def exchange(self, connection, streams):
        self.send(connection, streams)

        def is_over(seen):
            # Who is told of a GOAWAY waits for the streams up to its last, and for no other.
            due = [stream for stream in streams if seen.last is None or stream <= seen.last]
            return all(stream in seen.ended or stream in seen.resets for stream in due)

        if not connection.read_until(is_over):
            self.summary["problems"].append("streams that are due were not answered")
            self.waiting = 0
        for stream in streams:
            self.count(connection, stream)

    def count(self, connection, stream):
        if connection.statuses.get(stream) == "200":
            self.waiting -= 1
            self.summary["accepted"] += 1
            if connection.last is not None and stream > connection.last:
                self.summary["problems"].append(f"{stream} was answered, beyond the last, {connection.last}")
        elif connection.resets.get(stream) == REFUSED:
            self.summary["refused"] += 1
        elif connection.last is None or stream <= connection.last:
            seen = connection.statuses.get(stream), connection.resets.get(stream), connection.goaway
            self.summary["problems"].append(f"{stream} ended with status, reset, GOAWAY {seen}")
            self.waiting -= 1


def main():
    setup = json.load(sys.stdin)
    summary = {"accepted": 0, "refused": 0, "connections": 0, "problems": []}
    for _ in range(setup["rounds"]):
        one = Round(setup, summary)
        while one.waiting > 0 and len(summary["problems"]) < 10:
            one.connect()
    json.dump(summary, sys.stdout)


main()
