#!/usr/bin/env python3
"""What one app, or an anonymous caller, can do to another app; docs/threat-model.md and docs/shared-resources.md have the bounds.

Starts `carillon apns-simulator` and `carillon serve` in a folder of its own, with two apps, on SQLite and on PostgreSQL. Sends
single messages of the first app while nobody attacks, and then beside each attack in turn, and ends with a table for each
database: the p99 of both, what the attack got, and the verdict.
Ends with status 1 if a p99 beside an attack is more than twice that without, or an attack gets what it must not.
"""
import argparse
import http.client
import json
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "service"))

from broadcast import TOPIC, p99, run, say  # noqa: E402
from postgresql import Server  # noqa: E402
from two_apps import OTHER, SECRET, TwoApps  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
USERS, PHONES = 50, 40
# The address from which nginx calls the service.
PROXY = "127.0.2.1"
# Limits: the p99 beside an attack in that without; a difference in ms that is not one on any machine.
BESIDE_LIMIT, NOISE_MS = 2, 15
PATIENCE = 120
ENGINES = ["sqlite", "postgresql"]
TIMES = ["accepted", "sent", "phone"]


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


class System(TwoApps):
    """A service with two apps: `users` of the first have a phone each; the second has many devices, each with a locale.

    Backends, and here phones too, call the operators' port; the phones' port speaks TLS.
    """

    def __init__(self, options, folder, engine):
        self.place = ["--data", folder / "data"]
        if engine == "postgresql":
            self.place = ["--database", Server(folder / "pg").database()[1]]
        certificate, key = folder / "own.pem", folder / "own.key"
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
            "/CN=localhost", "-keyout", key, "-out", certificate)
        super().__init__(
            options.carillon, self.place, folder, folder / "apns", {TOPIC: USERS, OTHER: options.devices},
            columns=lambda number: {"locale": f"de-n{number}"},
            serve=["--operator-port", "0", "--tls-certificate", certificate, "--tls-key", key,
                   "--trusted-proxy", PROXY])
        self.carillon, self.folder, self.secure_port, self.sent = options.carillon, folder, self.service.port(1), 0
        # So many that none of them comes to the limit of its calls.
        self.phones = [Caller(self.port, self.register(f"phone-{number}", TOPIC)) for number in range(PHONES)]

    def measure(self, seconds):
        """Single messages of the first app, one after the other: ms until accepted, and until APNs has accepted them.

        Between two of them a phone of the app asks what is new."""
        calls, whole, phones, refused = [], [], [], 0
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
            number, started = self.sent % PHONES, time.monotonic()
            status, _ = self.phones[number].call("GET", f"/v1/devices/phone-{number}/sync")
            refused += status != 200
            phones.append((time.monotonic() - started) * 1000)
        return {"messages": len(calls), "refused": refused, "accepted": p99(calls) if len(calls) > 1 else calls[0],
                **{name: p99(times) if len(times) > 1 else PATIENCE * 1000.0
                   for name, times in (("sent", whole), ("phone", phones))}}


class Attack:
    """The calls of an attacker's threads until they are stopped; `got` counts the answers by status."""

    threads, is_attack = 1, True

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


def connections(count, port, first):
    """Opens connections of an address of their own, each of which sends `first`."""
    for _ in range(count):
        try:
            made = socket.socket()
            made.settimeout(5)
            made.bind(("127.0.1.1", 0))
            made.connect(("127.0.0.1", port))
            made.sendall(first)
            yield made
        except OSError:
            return


def hold_bodies(attack, port, count=1000):
    """Keeps so many connections open, each with a body that is announced and of which six bytes come in a second."""
    head = (b"POST /v1/devices HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 262144\r\n\r\n{")
    open_ones = []
    while not attack.stopped.wait(1):
        open_ones += connections(count - len(open_ones), port, head)
        kept = []
        for connection in open_ones:
            try:
                connection.sendall(b"      ")
                kept.append(connection)
            except OSError:
                attack.count("closed")
                connection.close()
        open_ones = kept
    for connection in open_ones:
        connection.close()


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

    title = "1,000 bodies that are announced and do not come"

    def repeat(self, number):
        hold_bodies(self, self.system.port)


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


class LargeBodies(Receipts):
    """7. A phone posts bodies of 255 KiB that are refused, without a pause."""

    title = "bodies of 255 KiB that are refused"

    def once(self, caller, number):
        return caller.call("POST", "/v1/receipts", {"receipts": ["x" * 100] * 2500})[0]

    def fault(self):
        return "a body was taken" if 200 in self.got else None


class WrongKeys(Attack):
    """Held before: wrong keys, as fast as they go."""

    title = "wrong API keys without a pause"

    def credentials(self):
        return "none." + "5e" * 32

    def once(self, caller, number):
        return caller.call("GET", "/v1/app")[0]

    def fault(self):
        return "a wrong key was taken" if 200 in self.got else None


