#!/usr/bin/env python3
"""What one app, or an anonymous caller, can do to another app; docs/threat-model.md and docs/shared-resources.md have the bounds.

Starts `carillon apns-simulator` and `carillon serve` in a folder of its own, with two apps. Sends single messages of the first
app while nobody attacks, and then beside each attack in turn, and ends with a table: the p99 of both, and what the attack got.
Ends with status 1 if a p99 beside an attack is more than twice that without, or an attack gets what it must not.
"""
import argparse
import http.client
import json
import os
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "service"))

from broadcast import TOPIC, Process, p99, run  # noqa: E402

OTHER = "com.example.ferry"
SECRET = "5e" * 32
USERS, INSTALLATIONS = 50, 10
# Limits: the p99 beside an attack in that without; a difference in ms that is not one on any machine.
BESIDE_LIMIT, NOISE_MS = 2, 15
PATIENCE = 120


def say(text):
    print(text, file=sys.stderr, flush=True)


class Caller:
    """Calls over one connection that is kept, and made anew after an error."""

    def __init__(self, port, credentials):
        self.port, self.credentials, self.connection = port, credentials, None

    def call(self, method, path, body=None):
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            headers = {"Content-Type": "application/json"}
            if self.credentials:
                headers["Authorization"] = f"Bearer {self.credentials}"
            self.connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = self.connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            self.connection = None
            return 0, b""


class System:
    """A service with two apps: `users` of the first have a phone each; the second has many devices, each with a locale."""

    def __init__(self, options, folder):
        carillon, place, apns = options.carillon, ["--data", folder / "data"], folder / "apns"
        self.simulator = Process(carillon, "apns-simulator", "--port", "0", "--directory", apns, "--topic", TOPIC,
                                 "--topic", OTHER, "--journal", "0")
        described = json.loads((apns / "simulator.json").read_text())
        self.admin = int(described["admin_url"].rsplit(":", 1)[1].rstrip("/"))
        for topic in (TOPIC, OTHER):
            run(carillon, "apps", "add", *place, "--topic", topic)
        self.keys = {topic: run(carillon, "api-keys", "create", *place, "--name", "attack", "--topic", topic, "--scope",
                                "admin").strip() for topic in (TOPIC, OTHER)}
        for topic, count in ((TOPIC, USERS), (OTHER, options.devices)):
            # Those that are left over are for installations: a token that APNs does not know would be their end.
            self.tokens = self.import_devices(carillon, place, folder, topic, count)
        self.service = Process(
            carillon, "serve", *place, "--port", "0", "--apns-url", f"https://localhost:{described['port']}", "--apns-ca",
            apns / "ca.pem", "--key", next(apns.glob("AuthKey_*.p8")), "--key-id", "SIMKEY0001", "--team-id", "SIMTEAM001",
            "--topic", TOPIC, "--topic", OTHER)
        self.port = int(self.service.line.rsplit(":", 1)[1].strip().rstrip("/"))
        self.sent = 0

    def import_devices(self, carillon, place, folder, topic, count):
        connection = http.client.HTTPConnection("127.0.0.1", self.admin, timeout=60)
        wanted = {"prefix": f"{topic}-", "count": count + INSTALLATIONS, "topic": topic}
        connection.request("POST", "/fleet/tokens", json.dumps(wanted), {"Content-Type": "application/json"})
        tokens = json.loads(connection.getresponse().read())["tokens"]
        records = folder / "devices.csv"
        with records.open("w") as file:
            file.write("token,topic,environment,user,locale\n")
            for number, token in enumerate(tokens[:count]):
                file.write(f"{token},{topic},sandbox,u-{number},de-n{number}\n")
        run(carillon, "devices", "import", *place, records)
        return tokens[count:]

    def register(self, name):
        body = {"installation": name, "secret": SECRET, "topic": OTHER, "environment": "sandbox", "permission": "authorized",
                "token": self.tokens.pop()}
        status, text = Caller(self.port, None).call("POST", "/v1/devices", body)
        if status not in (200, 201):
            sys.exit(f"error: registering answered {status}: {text.decode()}")

    def measure(self, seconds):
        """Single messages of the first app, one after the other: ms until accepted, and until APNs has accepted them."""
        calls, whole, refused = [], [], 0
        backend, end = Caller(self.port, self.keys[TOPIC]), time.monotonic() + seconds
        while time.monotonic() < end or len(calls) < 2:
            name, started = f"single-{self.sent}", time.monotonic()
            self.sent += 1
            body = {"to": {"user": f"u-{self.sent % USERS}"}, "id": name, "payload": {"aps": {"alert": "Hello"}}}
            status, _ = backend.call("POST", "/v1/notifications", body)
            calls.append((time.monotonic() - started) * 1000)
            if status != 202:
                refused += 1
                continue
            while time.monotonic() - started < PATIENCE:
                status, text = backend.call("GET", f"/v1/notifications/{name}")
                if status == 200 and json.loads(text)["state"] == "sent":
                    break
                time.sleep(0.002)
            whole.append((time.monotonic() - started) * 1000)
        return {"messages": len(calls), "refused": refused, "accepted": p99(calls) if len(calls) > 1 else calls[0],
                "sent": p99(whole) if len(whole) > 1 else PATIENCE * 1000.0}

    def stop(self):
        self.service.stop()
        self.simulator.stop()


