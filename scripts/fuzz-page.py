#!/usr/bin/env python3
"""Fuzzes `carillon up` as a whole: payloads and presses of any kind, over all apps of the page, from a seed.

Whatever an app on a phone does wrong ends that app alone. The run fails when the program ends, answers 5xx, or does not answer in
time; it then prints the seed, what was done last, and what the program said.

    scripts/fuzz-page.py --carillon .build/debug/carillon --minutes 60 --seed 7
"""

import argparse
import collections
import contextlib
import http.client
import json
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tests" / "Browser"))
from watch import Watch  # noqa: E402

# A loaded machine is slow; a program that has stopped answering is slower.
ANSWER_LIMIT_S = 60
STOP_LIMIT_S = 30
# What a failure prints.
REMEMBERED = 25
TEXTS = [
    "", " ", "a", "Breaking News!", "0", "null", "\u0000", "🛎🎉", "👨‍👩‍👧‍👦", "مرحبا", "a\nb\tc", "%@ %n %s %1$@", "\u202eturned", "x" * 300, "W" * 3000,
    "é\u0301", "\ud7ff", "https://example.org/", "raywenderlich.com", "ftp://a.b/", "tel:1", "http://", "//", "javascript:1", "file:///etc/passwd",
    "NEWS_CATEGORY", "default", "opera.aiff", "1000", "soon", '{"crt": 1}', "{", "[]", "true", "-1", "1e400", "../../x", "com.example.chime",
]
NUMBERS = [0, 1, -1, 2, 9, 255, 2**31, 2**53, 2**63, -(2**63) - 1, 10**40, 0.5, -0.0, 1e308, 1e-320, 1800000000, 1800000000000]
KEYS = [
    "alert", "title", "body", "badge", "sound", "category", "thread-id", "content-available", "mutable-content", "link_url", "loc-key", "loc-args",
    "title-loc-key", "interruption-level", "relevance-score", "show-view", "target-content-id", "crt", "dlt", "u", "messageId", "internalData",
    "silent", "validUntil", "inAppDetails", "clickUrl", "report", "caller", "video", "article", "carillon", "event", "timestamp", "content-state",
    "attributes", "attributes-type", "dismissal-date", "stale-date", "homeScore", "awayScore", "minute", "home", "away", "input-push-token",
    "launch-image", "filter-criteria", "media_url", "summary-arg", "aps", "name", "volume", "critical", "subtitle",
]
COMMANDS = [
    "lock", "unlock", "home", "open", "force-quit", "restart", "clear-all", "flick", "settings", "set", "previews", "region", "erase", "app",
    "answer-call", "decline-call", "end-call", "authenticate", "reveal", "expand", "collapse", "center", "aeroplane", "permission",
    "dismiss-activity", "tap", "clear", "act", "touch", "press",
]
# The others are drawn once as often.
FREQUENT = {"touch": 4, "press": 8, "tap": 5, "act": 5, "open": 3, "unlock": 3, "lock": 2, "permission": 4, "app": 3, "expand": 2}
RARE = {"erase": 0.15, "restart": 0.4}
TYPES = {"alert": 10, "background": 6, "voip": 3, "liveactivity": 4, "location": 0.2, "mdm": 0.2, "nonsense": 0.2}


class Failure(Exception):
    """What must not happen."""


class Stack:
    """A running `carillon up` in a folder of its own."""

    def __init__(self, program):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="carillon-fuzz."))
        self.errors = open(self.folder / "stderr.txt", "w+")
        try:
            # A session of its own: Ctrl-C is for this script, which stops the program itself.
            self.process = subprocess.Popen(
                [program, "up", "--port", "0", "--data", self.folder / "data"], stdout=subprocess.PIPE, stderr=self.errors, text=True,
                start_new_session=True)
            line = self.process.stdout.readline()
            ready = re.search(r"http://(127\.0\.0\.1:\d+)", line)
            if not ready:
                raise Failure(f"carillon up did not start: {line}{self.said()}")
            self.host = ready.group(1)
            # What it prints later is nobody's to read, and must not fill a pipe.
            threading.Thread(target=self.process.stdout.read, daemon=True).start()
        except BaseException:
            self.close()
            raise

    def said(self):
        self.errors.flush()
        return pathlib.Path(self.errors.name).read_text()[-4000:]

    def stop(self):
        """Ctrl-C; whether it ended by itself and well."""
        if self.process.poll() is not None:
            return False
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(STOP_LIMIT_S) == 0
        except subprocess.TimeoutExpired:
            return False

    def close(self):
        process = getattr(self, "process", None)
        if process and process.poll() is None:
            process.kill()
            process.wait()
        self.errors.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def memory_mb(self):
        with contextlib.suppress(OSError):
            found = re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())
            return int(found.group(1)) // 1024
        return 0


