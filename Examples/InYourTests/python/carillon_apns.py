"""A simulated APNs for one test: `with carillon_apns() as apns:`. The wheel carillon-apns-simulator has it and the program.

Without the wheel it needs the program carillon-apns-simulator or carillon in PATH, or either in $CARILLON.

With pytest, import the fixture `apns` in conftest.py: `from carillon_apns import apns`.
"""

import contextlib
import http.client
import json
import os
import pathlib
import queue
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import urllib.request

import pytest

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
REASONS = {
    400: "BadDeviceToken", 403: "InvalidProviderToken", 410: "Unregistered", 413: "PayloadTooLarge", 429: "TooManyRequests",
    500: "InternalServerError", 503: "ServiceUnavailable"}


class APNs:
    """Where it is (url, host, port), whom to trust (ca), the credentials (key, key_id, team_id, certificate), and tokens."""

    def __init__(self, folder):
        vars(self).update(json.loads((pathlib.Path(folder) / "simulator.json").read_text()))
        self.url = f"https://{self.host}:{self.port}"
        self.phones = []

    def call(self, method, path, body=None):
        """A call of the admin API, such as call("DELETE", f"/tokens/{token}")."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.admin_url + path, data=data, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or b"null")

    def requests(self):
        """The journal: what came, and what was made of it."""
        return [event["request"] for event in self.call("GET", "/requests")]

    def device(self, offline=False, topic=None):
        """A new phone with the app of `topic` (the first one unless said), online unless said."""
        name = f"phone-{len(self.phones) + 1}"
        body = {} if topic is None else {"topic": topic}
        self.phones.append(Phone(self, name, self.call("POST", f"/devices/{name}/tokens", body)["token"]))
        if not offline:
            self.phones[-1].connect()
        return self.phones[-1]

    def next_answer(self, *answers, retry_after=None, reason=None, token=None):
        """How the next requests end, one each, of any token or of one: a status (503), one of Apple's reasons ("Unregistered"),
        "lose-answer", "cut", "fall-silent" …, or None for one that is answered as ever."""
        path = f"/tokens/{token}/answers" if token else "/answers"
        self.call("POST", path, {"answers": [self._answer(answer, retry_after, reason) for answer in answers]})

    @staticmethod
    def _answer(answer, retry_after, reason):
        if not isinstance(answer, int):
            return answer
        name = reason or REASONS.get(answer)
        fault = {"status": answer, "body": json.dumps({"reason": name}) if name else ""}
        return fault if retry_after is None else {**fault, "retry_after_seconds": retry_after}

    def advance(self, time):
        """Puts APNs' clock forward, by seconds or by a text such as "90s", "20m", "1h" or "31d"."""
        seconds = float(time[:-1]) * UNITS[time[-1]] if isinstance(time, str) else time
        return self.call("POST", "/clock", {"advance_seconds": seconds})["now"]


class Phone:
    """A phone with one app; `token` is its device token."""

    def __init__(self, apns, name, token):
        self.apns, self.name, self.token = apns, name, token
        self.arrived, self.stream = queue.Queue(), None

    def connect(self):
        """Brings it online: what has waited arrives first."""
        address = urllib.parse.urlparse(self.apns.admin_url)
        self.stream = http.client.HTTPConnection(address.hostname, address.port)
        self.stream.connect()
        self.socket = self.stream.sock
        self.stream.request("GET", f"/devices/{self.name}/pushes")
        answer = self.stream.getresponse()
        lines = iter(answer.readline, b"")
        next(line for line in lines if line.startswith(b": ready"))
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()
        self._wait(online=True)

    def _read(self, lines):
        with contextlib.suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
            for line in lines:
                if line.startswith(b"data: "):
                    self.arrived.put(json.loads(line[6:]))

    def disconnect(self):
        """Takes it offline, so that APNs stores what is sent to it."""
        if self.stream:
            with contextlib.suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)
            self.stream = None
            self._wait(online=False)

    def _wait(self, online):
        while self.apns.call("GET", f"/devices/{self.name}")["online"] != online:
            pass

    def push(self, timeout=10):
        """The next push that arrives, with `payload`, `topic`, `priority` …; an AssertionError if none does."""
        try:
            return self.arrived.get(timeout=timeout)
        except queue.Empty:
            raise AssertionError(f"no push came to {self.name} within {timeout} s") from None

    def delete_app(self):
        """Deletes the app: 410 Unregistered from now on."""
        self.apns.call("DELETE", f"/tokens/{self.token}")


def command():
    """The program to start: of $CARILLON, of the wheel, or of PATH: the simulator's own, or carillon."""
    alone = "carillon-apns-simulator"
    if named := os.environ.get("CARILLON"):
        return [named] if pathlib.Path(named).name == alone else [named, "apns-simulator"]
    beside = pathlib.Path(sys.executable).with_name(alone)
    found = str(beside) if beside.exists() else shutil.which(alone)
    return [found] if found else ["carillon", "apns-simulator"]


@contextlib.contextmanager
def carillon_apns(*options):
    """Starts it on a free port with further options of `carillon apns-simulator`, and stops it at the end."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = [*command(), "--port", "0", "--directory", folder, *options]
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        try:
            if "is ready" not in process.stdout.readline():
                raise RuntimeError(f"{arguments[0]} did not start: see its message above")
            yield APNs(folder)
        finally:
            process.terminate()
            process.wait(timeout=30)


@pytest.fixture(name="apns")
def apns():
    with carillon_apns() as started:
        yield started
