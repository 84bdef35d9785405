"""What readers of the feed and webhooks cost, and how fast they hear; bench.py calls it, docs/performance.md has the bounds.

One `carillon serve` with both roles takes some 500 single messages a second from wrk, without a reader and with two that read the
stream, and sends them to a simulated APNs. A reader that was away reads all of it in pages. A webhook hears of taps. Then the webhooks of ten further apps,
ten of each, point to an endpoint that takes connections and never answers.
"""
import contextlib
import http.client
import http.server
import json
import os
import queue
import socket
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path

from broadcast import TOPIC, Backend, p99, run, say
from postgresql import Server
from two_apps import OTHER, SECRET, TwoApps

HERE = Path(__file__).resolve().parent
# Limits: the CPU of a message with two readers in that without one; seconds until a webhook has heard of a tap; events that a reader
# catches up in a second; the p99 of POST beside dead endpoints in that before.
READERS_LIMIT, HEARD_LIMIT, CATCH_UP_LIMIT, DEAD_LIMIT = 1.1, 1.0, 20_000, 1.2
USERS, SECONDS, CONNECTIONS, PAUSE_MS, TAPS, SINGLES, DEAD_APPS, DEAD_EACH = 1000, 10, 16, 30, 100, 400, 10, 10


class Feed(TwoApps):
    """A service with an app whose feed is read."""

    def __init__(self, carillon, folder, place):
        super().__init__(
            carillon, place, folder, folder / "apns", {TOPIC: USERS, OTHER: 1},
            serve=("--webhooks-to-private-networks", "--calls-per-key", "0", "--calls-per-installation", "0",
                   "--registrations-per-address", "0"))
        self.carillon, self.place = carillon, place
        self.backend = Backend(self.port, self.keys[TOPIC])

    def pushes(self):
        """The pushes that APNs has accepted so far."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", "/metrics")
        lines = connection.getresponse().read().decode().splitlines()
        return sum(float(line.split()[-1]) for line in lines
                   if line.startswith("carillon_pushes_total{") and 'outcome="accepted"' in line and f'"{TOPIC}"' in line)

    def load(self, folder):
        """The CPU seconds of the service for 1,000 messages, from their acceptance until APNs has accepted them all."""
        script = folder / "accept.lua"
        # The waits of the connections keep the rate far below what the service can do: with all it can do, transactions have as many
        # calls as happen to wait, and the cost of a message depends on that.
        script.write_text((HERE / "accept.lua").read_text() + (HERE / "report.lua").read_text() +
                          f"\nfunction delay() return {PAUSE_MS} end\n")
        before, cpu = self.pushes(), self.service.cpu_seconds()
        wrk = subprocess.run(
            ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--timeout", "30s", "-s", script,
             f"http://127.0.0.1:{self.port}/v1/notifications"],
            capture_output=True, text=True, env={**os.environ, "KEY": self.keys[TOPIC], "USERS": str(USERS)})
        if wrk.returncode != 0:
            sys.exit(f"error: wrk ended with {wrk.returncode}\n{wrk.stdout}{wrk.stderr}")
        calls = json.loads(wrk.stdout.splitlines()[-1])["calls"]
        while self.pushes() < before + calls:
            time.sleep(0.2)
        return (self.service.cpu_seconds() - cpu) * 1000 / calls

    @contextlib.contextmanager
    def readers(self, count):
        """Programs that read the stream and throw it away."""
        started = [subprocess.Popen(
            ["curl", "-sN", "-H", f"Authorization: Bearer {self.keys[TOPIC]}", "-H", "Accept: text/event-stream",
             f"http://127.0.0.1:{self.port}/v1/events"], stdout=subprocess.DEVNULL) for _ in range(count)]
        time.sleep(1)
        try:
            yield
        finally:
            for process in started:
                process.kill()
                process.wait()

    def catch_up(self, cursor):
        """The events in a second that a reader gets in pages, from a cursor to the end."""
        started, count = time.monotonic(), 0
        while True:
            page = self.backend.call("GET", f"/v1/events?limit=1000&after={cursor}")
            count += len(page["events"])
            if page["next"] == cursor:
                return count, round(count / (time.monotonic() - started))
            cursor = page["next"]

    def heard(self):
        """The seconds from a phone's report of a tap to its event at a webhook."""
        heard = queue.Queue()

        class Receiver(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                events = json.loads(self.rfile.read(int(self.headers["content-length"])))["events"]
                self.send_response(204)
                self.end_headers()
                for event in events:
                    heard.put((event["message"], time.monotonic()))

            def log_message(self, *arguments):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        self.backend.call("POST", "/v1/webhooks", {"url": url, "types": ["message.opened"]})
        credentials, times = self.register("tapper", TOPIC), []
        phone = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        for number in range(TAPS):
            name = f"tap-{number}"
            self.backend.send({"devices": ["tapper"]}, name)
            self.backend.wait(name, pause=0.002)
            receipt = {"id": str(uuid.uuid4()), "message": name, "event": "opened", "at": "2026-11-29T00:00:00Z"}
            started = time.monotonic()
            phone.request("POST", "/v1/receipts", json.dumps({"receipts": [receipt]}),
                          {"Authorization": f"Bearer {credentials}", "Content-Type": "application/json"})
            answer = phone.getresponse()
            if answer.status != 200:
                sys.exit(f"error: POST /v1/receipts answered {answer.status}: {answer.read().decode()}")
            answer.read()
            message, at = heard.get(timeout=60)
            assert message == name
            times.append(at - started)
        server.shutdown()
        return round(p99(times), 3)

    def posts(self, label):
        """The p99 of single messages, one after the other, ms."""
        return round(p99([self.backend.send({"user": f"u-{number % USERS}"}, f"{label}-{number}") for number in range(SINGLES)]), 1)

    @contextlib.contextmanager
    def dead_endpoints(self):
        """A hundred webhooks of other apps, whose endpoint takes connections and never answers; each has something to post."""
        with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
            for number in range(DEAD_APPS):
                topic = f"com.example.dead{number}"
                run(self.carillon, "apps", "add", *self.place, "--topic", topic)
                key = run(self.carillon, "api-keys", "create", *self.place, "--name", "dead", "--topic", topic, "--scope", "admin")
                backend = Backend(self.port, key.strip())
                for each in range(DEAD_EACH):
                    backend.call("POST", "/v1/webhooks", {"url": f"http://127.0.0.1:{listener.getsockname()[1]}/{each}"})
                backend.send({"everyone": True}, "dead")
            time.sleep(3)
            yield


def engine_figures(carillon, folder, place):
    feed = Feed(carillon, folder, place)
    report = {}
    try:
        say("warming up")
        feed.load(folder)
        # How fast the machine is changes from one minute to the next: before, between and after. A feed that was read is written for
        # a week, so all runs without a reader come first, on its own clock.
        say("without a reader")
        alone = [feed.load(folder) for _ in range(2)]
        cursor = feed.backend.call("GET", "/v1/events")["next"]
        say("with two readers")
        with feed.readers(2):
            read = [feed.load(folder) for _ in range(2)]
        report["cpu_seconds_per_1000"] = round(sum(alone) / len(alone), 3)
        report["cpu_seconds_per_1000_with_readers"] = round(sum(read) / len(read), 3)
        report["readers_ratio"] = round(sum(read) / sum(alone), 2)
        say("a reader that was away")
        report["events"], report["catch_up_per_second"] = feed.catch_up(cursor)
        say("a webhook for taps")
        report["heard_p99_seconds"] = feed.heard()
        say("dead endpoints")
        before = feed.posts("before")
        with feed.dead_endpoints():
            report["post_p99_ms_dead"] = feed.posts("dead")
        report["post_p99_ms"] = min(before, feed.posts("after"))
        report["dead_ratio"] = round(report["post_p99_ms_dead"] / max(before, report["post_p99_ms"]), 2)
    finally:
        feed.stop()
    return report


def measure(options, folder):
    report = {}
    for engine in options.engines.split(","):
        say(engine)
        within = folder / engine
        within.mkdir()
        place = ["--data", within / "data"] if engine == "sqlite" else ["--database", Server(folder / "pg").database()[1]]
        report[engine] = engine_figures(options.carillon, within, place)
    return report


def exceeded(report):
    """A sentence for each exceeded limit."""
    for engine, figures in report.items():
        for name, isWorse, limit, what in [
            ("readers_ratio", float.__gt__, READERS_LIMIT, "a message with two readers costs so many times one without"),
            ("heard_p99_seconds", float.__gt__, HEARD_LIMIT, "a webhook hears of a tap after so many seconds"),
            ("catch_up_per_second", float.__lt__, CATCH_UP_LIMIT, "a reader catches up so many events a second"),
            ("dead_ratio", float.__gt__, DEAD_LIMIT, "POST takes so many times as long beside dead endpoints"),
        ]:
            if isWorse(float(figures[name]), float(limit)):
                yield f"{engine}: {what}: {figures[name]}, limit {limit} ({name})"
