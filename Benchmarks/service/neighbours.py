"""What a bad neighbour costs another app; bench.py calls it, docs/shared-resources.md has the bounds.

One `carillon serve` with its usual limits serves two apps, on SQLite and on PostgreSQL. Single messages of the first app are
measured on an idle service, then while a phone posts receipts of unknown ids as fast as it can, while APNs answers no push of
the second app, and while 10,000 idle connections are open. In each of these states the service is then stopped by SIGTERM.
"""
import http.client
import json
import resource
import socket
import threading
import time

from broadcast import TOPIC, Backend, p99, say
from postgresql import Server
from two_apps import OTHER, TwoApps

# Limits: the p99 beside a bad neighbour in that of an idle service; the seconds from SIGTERM to the end.
BESIDE_LIMIT, END_LIMIT = 2, 10
USERS, MUTE, SINGLES, CONNECTIONS = 50, 2000, 400, 10_000


class State(TwoApps):
    """A service of its own with two apps, in one of the states to be measured."""

    def __init__(self, carillon, folder, place, label):
        super().__init__(carillon, place, folder, folder / f"apns-{label}", {TOPIC: USERS, OTHER: MUTE})
        self.label, self.backend = label, Backend(self.port, self.keys[TOPIC])

    def measure(self):
        """Single messages one after the other: until they are accepted, and until APNs has accepted them, ms."""
        calls, whole = [], []
        for number in range(SINGLES):
            started = time.monotonic()
            calls.append(self.backend.send({"user": f"u-{number % USERS}"}, f"{self.label}-{number}"))
            self.backend.wait(f"{self.label}-{number}", pause=0.002)
            whole.append((time.monotonic() - started) * 1000)
        return {"accept_p99_ms": round(p99(calls), 1), "to_apns_p99_ms": round(p99(whole), 1)}

    def end(self):
        """The seconds from SIGTERM to the end of the service."""
        started = time.monotonic()
        self.service.stop()
        seconds = time.monotonic() - started
        self.simulator.stop()
        return round(seconds, 1)


def idle(state):
    return {}, lambda: None


def receipts(state):
    """A phone that registers itself and posts receipts of unknown ids, 500 in each call, without a pause.

    The calls have one body, since making others would take the machine from the service."""
    credentials = state.register("bad")
    ended, counts = threading.Event(), {}
    body = json.dumps({"receipts": [
        {"id": f"r-{number}", "message": f"nobody-{number}", "event": "received", "at": "2026-11-23T00:00:00Z"}
        for number in range(500)]})

    def post():
        connection = http.client.HTTPConnection("127.0.0.1", state.port, timeout=60)
        while not ended.is_set():
            try:
                connection.request("POST", "/v1/receipts", body,
                                   {"Authorization": f"Bearer {credentials}", "Content-Type": "application/json"})
                answer = connection.getresponse()
                answer.read()
                counts[answer.status] = counts.get(answer.status, 0) + 1
            except (OSError, http.client.HTTPException):
                connection.close()
                time.sleep(0.1)

    threading.Thread(target=post, daemon=True).start()
    time.sleep(3)
    return counts, ended.set


def black_hole(state):
    """Messages of the second app to all of its devices, whose pushes APNs never answers."""
    for token in state.tokens:
        state.ask("POST", f"/tokens/{token}/answers", {"answers": ["lose-request"] * 50})
    other = Backend(state.port, state.keys[OTHER])
    for number in range(5):
        other.send({"everyone": True}, f"lost-{number}")
    time.sleep(3)
    return {}, lambda: None


def connections(state):
    """Idle connections of eleven addresses, each after one answered request."""
    before, opened = state.service.memory_mib(), []
    for number in range(CONNECTIONS):
        made = socket.socket()
        made.bind((f"127.0.1.{1 + number % 11}", 0))
        made.connect(("127.0.0.1", state.port))
        made.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        made.recv(4096)
        opened.append(made)
    figures = {"open": len(opened), "kib_of_each": round((state.service.memory_mib() - before) * 1024 / CONNECTIONS, 1)}
    return figures, lambda: [made.close() for made in opened]


STATES = {"idle": idle, "receipts": receipts, "black-hole": black_hole, "connections": connections}


def measure(options, folder):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 40_000), hard))
    report, server = {}, Server(folder / "pg")
    for engine in ("sqlite", "postgresql"):
        report[engine] = {}
        for name, begin in STATES.items():
            say(f"{engine}: {name}")
            within = folder / f"{engine}-{name}"
            within.mkdir()
            place = ["--data", within / "data"] if engine == "sqlite" else ["--database", server.database()[1]]
            state = State(options.carillon, within, place, name)
            figures, stop = begin(state)
            measured = state.measure()
            # While it lasts.
            measured["end_seconds"] = state.end()
            stop()
            report[engine][name] = {**measured, **{str(key): value for key, value in figures.items()}}
    return report


def exceeded(report):
    """A sentence for each exceeded limit."""
    for engine, states in report.items():
        for name, state in states.items():
            for figure in ("accept_p99_ms", "to_apns_p99_ms"):
                ratio = state[figure] / states["idle"][figure]
                if ratio > BESIDE_LIMIT:
                    yield f"{engine}, {name}: {figure} is {ratio:.1f} times that of an idle service, more than {BESIDE_LIMIT}"
            if state["end_seconds"] > END_LIMIT:
                yield f"{engine}, {name}: {state['end_seconds']} s from SIGTERM to the end, more than {END_LIMIT}"
