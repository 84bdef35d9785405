"""Each type of frame, and error codes: RFC 9113 sections 6 and 7."""

from expectations import *
from table import *
from wire import *

FIRST, SECOND = split(2)
THIRDS = split(3)

# 6.1 DATA
case("6.1", "several DATA", answered(1), headers(1, end=False), data(1, b"{", False), data(1, b"}"))
case("6.1", "DATA with padding", answered(1), headers(1, end=False), data(1, b"\x05{}" + bytes(5), flags=PADDED))
case("6.1", "DATA on stream 0", goaway(PROTOCOL), data(0))
case(
    "6.1",
    "DATA with more padding than payload",
    goaway(PROTOCOL),
    headers(1, end=False),
    data(1, b"\x06{}", flags=PADDED),
)
case("6.1", "DATA of no bytes", answered(1), headers(1, end=False), data(1, b""))

# 6.2 HEADERS
case("6.2", "HEADERS alone", answered(1), headers(1))
case(
    "6.2", "HEADERS with padding", answered(1), headers(1, flags=END_HEADERS | PADDED, prefix=b"\x08", suffix=bytes(8))
)
case("6.2", "HEADERS on stream 0", goaway(PROTOCOL), headers(0))
case(
    "6.2",
    "HEADERS with more padding than payload",
    goaway(PROTOCOL),
    headers(1, flags=END_HEADERS | PADDED, prefix=b"\xff"),
)
case(
    "6.2",
    "HEADERS without END_HEADERS, then DATA",
    goaway(PROTOCOL),
    headers(1, raw=FIRST, flags=0, end=False),
    data(1),
)

# 6.3 PRIORITY
case("6.3", "PRIORITY on stream 0", goaway(PROTOCOL), priority(0))
case("6.3", "PRIORITY of 4 bytes", stream_error(1, FRAME_SIZE), headers(1, end=False), frame(PRIORITY, 0, 1, bytes(4)))

# 6.4 RST_STREAM
case("6.4", "RST_STREAM of an open stream", alive(), headers(1, end=False), reset(1), PROVE)
case("6.4", "RST_STREAM on stream 0", goaway(PROTOCOL), reset(0))
case("6.4", "RST_STREAM of 3 bytes", goaway(FRAME_SIZE), headers(1, end=False), frame(RST_STREAM, 0, 1, bytes(3)))

# 6.5 SETTINGS
case(
    "6.5",
    "SETTINGS are acknowledged",
    reached(lambda connection: connection.acknowledged == 2, "two ACKs"),
    settings((3, 100)),
)
case("6.5", "SETTINGS with ACK and a payload", goaway(FRAME_SIZE), settings((3, 100), flags=ACK))
case("6.5", "SETTINGS on a stream", goaway(PROTOCOL), settings((3, 100), stream=1))
case("6.5", "SETTINGS of 3 bytes", goaway(FRAME_SIZE), frame(SETTINGS, 0, 0, bytes(3)))
case("6.5.2", "ENABLE_PUSH of 2", goaway(PROTOCOL), settings((2, 2)))
case("6.5.2", "INITIAL_WINDOW_SIZE beyond 2^31 - 1", goaway(FLOW_CONTROL), settings((4, 1 << 31)))
case("6.5.2", "MAX_FRAME_SIZE below 2^14", goaway(PROTOCOL), settings((5, 16383)))
case("6.5.2", "MAX_FRAME_SIZE beyond 2^24 - 1", goaway(PROTOCOL), settings((5, 1 << 24)))
case("6.5.2", "an unknown parameter is ignored", alive(), settings((0xFF, 1)), PROVE)
case(
    "6.5.3",
    "the last of two values of one parameter holds",
    reached(lambda connection: connection.data.get(1) == b"{", "one byte of the body"),
    settings((4, 100), (4, 1)),
    lambda connection: connection.acknowledged == 2,
    headers(1),
)