class Attack:
    """The calls of an attacker's threads until they are stopped; `got` counts the answers by status."""

    threads = 1

    def __init__(self, system):
        self.system, self.got, self.stopped, self.lock = system, {}, threading.Event(), threading.Lock()

    def __enter__(self):
        self.running = [threading.Thread(target=self.repeat, args=(number,), daemon=True) for number in range(self.threads)]
        for thread in self.running:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        for thread in self.running:
            thread.join(PATIENCE)

    def repeat(self, number):
        caller = Caller(self.system.port, self.credentials())
        while not self.stopped.is_set():
            self.count(self.once(caller, number))

    def count(self, status):
        with self.lock:
            self.got[status] = self.got.get(status, 0) + 1

    def credentials(self):
        return self.system.keys[OTHER]

    def fault(self):
        """A sentence if the attack got what it must not; None otherwise."""
        return None


CONDITION = " or ".join(f"locale:zz-{number}*" for number in range(90))
MIXED = " or ".join(f"locale:zz-{number}* and version>{number} and time_zone:X{number}*" for number in range(33))


class Broadcasts(Attack):
    """1. One send a second to a condition of 90 tests, in an app whose every device has a locale of its own."""

    title, condition = "a send a second to 90 tests of locales", CONDITION

    def once(self, caller, number):
        body = {"to": {"where": self.condition}, "payload": {"aps": {"alert": "Hello"}}}
        status, _ = caller.call("POST", "/v1/notifications", body)
        self.stopped.wait(1)
        return status


class MixedBroadcasts(Broadcasts):
    title, condition = "a send a second to 33 tests of three kinds", MIXED


class Counts(Attack):
    """1. Five counts of that condition at a time."""

    title, threads, condition = "five counts of that at a time", 5, MIXED

    def once(self, caller, number):
        return caller.call("POST", "/v1/audiences/count", {"to": {"where": self.condition}})[0]


class Bodies(Attack):
    """2. An anonymous address announces 256 KiB on each of 1,000 connections, and sends them at six bytes a second each."""

    title, connections = "1,000 bodies that are announced and do not come", 1000

    def repeat(self, number):
        head = (b"POST /v1/devices HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 262144\r\n\r\n{")
        open_ones = []
        while not self.stopped.wait(1):
            while len(open_ones) < self.connections:
                try:
                    connection = socket.create_connection(("127.0.0.1", self.system.port), 5)
                    connection.sendall(head)
                    open_ones.append(connection)
                except OSError:
                    self.count(0)
                    break
            kept = []
            for connection in open_ones:
                try:
                    connection.sendall(b"      ")
                    kept.append(connection)
                except OSError:
                    connection.close()
            open_ones = kept
        for connection in open_ones:
            connection.close()


