"""HTTP/2 by hand (RFC 9113): frames as bytes, and one connection over TLS that shows what comes back.

Only the header compression is somebody else's (hpack); no frame goes through a library that would refuse to send it.
"""

import socket
import ssl
import struct

import hpack

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, ACK, END_HEADERS, PADDED, PRIORITIZED = 0x1, 0x1, 0x4, 0x8, 0x20
NO_ERROR, PROTOCOL, INTERNAL, FLOW_CONTROL, SETTINGS_TIMEOUT, STREAM_CLOSED, FRAME_SIZE = range(7)
REFUSED, CANCEL, COMPRESSION, CONNECT, CALM = range(7, 12)
DEADLINE_SECONDS = 60


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def block(headers):
    """A header block that uses neither the dynamic table nor Huffman coding: its bytes depend on nothing before it."""
    return b"".join(
        b"\x00" + string(name.encode("latin-1")) + string(value.encode("latin-1")) for name, value in headers
    )


def string(text):
    return integer(len(text), 7) + text


def integer(value, bits, first=0):
    limit = (1 << bits) - 1
    if value < limit:
        return bytes([first | value])
    out, value = [first | limit], value - limit
    while value >= 128:
        out.append(value % 128 + 128)
        value //= 128
    return bytes(out + [value])


def request(method="POST", path="/3/device/00", more=(), without=()):
    """The header list of a request that is well formed; what it is answered does not matter here."""
    headers = [(":method", method), (":scheme", "https"), (":path", path), (":authority", "localhost")]
    return [pair for pair in headers if pair[0] not in without] + list(more)


def headers(stream, fields=None, end=True, flags=END_HEADERS, raw=None, prefix=b"", suffix=b""):
    payload = prefix + (block(request() if fields is None else fields) if raw is None else raw) + suffix
    return frame(HEADERS, flags | (END_STREAM if end else 0), stream, payload)


def continuation(stream, raw, flags=END_HEADERS):
    return frame(CONTINUATION, flags, stream, raw)


def data(stream, payload=b"{}", end=True, flags=0):
    return frame(DATA, flags | (END_STREAM if end else 0), stream, payload)


def settings(*pairs, flags=0, stream=0):
    return frame(SETTINGS, flags, stream, b"".join(struct.pack(">HI", name, value) for name, value in pairs))


def window_update(stream, increment):
    return frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", increment))


def priority(stream, depends_on=0, weight=15, exclusive=False):
    return frame(PRIORITY, 0, stream, dependency(depends_on, weight, exclusive))


def dependency(depends_on, weight=15, exclusive=False):
    return struct.pack(">IB", depends_on | (0x8000_0000 if exclusive else 0), weight)


def reset(stream, code=CANCEL):
    return frame(RST_STREAM, 0, stream, struct.pack(">I", code))


def ping(payload=b"carillon", flags=0, stream=0):
    return frame(PING, flags, stream, payload)


class Connection:
    """Reads frames and remembers what matters: settings, statuses, data, resets, GOAWAY, PING answers, the end."""

    def __init__(self, setup, preface=PREFACE, first_settings=()):
        context = ssl.create_default_context(cadata=setup["ca"])
        context.set_alpn_protocols(["h2"])
        raw = socket.create_connection((setup["host"], setup["port"]), timeout=DEADLINE_SECONDS)
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = context.wrap_socket(raw, server_hostname=setup["host"])
        self.bytes = b""
        self.decoder = hpack.Decoder()
        self.settings, self.acknowledged = None, 0
        self.statuses, self.data, self.ended = {}, {}, set()
        self.resets, self.goaway, self.last, self.pongs, self.closed = {}, None, None, [], False
        self.send(preface + (settings(*first_settings) if preface == PREFACE else b""))

    def send(self, raw):
        try:
            self.socket.sendall(raw)
        except OSError:
            pass  # The other side may be gone already; what it said before that is read below.

    def read_until(self, is_reached):
        while not is_reached(self) and not self.closed:
            try:
                received = self.socket.recv(65536)
            except TimeoutError:
                return False
            except OSError:
                received = b""
            if not received:
                self.closed = True
            self.bytes += received
            while len(self.bytes) >= 9 and len(self.bytes) >= 9 + self.next_length():
                length = self.next_length()
                kind, flags, stream = struct.unpack(">BBI", self.bytes[3:9])
                payload, self.bytes = self.bytes[9 : 9 + length], self.bytes[9 + length :]
                self.take(kind, flags, stream & 0x7FFF_FFFF, payload)
        return is_reached(self)

    def next_length(self):
        return int.from_bytes(self.bytes[:3], "big")

    def take(self, kind, flags, stream, payload):
        if kind == SETTINGS and flags & ACK:
            self.acknowledged += 1
        elif kind == SETTINGS:
            self.settings = dict(struct.iter_unpack(">HI", payload))
            self.send(settings(flags=ACK))
        elif kind == PING and flags & ACK:
            self.pongs.append(payload)
        elif kind == HEADERS:
            self.statuses[stream] = dict(self.decoder.decode(payload)).get(":status")
        elif kind == DATA:
            self.data[stream] = self.data.get(stream, b"") + payload
        elif kind == RST_STREAM:
            self.resets[stream] = struct.unpack(">I", payload)[0]
        elif kind == GOAWAY:
            self.last, self.goaway = struct.unpack(">II", payload[:8])
        if kind in (HEADERS, DATA) and flags & END_STREAM:
            self.ended.add(stream)

    def close(self):
        self.socket.close()