# 6.6 PUSH_PROMISE, 6.7 PING, 6.8 GOAWAY
case(
    "6.6",
    "PUSH_PROMISE from a client",
    goaway(PROTOCOL),
    headers(1, end=False),
    frame(PUSH_PROMISE, END_HEADERS, 1, b"\x00\x00\x00\x03" + block(request())),
)
case("6.7", "PING is answered with its payload", alive(), PROVE)
case("6.7", "PING with ACK is not answered", alive(), ping(b"answer!!", flags=ACK), PROVE)
case("6.7", "PING on a stream", goaway(PROTOCOL), ping(stream=1))
case("6.7", "PING of 6 bytes", goaway(FRAME_SIZE), ping(b"123456"))
case("6.8", "GOAWAY on a stream", goaway(PROTOCOL), frame(GOAWAY, 0, 1, bytes(8)))
case(
    "6.8",
    "GOAWAY leaves what is under way alone",
    answered(1),
    headers(1, end=False),
    frame(GOAWAY, 0, 0, bytes(8)),
    data(1),
)
case("6.8", "GOAWAY of 7 bytes", goaway(FRAME_SIZE), frame(GOAWAY, 0, 0, bytes(7)))

# 6.9 WINDOW_UPDATE
case("6.9", "WINDOW_UPDATE of the connection", alive(), window_update(0, 1), PROVE)
case("6.9", "WINDOW_UPDATE of 0 for the connection", goaway(PROTOCOL), window_update(0, 0))
case("6.9", "WINDOW_UPDATE of 0 for a stream", stream_error(1, PROTOCOL), headers(1, end=False), window_update(1, 0))
case("6.9", "WINDOW_UPDATE of 3 bytes", goaway(FRAME_SIZE), frame(WINDOW_UPDATE, 0, 0, bytes(3)))
case(
    "6.9.1",
    "no more is sent than the stream's window allows",
    reached(lambda connection: connection.data.get(1) == b"{", "one byte of the body"),
    headers(1),
    first_settings=[(4, 1)],
)
case(
    "6.9.1",
    "the connection's window beyond 2^31 - 1",
    goaway(FLOW_CONTROL),
    window_update(0, (1 << 31) - 1),
    window_update(0, 1),
)
case(
    "6.9.1",
    "a stream's window beyond 2^31 - 1",
    stream_error(1, FLOW_CONTROL),
    headers(1, end=False),
    window_update(1, (1 << 31) - 1),
    window_update(1, 1),
)
case(
    "6.9.2",
    "INITIAL_WINDOW_SIZE changes the windows of open streams",
    reached(lambda connection: connection.data.get(1) == b"{", "one byte of the body"),
    headers(1),
    status(1),
    settings((4, 1)),
    **STALLED,
)
case(
    "6.9.2",
    "a window may become negative, and is honoured then",
    reached(lambda connection: connection.data.get(1) == b'{"r', "three bytes in the end"),
    headers(1),
    lambda connection: connection.data.get(1) == b'{"',
    settings((4, 1)),
    lambda connection: connection.acknowledged == 2,
    window_update(1, 2),
    first_settings=[(4, 2)],
)

# 6.10 CONTINUATION
case("6.10", "one CONTINUATION", answered(1), headers(1, raw=FIRST, flags=0), continuation(1, SECOND))
case(
    "6.10",
    "two CONTINUATION",
    answered(1),
    headers(1, raw=THIRDS[0], flags=0),
    continuation(1, THIRDS[1], 0),
    continuation(1, THIRDS[2]),
)
case(
    "6.10",
    "CONTINUATION, then DATA before the block is whole",
    goaway(PROTOCOL),
    headers(1, raw=THIRDS[0], flags=0, end=False),
    continuation(1, THIRDS[1], 0),
    data(1),
)
case("6.10", "CONTINUATION on stream 0", goaway(PROTOCOL), headers(1, raw=FIRST, flags=0), continuation(0, SECOND))
case("6.10", "CONTINUATION after END_HEADERS", goaway(PROTOCOL), headers(1, end=False), continuation(1, SECOND))
case(
    "6.10",
    "CONTINUATION after a CONTINUATION with END_HEADERS",
    goaway(PROTOCOL),
    headers(1, raw=FIRST, flags=0, end=False),
    continuation(1, SECOND),
    continuation(1, SECOND),
)
case(
    "6.10",
    "CONTINUATION after DATA",
    goaway(PROTOCOL),
    headers(1, end=False),
    data(1, b"{}", False),
    continuation(1, SECOND),
)
case(
    "6.10", "CONTINUATION of another stream", goaway(PROTOCOL), headers(1, raw=FIRST, flags=0), continuation(3, SECOND)
)

# 7 Error codes
case("7", "GOAWAY with an unknown code", alive(), frame(GOAWAY, 0, 0, bytes(4) + b"\x00\x00\x00\xff"), PROVE)
case("7", "RST_STREAM with an unknown code", alive(), headers(1, end=False), reset(1, 0xFF), PROVE)