class Handshakes(Attack):
    """The service's own TLS: 1,000 connections begin a handshake and do not go on."""

    title, number = "1,000 TLS handshakes that stall", 1000
    # The beginning of a ClientHello: a record of 512 bytes, of which five come.
    hello = bytes([22, 3, 1, 2, 0, 1, 0, 1, 252, 3])

    def repeat(self, number):
        open_ones = []
        while not self.stopped.wait(1):
            open_ones += connections(self.number - len(open_ones), self.system.secure_port, self.hello)
            open_ones = [made for made in open_ones if not self.is_closed(made)]
        for made in open_ones:
            made.close()

    def is_closed(self, made):
        made.setblocking(False)
        try:
            made.recv(100)
        except BlockingIOError:
            return False
        except OSError:
            pass
        made.close()
        self.count("closed")
        return True

    def fault(self):
        # A head, and so a handshake, has 20 s.
        return "none of them was closed" if self.seconds > 25 and not self.got else None


class Nginx:
    """nginx before the phones' port, as docs/host-it.md has it; it calls the service from 127.0.2.1, the trusted proxy."""

    def __init__(self, system):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        folder = system.folder / "nginx"
        folder.mkdir(exist_ok=True)
        (folder / "nginx.conf").write_text(f"""
            daemon off; error_log stderr crit; pid {folder}/pid; worker_processes 1;
            events {{ worker_connections 4096; }}
            http {{
                access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
                fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
                server {{
                    listen 127.0.0.1:{self.port};
                    location / {{
                        proxy_pass https://127.0.0.1:{system.secure_port};
                        proxy_bind {PROXY};
                        proxy_http_version 1.1;
                        proxy_set_header Connection "";
                        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                    }}
                }}
            }}""")
        self.process = subprocess.Popen(["nginx", "-p", folder, "-c", folder / "nginx.conf"],
                                        env={**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin"})
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.05)
        sys.exit("error: nginx does not listen")

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


class BehindNginx(Attack):
    """2. The service behind nginx: an address claims to be another at each call, so that each call counts as another caller."""

    title = "behind nginx: registrations with forged addresses"

    def __enter__(self):
        self.nginx, self.made = Nginx(self.system), 0
        return super().__enter__()

    def __exit__(self, *words):
        super().__exit__(*words)
        self.nginx.stop()

    def repeat(self, number):
        while not self.stopped.is_set():
            self.made += 1
            body = {"installation": f"forged-{self.made}", "secret": SECRET, "topic": OTHER, "environment": "sandbox",
                    "permission": "authorized", "token": f"{self.made:064x}"}
            connection = http.client.HTTPConnection("127.0.0.1", self.nginx.port, timeout=PATIENCE)
            connection.request("POST", "/v1/devices", json.dumps(body), {
                "Content-Type": "application/json", "X-Forwarded-For": f"203.0.{self.made // 250 % 250}.{self.made % 250}"})
            self.count(connection.getresponse().status)
            connection.close()

    def fault(self):
        # The share of one address, and what comes back to it meanwhile.
        allowed = 60 + self.seconds * 1.2
        passed = self.got.get(200, 0) + self.got.get(201, 0)
        return f"{passed} registrations of one address passed" if passed > allowed else None


class BodiesBehindNginx(BehindNginx):
    """2. The same bodies that do not come, held back by nginx."""

    title = "behind nginx: 1,000 bodies that are announced and do not come"

    def repeat(self, number):
        hold_bodies(self, self.nginx.port)


class Audit(Attack):
    """Entries of the audit list, as many as one key can cause, and a change of the list past the service."""

    title = "erasures without a pause, for the audit list"

    def __init__(self, system):
        super().__init__(system)
        self.erased = 0

    def once(self, caller, number):
        self.erased += 1
        return caller.call("DELETE", f"/v1/users/nobody-{self.erased}")[0]

    def fault(self):
        whole = run(self.system.carillon, "audit", *self.system.place, "--verify")
        if self.system.place[0] == "--data":
            database = sqlite3.connect(self.system.place[1] / "carillon.sqlite", timeout=60)
            for change in ("DELETE FROM audit", "UPDATE audit SET details = 'nothing'"):
                try:
                    database.execute(change)
                    return f"the list takes {change}"
                except sqlite3.DatabaseError:
                    database.rollback()
        return None if whole else "the list is not verified"


class OtherSite(Attack):
    """4. A page whose name was made to point at the service reads metrics, and has browsers register phones."""

    title = "a page of another site"

    def once(self, caller, number):
        headers = [("GET", "/metrics", {"Host": "evil.example"}), ("GET", "/healthz", {"Host": "evil.example"}),
                   ("POST", "/v1/devices", {"Origin": "https://evil.example"})]
        for method, path, fields in headers:
            connection = http.client.HTTPConnection("127.0.0.1", self.system.port, timeout=PATIENCE)
            connection.request(method, path, "{}" if method == "POST" else None, fields)
            status = connection.getresponse().status
            connection.close()
            if status != 403:
                return status
        return 403

    def fault(self):
        return None if set(self.got) <= {403} else "another site's page was answered"


class PackageScripts(Attack):
    """The package's scripts, which root runs, where the user `carillon` has planted a link in its folder's place."""

    title = "a link in the place of the package's folder"

    def repeat(self, number):
        scripts = ROOT / "Packaging" / "deb"
        with tempfile.TemporaryDirectory(dir=self.system.folder) as name:
            folder = Path(name)
            for tool in ("adduser", "chmod", "chown", "getent", "systemctl"):
                stub = folder / tool
                stub.write_text(f'#!/bin/sh\necho {tool} "$@" >> {folder}/calls\n')
                stub.chmod(0o755)
            (folder / "roots").mkdir()
            (folder / "lib").mkdir()
            (folder / "lib" / "carillon").symlink_to(folder / "roots")
            for script, words in (("postinst", ["configure", "1"]), ("prerm", ["remove"]), ("postrm", ["purge"])):
                text = (scripts / script).read_text().replace("/var/lib", f"{folder}/lib")
                result = subprocess.run(["sh", "-s", *words], input=text, text=True, capture_output=True,
                                        env={"PATH": f"{folder}:{os.environ['PATH']}"})
                self.count(f"{script} {result.returncode}")
            calls = (folder / "calls").read_text().splitlines()
            self.given = [call for call in calls if call.startswith(("chown", "chmod"))]
        self.stopped.wait()

    def fault(self):
        return f"root was made to run {self.given[0]}" if self.given else None


class Computing(Attack):
    """No attack: a program beside the service computes without a pause, so that the machine's share of a figure is known."""

    title, is_attack = "for comparison: another program computes", False

    def repeat(self, number):
        program = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        self.stopped.wait()
        program.kill()
        program.wait()


ATTACKS = {attack.__name__: attack for attack in (
    Computing, Broadcasts, MixedBroadcasts, Counts, Bodies, LargeBodies, Credentials, Receipts, WrongKeys, Handshakes, BehindNginx,
    BodiesBehindNginx, Audit, OtherSite, PackageScripts)}

COMPARISONS = {attack.title for attack in ATTACKS.values() if not attack.is_attack}


def measured(options, system):
    # The first calls of a process take longer.
    system.measure(2)
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
        if title in COMPARISONS:
            continue
        if fault:
            yield f"{title}: {fault}"
        if figures["refused"]:
            yield f"{title}: {figures['refused']} of {figures['messages']} messages were refused, or as many calls of phones"
        for name in TIMES:
            if figures[name] > alone[name] * BESIDE_LIMIT and figures[name] > alone[name] + NOISE_MS:
                yield f"{title}: {name} after {figures[name]:.0f} ms, without it {alone[name]:.0f} ms"


def show(rows, engine):
    print(f"| {engine}: p99 in ms | messages | accepted | by APNs | a phone's call | answers to the attacker | verdict |")
    print("|---|---|---|---|---|---|---|")
    faults = [sentence.split(": ", 1) for sentence in exceeded(rows)]
    for title, figures, got, _ in rows:
        answers = ", ".join(f"{status or 'none'}: {count}" for status, count in sorted(got.items(), key=str))
        verdict = "; ".join(fault for name, fault in faults if name == title) or "held"
        times = " | ".join(f"{figures[name]:.1f}" for name in TIMES)
        has_verdict = title != rows[0][0] and title not in COMPARISONS
        print(f"| {title} | {figures['messages']} | {times} | {answers} | {verdict if has_verdict else ''} |")
    print(flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--carillon", required=True, help="the build of carillon to attack")
    parser.add_argument("--folder", type=Path, help="where to put the database")
    parser.add_argument("--devices", type=int, default=20_000, help="devices of the second app (default: 20,000)")
    parser.add_argument("--seconds", type=int, default=25, help="the length of each attack (default: 25)")
    parser.add_argument("--engine", nargs="+", choices=ENGINES, default=ENGINES, help="the databases (default: both)")
    parser.add_argument("--only", nargs="+", choices=ATTACKS, help="the attacks to play (default: all)")
    options = parser.parse_args()
    options.carillon = os.path.abspath(options.carillon)
    sentences = []
    for engine in options.engine:
        with tempfile.TemporaryDirectory(prefix="carillon-attack-", dir=options.folder and options.folder.resolve()) as name:
            Path(name).chmod(0o755)
            system = System(options, Path(name), engine)
            try:
                rows = measured(options, system)
            finally:
                system.stop()
        show(rows, engine)
        sentences += [f"{engine}: {sentence}" for sentence in exceeded(rows)]
    for sentence in sentences:
        print(f"limit exceeded: {sentence}", file=sys.stderr)
    sys.exit(1 if sentences else 0)


if __name__ == "__main__":
    main()
