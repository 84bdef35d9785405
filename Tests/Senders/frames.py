"""A foreign sender that shows every HTTP/2 event: for what an HTTP client hides.

Reads one JSON document from standard input: host, port, ca (PEM), authorization, alpn (true or false), steps.
A step is one of:
  {"send": [request, ...]}   all requests in one write; a request has path, headers (pairs), body, authorized (true)
  {"open": [request, ...]}   only the heads of the requests, in one write; "finish" sends the bodies
  {"finish": true}
  {"raw": "hex"}             these bytes, past the HTTP/2 library
  {"reset": stream id}       RST_STREAM with CANCEL
  {"cut": true}              ends the connection with a TCP reset
  {"await": "settings"}      until a SETTINGS frame has come
  {"await": "streams"}       until every stream has ended, or the connection has
  {"await": "closed"}        until the connection has ended
  {"await": "goaway"}        until a GOAWAY has come, or the connection has ended
  {"await": n}               until n streams have ended, or the connection has
Writes one JSON document: the list of events, as dictionaries with a "type".
"""

import json
import socket
import ssl
import struct
import sys

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import h2.settings

DEADLINE_SECONDS = 60


class Sender:
    def __init__(self, setup):
        self.setup = setup
        context = ssl.create_default_context(cadata=setup["ca"])
        if setup.get("alpn", True):
            context.set_alpn_protocols(["h2"])
        raw = socket.create_connection((setup["host"], setup["port"]), timeout=DEADLINE_SECONDS)
        self.socket = context.wrap_socket(raw, server_hostname=setup["host"])
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
        self.h2.initiate_connection()
        self.events = [{"type": "tls", "alpn": self.socket.selected_alpn_protocol(), "version": self.socket.version()}]
        self.open = set()
        self.bodies = {}
        self.ended = 0
        self.closed = False
        self.flush()

    def flush(self):
        data = self.h2.data_to_send()
        if data:
            try:
                self.socket.sendall(data)
            except OSError:
                pass

    def send(self, requests):
        for request in requests:
            self.start([request])
            self.finish()
        self.flush()

    def start(self, requests):
        for request in requests:
            stream = self.h2.get_next_available_stream_id()
            headers = [
                (":method", request.get("method", "POST")),
                (":scheme", "https"),
                (":path", request["path"]),
                (":authority", self.setup["host"]),
            ]
            headers += [tuple(pair) for pair in request.get("headers", [])]
            if request.get("authorized", True):
                headers.append(("authorization", self.setup["authorization"]))
            self.h2.send_headers(stream, headers)
            self.open.add(stream)
            self.bodies[stream] = request.get("body", "").encode()

    def finish(self):
        for stream in sorted(self.open & self.bodies.keys()):
            self.h2.send_data(stream, self.bodies.pop(stream), end_stream=True)

    def end(self, stream):
        if stream in self.open:
            self.open.discard(stream)
            self.ended += 1

    def note(self, event):
        if isinstance(event, h2.events.RemoteSettingsChanged):
            settings = {int(change.setting): change.new_value for change in event.changed_settings.values()}
            self.events.append({"type": "settings", "values": {str(name): value for name, value in settings.items()}})
        elif isinstance(event, h2.events.ResponseReceived):
            self.events.append({"type": "headers", "stream": event.stream_id, "headers": dict(event.headers)})
        elif isinstance(event, h2.events.DataReceived):
            self.events.append({"type": "data", "stream": event.stream_id, "text": event.data.decode()})
        elif isinstance(event, h2.events.StreamEnded):
            self.end(event.stream_id)
        elif isinstance(event, h2.events.StreamReset):
            self.end(event.stream_id)
            self.events.append({"type": "reset", "stream": event.stream_id, "code": int(event.error_code)})
        elif isinstance(event, h2.events.ConnectionTerminated):
            text = (event.additional_data or b"").decode(errors="replace")
            self.events.append(
                {"type": "goaway", "last": event.last_stream_id, "code": int(event.error_code), "text": text}
            )

    def receive(self):
        try:
            data = self.socket.recv(65536)
        except OSError:
            data = b""
        if not data:
            self.closed = True
            self.events.append({"type": "closed"})
            return
        try:
            # Byte by byte, so that a frame that the library will not have loses no event before it.
            for byte in data:
                for event in self.h2.receive_data(bytes([byte])):
                    self.note(event)
        except h2.exceptions.ProtocolError:
            # The library takes nothing more after a GOAWAY, not even the RST_STREAM of a stream beyond it.
            if not any(event["type"] == "goaway" for event in self.events):
                raise
        self.flush()

    def wait(self, goal):
        def is_reached():
            if self.closed:
                return True
            if goal == "settings":
                return any(event["type"] == "settings" for event in self.events)
            if goal == "goaway":
                return any(event["type"] == "goaway" for event in self.events)
            if goal == "streams":
                return not self.open
            return goal not in ("closed", "goaway") and self.ended >= goal

        while not is_reached():
            self.receive()

    def run(self):
        for step in self.setup["steps"]:
            if "send" in step:
                self.send(step["send"])
            elif "open" in step:
                self.start(step["open"])
                self.flush()
            elif "finish" in step:
                self.finish()
                self.flush()
            elif "raw" in step:
                self.socket.sendall(bytes.fromhex(step["raw"]))
            elif "reset" in step:
                self.h2.reset_stream(step["reset"], error_code=8)
                self.end(step["reset"])
                self.flush()
            elif "cut" in step:
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.socket.close()
            else:
                self.wait(step["await"])
        return self.events


json.dump(Sender(json.load(sys.stdin)).run(), sys.stdout)
