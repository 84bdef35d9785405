"""What a server has to do about a case."""

from wire import ping

PROOF = b"alive???"


class Expectation:
    def __init__(self, text, is_reached, holds=lambda connection: True):
        self.text, self.is_reached, self.holds = text, is_reached, holds


def goaway(*codes):
    """A connection error (RFC 9113 section 5.4.1): GOAWAY with one of the codes, then the end."""
    return Expectation(
        f"GOAWAY {' or '.join(map(str, codes))}, then the end",
        lambda connection: connection.goaway is not None and connection.closed,
        lambda connection: connection.goaway in codes,
    )


def stream_error(stream, *codes):
    """A stream error (section 5.4.2): RST_STREAM with one of the codes, or a connection error with it."""
    return Expectation(
        f"RST_STREAM {' or '.join(map(str, codes))} on {stream}, or GOAWAY with it",
        lambda connection: stream in connection.resets or (connection.goaway is not None and connection.closed),
        lambda connection: connection.resets.get(stream, connection.goaway) in codes,
    )


def closed():
    """The connection ends; a GOAWAY may come before that."""
    return Expectation("the end of the connection", lambda connection: connection.closed)


def unharmed(connection):
    return connection.goaway is None and not connection.resets


def answered(*streams):
    """Every one of the streams gets its whole answer, and nothing was an error."""
    return Expectation(
        f"an answer on {', '.join(map(str, streams))}",
        lambda connection: set(streams) <= connection.ended or not unharmed(connection),
        lambda connection: unharmed(connection) and all(stream in connection.statuses for stream in streams),
    )


def alive():
    """Nothing happens, and a PING (the last step) is answered."""
    return Expectation(
        "a PING is answered",
        lambda connection: PROOF in connection.pongs or not unharmed(connection),
        unharmed,
    )


def reached(condition, text):
    """Whatever the condition says comes to pass, and nothing was an error."""
    return Expectation(text, lambda connection: condition(connection) or not unharmed(connection), unharmed)


PROVE = ping(PROOF)
