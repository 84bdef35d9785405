"""What schemathesis does not know of itself: how a text of many lines is sent."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(_context, value):
    return (value if isinstance(value, str) else json.dumps(value)).encode()
