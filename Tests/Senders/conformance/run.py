"""Plays the table of cases against a server, each over a connection of its own, and says what came back.

Reads host, port and ca (PEM) from standard input; writes the cases, each with section, title, expected, seen, passed.
"""

import concurrent.futures
import json
import sys

import compression_cases  # noqa: F401 (these four fill the table)
import connection_cases  # noqa: F401
import frame_cases  # noqa: F401
import message_cases  # noqa: F401
import wire
from table import CASES


def seen(connection):
    parts = []
    if connection.goaway is not None:
        parts.append(f"GOAWAY {connection.goaway}")
    parts += [f"RST_STREAM {code} on {stream}" for stream, code in sorted(connection.resets.items())]
    parts += [f"status {status} on {stream}" for stream, status in sorted(connection.statuses.items())]
    parts += ["closed"] if connection.closed else []
    return ", ".join(parts) or "nothing"


def play(setup, case):
    section, title, expected, steps, options = case
    connection = wire.Connection(setup, **options)
    try:
        for step in steps:
            if callable(step):
                connection.read_until(lambda seen, step=step: step(seen) or seen.goaway is not None)
            else:
                connection.send(step)
        passed = connection.read_until(expected.is_reached) and expected.holds(connection)
        return {
            "section": section,
            "title": title,
            "expected": expected.text,
            "seen": seen(connection),
            "passed": passed,
        }
    finally:
        connection.close()


def main():
    setup = json.load(sys.stdin)
    with concurrent.futures.ThreadPoolExecutor(max_workers=8) as pool:
        json.dump(list(pool.map(lambda case: play(setup, case), CASES)), sys.stdout)


main()
