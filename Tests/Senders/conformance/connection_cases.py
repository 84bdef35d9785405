"""Starting, framing, stream states, priorities and errors: RFC 9113 sections 3 to 5."""

from expectations import *
from table import *
from wire import *

FIRST, SECOND = split(2)
THIRDS = split(3)

# 3.4 Connection preface
case("3.4", "a valid preface is answered with SETTINGS", reached(greeted, "SETTINGS"))
case("3.4", "a wrong preface ends the connection", closed(), preface=b"INVALID CONNECTION PREFACE\r\n\r\n")
case("3.4", "a preface without SETTINGS is a connection error", goaway(PROTOCOL), preface=PREFACE + ping())
case("3.4", "HTTP/1.1 ends the connection", closed(), preface=b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")

# 4.1 Frame format
case("4.1", "a frame of unknown type is ignored", alive(), frame(0xEE, 0, 0, b"12345678"), PROVE)
case("4.1", "undefined flags are ignored", alive(), ping(flags=0x16), PROVE)
case("4.1", "the reserved bit of a stream identifier is ignored", alive(), ping(stream=0x8000_0000), PROVE)

# 4.2 Frame size
case("4.2", "DATA of 2^14 bytes is taken", answered(1), headers(1, end=False), data(1, b" " * 16384))
case(
    "4.2",
    "DATA beyond SETTINGS_MAX_FRAME_SIZE",
    stream_error(1, FRAME_SIZE),
    settled,
    headers(1, end=False),
    data(1, b" " * 16385),
)
case(
    "4.2",
    "HEADERS beyond SETTINGS_MAX_FRAME_SIZE",
    goaway(FRAME_SIZE),
    headers(1, request(more=[(f"x-{n}", "y" * 4000) for n in range(5)])),
)
case("4.2", "a frame of 2^24 - 1 bytes", goaway(FRAME_SIZE), b"\xff\xff\xff" + frame(PING, 0, 0)[3:])

# 4.3 Field sections
case("4.3", "a field block that cannot be decoded", goaway(COMPRESSION), headers(1, raw=b"\x40"))
case("4.3", "PRIORITY within a field block", goaway(PROTOCOL), headers(1, raw=FIRST, flags=0), priority(1))
case(
    "4.3",
    "HEADERS of another stream within a field block",
    goaway(PROTOCOL),
    headers(1, raw=FIRST, flags=0),
    headers(3),
)

# 5.1 Stream states
case("5.1", "idle: DATA", goaway(PROTOCOL), data(1))
case("5.1", "idle: RST_STREAM", goaway(PROTOCOL), reset(1))
case("5.1", "idle: WINDOW_UPDATE", goaway(PROTOCOL), window_update(1, 100))
case("5.1", "idle: CONTINUATION", goaway(PROTOCOL), continuation(1, SECOND))
case("5.1", "idle: PRIORITY is taken", alive(), priority(1), PROVE)
case("5.1", "half closed (remote): DATA", stream_error(1, STREAM_CLOSED), headers(1), status(1), data(1), **STALLED)
case(
    "5.1",
    "half closed (remote): HEADERS",
    stream_error(1, STREAM_CLOSED),
    headers(1),
    status(1),
    headers(1),
    **STALLED,
)
case(
    "5.1",
    "half closed (remote): CONTINUATION",
    goaway(STREAM_CLOSED, PROTOCOL),
    headers(1),
    status(1),
    continuation(1, SECOND),
    **STALLED,
)
case(
    "5.1",
    "half closed (remote): WINDOW_UPDATE is taken",
    answered(1),
    headers(1),
    status(1),
    window_update(1, 1000),
    **STALLED,
)
case("5.1", "half closed (remote): PRIORITY is taken", alive(), headers(1), status(1), priority(1), PROVE, **STALLED)
case("5.1", "half closed (remote): RST_STREAM is taken", alive(), headers(1), status(1), reset(1), PROVE, **STALLED)
case("5.1", "closed by RST_STREAM: DATA", stream_error(1, STREAM_CLOSED), headers(1, end=False), reset(1), data(1))
case(
    "5.1", "closed by RST_STREAM: HEADERS", stream_error(1, STREAM_CLOSED), headers(1, end=False), reset(1), headers(1)
)
case(
    "5.1",
    "closed by RST_STREAM: CONTINUATION",
    goaway(STREAM_CLOSED, PROTOCOL),
    headers(1, end=False),
    reset(1),
    continuation(1, SECOND),
)
case("5.1", "closed: DATA", stream_error(1, STREAM_CLOSED), headers(1), ended(1), data(1))
case("5.1", "closed: HEADERS", goaway(STREAM_CLOSED), headers(1), ended(1), headers(1))
case("5.1", "closed: CONTINUATION", goaway(STREAM_CLOSED, PROTOCOL), headers(1), ended(1), continuation(1, SECOND))
case("5.1", "closed: PRIORITY is taken", alive(), headers(1), ended(1), priority(1), PROVE)
case("5.1", "closed: WINDOW_UPDATE is taken for a while", alive(), headers(1), ended(1), window_update(1, 10), PROVE)
case("5.1", "closed: RST_STREAM is taken for a while", alive(), headers(1), ended(1), reset(1), PROVE)

# 5.1.1 Stream identifiers, 5.1.2 Concurrency
case("5.1.1", "an even stream identifier", goaway(PROTOCOL), headers(2))
case("5.1.1", "a stream identifier below an earlier one", goaway(PROTOCOL), headers(5), ended(5), headers(3))
case(
    "5.1.2",
    "more streams than the limit",
    stream_error(3, PROTOCOL, REFUSED),
    settled,
    headers(1, end=False),
    headers(3, end=False),
)

# 5.3 Prioritization (deprecated by RFC 9113, still to be read without harm), 5.4 Errors, 5.5 Extensions
case("5.3", "HEADERS with a dependency", answered(1), headers(1, flags=END_HEADERS | PRIORITIZED, prefix=dependency(0)))
case("5.3", "PRIORITY of the highest weight, exclusive", alive(), priority(1, 0, 255, True), PROVE)
case("5.3", "PRIORITY on one idle stream, then HEADERS on a lower one", answered(1), priority(9), headers(1))
case(
    "5.3",
    "HEADERS that depend on their own stream",
    stream_error(1, PROTOCOL),
    headers(1, flags=END_HEADERS | PRIORITIZED, prefix=dependency(1)),
)
case("5.3", "PRIORITY that depends on its own stream", stream_error(1, PROTOCOL), headers(1, end=False), priority(1, 1))
case("5.4.1", "a connection error is said with GOAWAY, then the connection ends", goaway(FRAME_SIZE), ping(b"1234567"))
case("5.5", "an unknown frame on a stream is ignored", answered(1), frame(0x16, 0, 1, b"x"), headers(1))
case(
    "5.5",
    "an unknown frame within a field block",
    goaway(PROTOCOL),
    headers(1, raw=FIRST, flags=0),
    frame(0x16, 0, 1, b"x"),
)
