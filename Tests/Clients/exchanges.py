"""Requests and answers of version 1, as the files of version1/ have them: played, compared, and recorded."""

import http.client
import json
import re
import time
import urllib.parse

from world import PATIENCE, SECRET, sign_in_token

# What a marker stands for. A marker is recorded for a value that is another one each time.
MARKERS = {
    "<time>": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",
    "<day>": r"\d{4}-\d\d-\d\d",
    "<cursor>": r"(0|[1-9]\d*)-(0|[1-9]\d*)",
    "<uuid>": r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
    "<hex>": r"[0-9a-f]{8,64}",
    "<secret>": r"whsec_[A-Za-z0-9+/]{43}=",
    "<stream>": r"id: \d+-\d+\nretry: \d+\n",
    "<text>": r"(?s).+",
}
NUMBER = "<number>"
# Members whose values are for people, or are another one each time.
VOLATILE = {"detail": "<text>", "next": "<text>", "answer": "<text>", "advice": "<text>", "bytes": NUMBER, "timestamp": NUMBER, "failures": NUMBER}
# Headers that a client decides by.
HEADERS = ["allow", "carillon-problem", "content-type", "etag", "retry-after", "www-authenticate"]


class Player:
    """Plays exchanges against a world, with the values that earlier answers left."""

    def __init__(self, world):
        self.world = world
        now = time.time()
        self.values = {
            "token": world.token, "other_token": world.new_token(), "secret": SECRET, "sign_in": sign_in_token(world.secret),
            # In a text that has such braces itself.
            "open": "{{", "soon": int(now + 3600), "later": int(now + 7200), "now_ms": int(now * 1000), "minute_ago": int(now - 60)}

    def filled(self, value):
        """A request's value with {{names}} replaced; a text that is nothing but one gets the value itself."""
        if isinstance(value, dict):
            return {self.filled(name): self.filled(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self.filled(each) for each in value]
        if not isinstance(value, str):
            return value
        if value == "{{nonce}}":
            return self.world.nonce()
        if match := re.fullmatch(r"\{\{(\w+)\}\}", value):
            return self.values[match[1]]
        return re.sub(r"\{\{(\w+)\}\}", lambda match: str(self.values[match[1]]), value)

    def request(self, request):
        """Makes a request; returns status, headers, and the body: parsed if it is JSON."""
        headers = {"Content-Type": "application/json"} | self.filled(request.get("headers", {}))
        who = request.get("as", "backend")
        if who != "nobody":
            keys = {"backend": self.world.key, "reader": self.world.reader}
            headers["Authorization"] = "Bearer " + keys.get(who, f"{who}:{SECRET}")
        body = request.get("text")
        if "body" in request:
            body = json.dumps(self.filled(request["body"]))
        elif body is None:
            del headers["Content-Type"]
        else:
            body = self.filled(body)
        address = urllib.parse.urlsplit(self.world.url)
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=PATIENCE)
        try:
            connection.request(request["method"], self.filled(request["path"]), body and body.encode(), headers)
            answer = connection.getresponse()
            kept = {name: answer.headers[name] for name in HEADERS if answer.headers[name] is not None}
            if kept.get("content-type", "").startswith("text/event-stream"):
                raw = answer.readline() + answer.readline()
            else:
                raw = answer.read()
        finally:
            connection.close()
        is_json = "json" in kept.get("content-type", "")
        return {"status": answer.status, "headers": kept} | ({"body": json.loads(raw) if is_json else raw.decode()} if raw else {})

    def play(self, exchange):
        """Plays an exchange until it answers as recorded, where it says `until`; returns the answer and what differs."""
        end = time.monotonic() + PATIENCE
        while True:
            answer = self.request(exchange["request"])
            expected = exchange.get("answer", {}) if "until" not in exchange else {"body": exchange["until"]}
            faults = list(differences(expected, answer))
            if not faults or "until" not in exchange or time.monotonic() > end:
                break
            time.sleep(0.05)
        if "until" in exchange and not faults:
            faults = list(differences(exchange.get("answer", {}), answer))
        faults += [f"{place}: it must be absent" for place in exchange.get("absent", []) if found(answer, place) is not None]
        for name, place in exchange.get("keep", {}).items():
            self.values[name] = found(answer, place)
        return answer, faults


def found(value, place):
    """The value at a place such as body/events/0/id; None if there is none."""
    for part in place.split("/"):
        if isinstance(value, list):
            value = value[int(part)] if int(part) < len(value) else None
        else:
            value = value.get(part) if isinstance(value, dict) else None
    return value


def differences(expected, actual, place=""):
    """What a client of version 1 would stumble over. Members that are new are none."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for name, value in expected.items():
            if name not in actual:
                yield f"{place}/{name}: it is missing"
            else:
                yield from differences(value, actual[name], f"{place}/{name}")
    elif isinstance(expected, list) and isinstance(actual, list):
        if place == "/body/events":
            # docs/events.md: types may be added, and a client skips those that it does not know.
            known = {each.get("type") for each in expected}
            actual = [each for each in actual if each.get("type") in known]
        if len(expected) != len(actual):
            yield f"{place}: {len(actual)} entries, and not {len(expected)}"
        for index, (one, other) in enumerate(zip(expected, actual)):
            yield from differences(one, other, f"{place}/{index}")
    elif expected == NUMBER:
        if isinstance(actual, bool) or not isinstance(actual, (int, float)):
            yield f"{place}: {actual!r} is no number"
    elif isinstance(expected, str) and expected in MARKERS:
        if not (isinstance(actual, str) and re.fullmatch(MARKERS[expected], actual)):
            yield f"{place}: {actual!r} is no {expected}"
    elif type(expected) is not type(actual) or expected != actual:
        yield f"{place}: {actual!r}, and not {expected!r}"


def recorded(value, name=""):
    """An answer's value with markers for what is another one each time."""
    if isinstance(value, dict):
        kept = {each: recorded(member, each) for each, member in value.items()}
        # Words for people: a problem's title, and why a record of an import is refused.
        words = {"title"} if str(value.get("type")).startswith("urn:") else {"reason"} if "line" in value else set()
        return kept | {each: "<text>" for each in words & set(kept)}
    if isinstance(value, list):
        return [recorded(each) for each in value]
    if name in VOLATILE:
        return VOLATILE[name] if VOLATILE[name] == NUMBER or re.fullmatch(MARKERS[VOLATILE[name]], str(value)) else value
    if isinstance(value, str):
        if name == "etag" or value.startswith("imported-"):
            return "<text>"
        for marker, pattern in list(MARKERS.items())[:-1]:
            # A day is one only where it is not a name of ours, and a hexadecimal text only where it is long.
            if re.fullmatch(pattern, value):
                return marker
    return value