class Client:
    """A connection that is kept: thousands of calls would use up the machine's ports."""

    def __init__(self, stack, key=""):
        self.stack, self.key, self.connection = stack, key, None

    def call(self, method, path, body=None):
        """Status and JSON; an answer that must not be is a failure."""
        data = None if body is None else (body if isinstance(body, str) else json.dumps(body)).encode("utf-8", "surrogatepass")
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {self.key}"} if self.key else {})}
        for attempt in (1, 2):
            try:
                self.connection = self.connection or http.client.HTTPConnection(self.stack.host, timeout=ANSWER_LIMIT_S)
                self.connection.request(method, path, data, headers)
                answer = self.connection.getresponse()
                text = answer.read()
                break
            except (OSError, http.client.HTTPException) as error:
                self.connection = None
                # A connection that was idle may have been closed.
                if attempt == 2 or isinstance(error, TimeoutError):
                    raise Failure(f"{method} {path}: no answer ({type(error).__name__}: {error})") from error
        if answer.status >= 500:
            raise Failure(f"{method} {path}: {answer.status} {text[:300]!r}")
        with contextlib.suppress(ValueError):
            return answer.status, json.loads(text)
        return answer.status, None


class Fuzzer:
    """One worker: a phone and what is sent to it, from a random sequence of its own."""

    def __init__(self, stack, watch, setup, presets, phone, seed):
        self.stack, self.watch, self.phone, self.random = stack, watch, phone, random.Random(seed)
        self.apps = [app[0] for app in setup["apps"]]
        self.topics = sorted(setup["push_options"]["certificates"])
        self.payloads = [one["payload"] for one in presets["pushes"]]
        self.client = Client(stack, setup["api_key"])
        self.last = collections.deque(maxlen=REMEMBERED)
        self.counts = collections.Counter()
        self.messages = []

    def step(self):
        kind = self.random.choices(["press", "push", "service", "page"], [10, 8, 2, 1])[0]
        getattr(self, kind)()

    def do(self, method, path, body=None):
        self.last.append(f"{method} {path} {body if isinstance(body, str) else json.dumps(body)}"[:600])
        status, answer = self.client.call(method, path, body)
        self.counts[f"{path.split('?')[0].split('/')[1]} {status}"] += 1
        return status, answer

    # What a person does with a phone.

    def press(self):
        weights = [FREQUENT.get(name, RARE.get(name, 1)) for name in COMMANDS]
        name = self.random.choices(COMMANDS, weights)[0]
        if name == "press":
            return self.tap_a_view()
        self.do("POST", f"/phones/{self.phone}/{name}", self.body(name))
        # Most apps have a token, and show something, only once somebody has pressed Allow.
        if name in ("app", "erase") and self.random.random() < 0.8:
            self.do("POST", f"/phones/{self.phone}/permission", {"allow": True})

    def body(self, name):
        state, draw = self.watch.states.get(self.phone, {}), self.random
        listed = [one["id"] for one in list(self.watch.lists.get(self.phone, []))]
        some = lambda known: draw.choice(known) if known and draw.random() < 0.95 else draw.choice(TEXTS)
        if draw.random() < 0.01:
            return self.value(2)
        settings = state.get("settings", {})
        switches = [one["id"] for one in settings.get("switches", []) + settings.get("rules", [])]
        calls = [one["id"] for one in state.get("calls", [])]
        match name:
            case "set":
                known = ["focus", "silent", "dark", "browser-dark", "notifications", "low-power", "low-battery", "background-refresh", "live-activities"]
                return {"setting": some(known + switches), "on": draw.random() < 0.5}
            case "previews": return {"value": some(["always", "when-unlocked", "never"])}
            case "region": return {"value": some([one["id"] for one in settings.get("regions", [])])}
            case "app": return {"value": some(self.apps)}
            case "answer-call" | "decline-call" | "end-call": return {"call": some(calls)}
            case "authenticate": return {"owner": draw.random() < 0.7}
            case "reveal": return {"view": draw.randrange(-1, 400)}
            case "expand" | "tap" | "clear": return {"notification": some(listed)}
            case "center": return {"open": draw.random() < 0.5}
            case "aeroplane": return {"on": draw.random() < 0.4}
            case "permission": return {"allow": draw.random() < 0.8}
            case "dismiss-activity": return {"activity": some([one["id"] for one in state.get("activities", [])])}
            case "act":
                known = [(one["id"], action["id"]) for one in list(self.watch.lists.get(self.phone, [])) for action in one.get("actions", [])]
                notification, action = draw.choice(known) if known else (some(listed), draw.choice(TEXTS))
                return {"notification": notification, "action": action, **({"text": draw.choice(TEXTS)} if draw.random() < 0.5 else {})}
            case "touch":
                return {"phase": some(["began", "moved", "ended", "cancelled"]), "x": draw.uniform(-50, 450), "y": draw.uniform(-50, 900)}
        return {}

    def tap_a_view(self):
        """A whole touch, in the middle of something that the app draws."""
        view = self.watch.views.get(self.phone)
        places = [(self.random.uniform(0, 400), self.random.uniform(0, 860))]
        stack = [(view, 0, 0)] if view else []
        while stack:
            part, left, top = stack.pop()
            frame = part.get("frame", {})
            x, y = left + frame.get("x", 0), top + frame.get("y", 0)
            places.append((x + frame.get("width", 0) / 2, y + frame.get("height", 0) / 2))
            stack += [(child, x, y) for child in part.get("children", [])]
        x, y = self.random.choice(places)
        for phase in ("began", *(["moved"] if self.random.random() < 0.3 else []), "ended"):
            self.do("POST", f"/phones/{self.phone}/touch", {"phase": phase, "x": x, "y": y})
            if phase == "moved":
                y += self.random.uniform(-200, 200)

    # What comes to it.

    def push(self):
        draw, app = self.random, self.watch.states.get(self.phone, {}).get("app", {})
        # Without a token for it, a call or a Live Activity goes nowhere: once in a while is enough.
        fits = {"voip": "call_token" in app, "liveactivity": "start_token" in app}
        weights = [weight if fits.get(kind, True) else 0.2 for kind, weight in TYPES.items()]
        request = {
            "phone": self.phone, "payload": self.payload(), "push_type": draw.choices(list(TYPES), weights)[0],
            "priority": draw.choice([10, 10, 5, 5, 1]),
        }
        if draw.random() < 0.1:
            request["expires_in"] = draw.choice([0, 1, 2, 60, 2592000])
        if draw.random() < 0.2:
            request["collapse_id"] = draw.choice([*TEXTS[:12], "one", "two", "x" * 64, "x" * 65])
        if draw.random() < 0.1:
            request |= {"signed_with": "certificate", "certificate": draw.choice(self.topics)}
        if draw.random() < 0.03:
            del request["phone"]
            request |= {"token": draw.choice(["0a0b", "", "xyz", "ff" * 100]), "topic": draw.choice(self.topics)}
        self.do("POST", "/push", request)

    def payload(self):
        """Text: a preset as it is, a changed one, one of any keys, or no JSON at all."""
        draw = self.random
        kind = draw.random()
        if kind < 0.03:
            return draw.choice(["", "{", "null", "[]", "7", '"aps"', '{"aps":', "{" * 200, "[" * 2000, '{"aps":{"alert":"\\ud800"}}', '{"a":1,"a":2,"aps":{}}'])
        whole = json.loads(json.dumps(with_times(draw.choice(self.payloads))))
        if kind < 0.3:
            pass
        elif kind < 0.8:
            for _ in range(draw.randrange(1, 4)):
                self.change(whole)
        else:
            whole = {draw.choice(KEYS): self.value(3) for _ in range(draw.randrange(0, 5))} | ({"aps": self.members(3)} if draw.random() < 0.9 else {})
        if draw.random() < 0.05:
            whole = {key: value for key, value in whole.items() if key != "aps"}
        return json.dumps(whole, ensure_ascii=draw.random() < 0.5)

    def change(self, whole):
        """Takes one member out, puts another in, or gives it another value."""
        place = whole
        while (inner := [value for value in place.values() if isinstance(value, dict)]) and self.random.random() < 0.6:
            place = self.random.choice(inner)
        key = self.random.choice(list(place) or KEYS) if self.random.random() < 0.6 else self.random.choice(KEYS)
        if self.random.random() < 0.2:
            place.pop(key, None)
        else:
            place[key] = self.value(2)

    def value(self, depth):
        draw = self.random.random()
        if depth > 0 and draw < 0.15:
            return self.members(depth - 1)
        if depth > 0 and draw < 0.25:
            return [self.value(depth - 1) for _ in range(self.random.randrange(0, 4))]
        return self.random.choice([*TEXTS, *TEXTS, *NUMBERS, None, True, False])

    def members(self, depth):
        return {self.random.choice(KEYS): self.value(depth) for _ in range(self.random.randrange(0, 6))}

    # What goes through the service.

    def service(self):
        draw = self.random
        if self.messages and draw.random() < 0.5:
            id = draw.choice(self.messages)
            method, path, body = draw.choice([
                ("DELETE", f"/v1/notifications/{id}", None), ("GET", f"/v1/notifications/{id}/timeline", None),
                ("POST", "/v1/users/ada/read", {"messages": [id]}), ("POST", f"/v1/notifications/{id}/pause", {}),
                ("POST", f"/v1/notifications/{id}/resume", {}), ("POST", f"/v1/notifications/{id}/recall", {"notice": {"title": draw.choice(TEXTS)}}),
            ])
            return self.do(method, path, body)
        message = {"to": draw.choice([{"user": "ada"}, {"user": "ada"}, {"everyone": True}]), "payload": json.loads(json.dumps(with_times(draw.choice(self.payloads))))}
        if draw.random() < 0.6:
            message["payload"] = {"aps": {"alert": {"title": draw.choice(TEXTS), "body": draw.choice(TEXTS)}, "category": "NEWS_CATEGORY"}, "link_url": draw.choice(TEXTS)}
        if draw.random() < 0.5:
            message["mode"] = draw.choice(["visible", "silent", "assured"])
        if draw.random() < 0.3:
            message["dialect"] = draw.choice(["pushwoosh", "infobip"])
        if draw.random() < 0.2:
            message["media_url"] = f"http://{self.stack.host}/icon.svg"
        if draw.random() < 0.2:
            message |= {"id": f"m{draw.randrange(4)}", "replace": True}
        status, answer = self.do("POST", "/v1/notifications", message)
        if status == 202:
            self.messages = [*self.messages[-30:], answer["id"]]

    # What the page asks for.

    def page(self):
        draw = self.random
        method, path, body = draw.choice([
            ("GET", "/phones", None), ("GET", "/pushes", None), ("POST", "/apns", {"expiry": draw.choice(["late", "strict", "x"])}),
            ("POST", "/episodes", draw.choice([{}, {}, {"title": draw.choice(TEXTS), "host": draw.choice(TEXTS)}])),
            ("POST", "/validate", {"payload": self.payload(), "push_type": draw.choice(list(TYPES)), "priority": draw.choice([10, 5, 1, 0])}),
            ("POST", "/measure", {"to": {"user": "ada"}, "payload": {"aps": self.members(2)}}),
            ("POST", f"/phones/{self.phone}/{draw.choice(TEXTS[3:6])}".replace(" ", "%20"), self.value(2)),
        ])
        self.do(method, path, body)