class Credentials(Attack):
    """3. One installation writes its credential in many ways, so that each counts as another caller."""

    title = "one credential in many spellings"

    def __enter__(self):
        self.system.register("speller")
        self.spelling = 0
        return super().__enter__()

    def once(self, caller, number):
        self.spelling += 1
        caller.credentials = ":" * (self.spelling % 400) + f"speller:{SECRET}"
        return caller.call("GET", "/v1/devices/speller/sync")[0]

    def fault(self):
        # Ten seconds' worth of its calls may come at once.
        allowed = 51 + 5 * self.seconds
        return f"{self.got[200]} calls of one installation passed" if self.got.get(200, 0) > allowed * 1.2 else None


class Receipts(Attack):
    """Held before: a phone posts 500 receipts of unknown ids in each call, without a pause."""

    title = "500 receipts of unknown ids in each call"

    def __enter__(self):
        self.system.register("reporter")
        return super().__enter__()

    def credentials(self):
        return f"reporter:{SECRET}"

    def once(self, caller, number):
        receipts = [{"id": f"r-{index}", "message": f"none-{index}", "event": "shown", "at": "2026-01-01T00:00:00Z"}
                    for index in range(500)]
        return caller.call("POST", "/v1/receipts", {"receipts": receipts})[0]


class WrongKeys(Attack):
    """Held before: wrong keys, as fast as they go."""

    title = "wrong API keys without a pause"

    def credentials(self):
        return "none." + "5e" * 32

    def once(self, caller, number):
        return caller.call("GET", "/v1/app")[0]

    def fault(self):
        return "a wrong key was taken" if 200 in self.got else None


ATTACKS = {attack.__name__: attack for attack in (
    Broadcasts, MixedBroadcasts, Counts, Bodies, Credentials, Receipts, WrongKeys)}


def measured(options, system):
    rows = [("nobody attacks", system.measure(options.seconds), {}, None)]
    for name in options.only or ATTACKS:
        attack = ATTACKS[name](system)
        attack.seconds = options.seconds
        say(f"{attack.title} …")
        with attack:
            figures = system.measure(options.seconds)
        rows.append((attack.title, figures, attack.got, attack.fault()))
        # What the attack has left goes on; the next one begins when a message goes through as usual.
        system.measure(2)
    return rows


def exceeded(rows):
    """A sentence for each limit that an attack exceeds."""
    alone = rows[0][1]
    for title, figures, _, fault in rows[1:]:
        if fault:
            yield f"{title}: {fault}"
        if figures["refused"]:
            yield f"{title}: {figures['refused']} of {figures['messages']} messages were refused"
        for name in ("accepted", "sent"):
            if figures[name] > alone[name] * BESIDE_LIMIT and figures[name] > alone[name] + NOISE_MS:
                yield f"{title}: {name} after {figures[name]:.0f} ms, without it {alone[name]:.0f} ms"


def show(rows):
    print(f"{'p99 in ms':<50} {'messages':>8} {'accepted':>9} {'by APNs':>9}  answers to the attacker")
    for title, figures, got, _ in rows:
        answers = ", ".join(f"{status or 'none'}: {count}" for status, count in sorted(got.items()))
        print(f"{title:<50} {figures['messages']:8} {figures['accepted']:9.1f} {figures['sent']:9.1f}  {answers}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--carillon", required=True, help="the build of carillon to attack")
    parser.add_argument("--folder", type=Path, help="where to put the database")
    parser.add_argument("--devices", type=int, default=20_000, help="devices of the second app (default: 20,000)")
    parser.add_argument("--seconds", type=int, default=60, help="the length of each attack (default: 60)")
    parser.add_argument("--only", nargs="+", choices=ATTACKS, help="the attacks to play (default: all)")
    options = parser.parse_args()
    options.carillon = os.path.abspath(options.carillon)
    with tempfile.TemporaryDirectory(prefix="carillon-attack-", dir=options.folder and options.folder.resolve()) as name:
        system = System(options, Path(name))
        try:
            rows = measured(options, system)
        finally:
            system.stop()
    show(rows)
    sentences = list(exceeded(rows))
    for sentence in sentences:
        print(f"limit exceeded: {sentence}", file=sys.stderr)
    sys.exit(1 if sentences else 0)


if __name__ == "__main__":
    main()
