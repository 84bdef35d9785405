"""The table of cases: (section, title, expectation, steps, options of the connection).

They are those of h2spec's suites "generic", "http2" and "hpack", written anew from the RFCs and with stricter
expectations: a connection error has to be said with GOAWAY and its code, not only by hanging up.
A step is bytes to send, or a condition to wait for. Sections are of RFC 9113 unless they begin with 7541.
"""

from expectations import stream_error
from wire import block, headers, request

CASES = []
# With this the server cannot send the body of its answer, so that a stream stays half closed (remote).
STALLED = {"first_settings": [(4, 0)]}


def case(section, title, expectation, *steps, **options):
    CASES.append((section, title, expectation, steps, options))


def malformed(section, title, fields):
    """A request that is malformed in its fields (RFC 9113 section 8.1.1)."""
    case(section, title, stream_error(1, 1), headers(1, fields))


def greeted(connection):
    return connection.settings is not None


def settled(connection):
    return connection.acknowledged >= 1


def status(stream):
    return lambda connection: stream in connection.statuses


def ended(stream):
    return lambda connection: stream in connection.ended


def split(parts):
    """The header block of a request in as many parts."""
    raw = block(request())
    size = len(raw) // parts
    return [raw[index * size : (index + 1) * size if index + 1 < parts else None] for index in range(parts)]