def with_times(value):
    """A payload as the form is filled with it now."""
    if isinstance(value, list):
        return [with_times(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "$seconds_from_now" in value:
        return int((time.time() + value["$seconds_from_now"]) * 1000)
    if "$unix_seconds_from_now" in value:
        return int(time.time()) + value["$unix_seconds_from_now"]
    return {name: with_times(one) for name, one in value.items()}


def still_works(client, watch, phones):
    """Each phone takes a new app, opens it, and gets a push: so none is stuck."""
    for phone in phones:
        for name, body in (("aeroplane", {"on": False}), ("app", {"value": "older-method"}), ("permission", {"allow": True}), ("open", {})):
            client.call("POST", f"/phones/{phone}/{name}", body)

        def holds(is_so, said):
            try:
                watch.wait(is_so, ANSWER_LIMIT_S)
            except AssertionError as error:
                raise Failure(f"{phone} {said}: {json.dumps(watch.states.get(phone))[:1500]}") from error

        app = lambda: watch.states[phone]["app"]
        holds(lambda: app()["id"] == "older-method" and app().get("token"), "has not taken another app")
        client.call("POST", f"/phones/{phone}/unlock", {})
        client.call("POST", f"/phones/{phone}/open", {})
        mark = f"still here {time.monotonic_ns()}"
        status, answer = client.call("POST", "/push", {"phone": phone, "payload": json.dumps({"aps": {"alert": mark}})})
        if status != 200 or answer.get("status") != 200:
            raise Failure(f"{phone} gets no push: {status} {answer}")
        holds(lambda: mark in json.dumps(watch.views.get(phone)) or mark in json.dumps(watch.lists.get(phone)), "has not got the last push")


def run(arguments):
    stack = Stack(arguments.carillon)
    done = threading.Event()
    failures, fuzzers = [], []
    watch = None
    started = time.monotonic()
    try:
        watch = Watch(stack.host)
        client = Client(stack)
        setup, presets = client.call("GET", "/phones")[1], client.call("GET", "/presets")[1]
        phones = [name[0] for name in setup["names"]]
        for phone in phones:
            watch.wait(lambda: phone in watch.states, ANSWER_LIMIT_S, f"{phone} did not start")
        fuzzers = [Fuzzer(stack, watch, setup, presets, phone, f"{arguments.seed} {phone}") for phone in phones]

        def work(fuzzer):
            try:
                while not done.is_set():
                    fuzzer.step()
                    done.wait(arguments.pause)
            except Failure as failure:
                failures.append((fuzzer, failure))
                done.set()
            except Exception as error:  # A mistake of this script must not look like a pass.
                failures.append((fuzzer, Failure(f"{type(error).__name__}: {error}")))
                done.set()

        threads = [threading.Thread(target=work, args=(fuzzer,)) for fuzzer in fuzzers]
        for thread in threads:
            thread.start()
        end, told = started + arguments.minutes * 60, started
        try:
            while not done.is_set() and time.monotonic() < end:
                done.wait(min(1, max(0, end - time.monotonic())))
                if time.monotonic() - told > 60:
                    told = time.monotonic()
                    print(f"{(told - started) / 60:.0f} min, {total(fuzzers)} calls, {stack.memory_mb()} MB", flush=True)
        finally:
            done.set()
            for thread in threads:
                thread.join()
        if not failures:
            still_works(client, watch, phones)
        memory = stack.memory_mb()
        if not failures and not stack.stop():
            raise Failure("it did not stop within the time after Ctrl-C, or not with 0")
        if not failures:
            print(f"{total(fuzzers)} calls in {time.monotonic() - started:.0f} s, {memory} MB at the end: it answered every one, and still works.")
            counts = sum((fuzzer.counts for fuzzer in fuzzers), collections.Counter())
            print("  " + ", ".join(f"{name}: {count}" for name, count in counts.most_common(16)))
    except (Failure, AssertionError) as failure:
        failures.append((None, failure))
    finally:
        if watch and stack.process.poll() is None:
            watch.close()
        if failures:
            tell(failures, fuzzers, stack, arguments)
        stack.close()
    return 1 if failures else 0


def total(fuzzers):
    return sum(sum(fuzzer.counts.values()) for fuzzer in fuzzers)


def tell(failures, fuzzers, stack, arguments):
    with contextlib.suppress(subprocess.TimeoutExpired):
        # A program that is ending has a moment to be gone.
        stack.process.wait(2)
    status = stack.process.poll()
    for _, failure in failures:
        print(f"FAILED: {failure}")
    print(f"The program {'still runs' if status is None else f'has ended with {status}'}. SEED={arguments.seed}")
    for fuzzer in fuzzers:
        print(f"The last calls about {fuzzer.phone}:", *fuzzer.last, sep="\n  ")
    print("What the program said last:", stack.said(), sep="\n", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--carillon", required=True, help="the program: carillon or carillon-phones")
    parser.add_argument("--seed", default=None, help="what is done follows from it; drawn if it is left out")
    parser.add_argument("--minutes", type=float, default=10, help="how long, 10 if it is left out")
    parser.add_argument("--pause", type=float, default=0, help="seconds between two calls about one phone, 0 if it is left out")
    arguments = parser.parse_args()
    arguments.seed = arguments.seed or str(random.randrange(1_000_000))
    # A shell that starts it in the background has it ignore Ctrl-C.
    for kind in (signal.SIGINT, signal.SIGTERM):
        signal.signal(kind, signal.default_int_handler)
    print(f"SEED={arguments.seed} MINUTES={arguments.minutes:g}", flush=True)
    try:
        return run(arguments)
    except KeyboardInterrupt:
        print("Interrupted.", flush=True)
        return 130


if __name__ == "__main__":
    sys.exit(main())
