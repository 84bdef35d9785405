"""The matrix of docs/senders: every library with a key and with a certificate, through five things that happen to a sender.

    .venv-senders/bin/python Tests/Senders/matrix/matrix.py .build/debug/carillon [LIBRARY …]

1000 sends · a GOAWAY after idleness, then a send · an answer that is lost, then a send · a device token that is gone · the
token's hour, by the clocks of both sides. Prints a row for each library and credential: what the library said, and how many
pushes the device got. Fails where a row is not the one in EXPECTED.
"""

import concurrent.futures
import contextlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

import jwt

HERE = pathlib.Path(__file__).parent
TOPIC = "com.example.app"
SECONDS = 120

PYTHON = [sys.executable, HERE / "python_sender.py"]
SENDERS = {
    **{name: [*PYTHON, name] for name in ["httpx", "aioapns", "apns2-up", "pyapns-client", "kalyke-apns"]},
    "go": ["go", "run", HERE / "sender.go"],
    "java": ["java", HERE / "MatrixSender.java"],
    "node": ["node", HERE / "sender.mjs"],
}
# These have no setting for a client certificate; their pages say so.
KEY_ONLY = {"pyapns-client", "kalyke-apns"}

# What the library said about the lost answer, and how often the device has got that push in the end.
EXPECTED = {
    "httpx": ("ReadTimeout", 1),
    "aioapns": ("200", 2),
    "apns2-up": ("TimeoutError", 1),
    "pyapns-client": ("200", 2),
    "kalyke-apns": ("ReadTimeout", 1),
    "go": ("error", 1),
    "java": ("HttpTimeoutException", 1),
    "node": ("error", 1),
}
# What it said about the send after a GOAWAY, and how often that arrived, where it does not connect again by itself.
AFTER_GOAWAY = {"apns2-up": ("SSLEOFError", 0)}


class Simulator:
    def __init__(self, carillon, folder):
        arguments = ["apns-simulator", "--port", "0", "--directory", folder, "--topic", TOPIC, "--devices", "1"]
        self.process = subprocess.Popen([carillon, *arguments], stdout=subprocess.PIPE, text=True)
        assert "ready" in self.process.stdout.readline(), "the simulator did not start"
        self.setup = json.loads((folder / "simulator.json").read_text())
        self.device = self.setup["device_tokens"][0]
        self.last_delivered = 0

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.setup["admin_url"] + path, data, method=method)
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return json.loads(answer.read() or b"null")

    def wait_until_closed(self):
        """A GOAWAY for idleness is followed by the end of the connection."""
        for _ in range(100):
            if self.call("GET", "/connections")["count"] == 0:
                return
            time.sleep(0.1)
        raise TimeoutError("a connection stays open after GOAWAY")

    def delivered(self):
        """How many pushes the device got since the last look."""
        count = self.call("GET", "/fleet")["delivered"]
        self.last_delivered, new = count, count - self.last_delivered
        return new


class Sender:
    def __init__(self, name, credential, simulator, folder):
        self.name, self.credential, self.simulator, self.clock = name, credential, simulator, 0
        self.authorization, self.signed = "", None
        setup = {"host": "localhost", "port": simulator.setup["port"], "ca": simulator.setup["ca"], "topic": TOPIC}
        names = ["key", "key_id", "team_id"] if credential == "key" else []
        names += [] if credential == "key" else ["certificate", "certificate_p12", "certificate_password"]
        setup.update({name: simulator.setup[name] for name in names})
        self.log = open(folder / "sender.log", "w")
        self.process = subprocess.Popen(
            SENDERS[name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True
        )
        self.tell(setup)

    def tell(self, line):
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()

    def sign(self):
        """For senders without a library: a token, and a new one when it is 50 minutes old."""
        now = int(time.time()) + self.clock
        if self.credential == "key" and (self.signed is None or now > self.signed + 3000):
            setup, self.signed = self.simulator.setup, now
            self.authorization = "bearer " + jwt.encode(
                {"iss": setup["team_id"], "iat": now}, pathlib.Path(setup["key"]).read_text(), algorithm="ES256",
                headers={"kid": setup["key_id"]},
            )
        return self.authorization

    def send(self, tokens):
        self.tell({"tokens": tokens, "clock": self.clock, "authorization": self.sign()})
        line = self.process.stdout.readline()
        assert line, f"{self.name} ended"
        return json.loads(line)


def play(sender, simulator):
    """Five things that happen; what came of each."""
    row, token = {}, simulator.device
    row["1000 sends"] = sender.send([token] * 1000), simulator.delivered()
    simulator.call("POST", "/goaway", {"reason": "IdleTimeout", "closing": True})
    simulator.wait_until_closed()
    row["after a GOAWAY"] = sender.send([token]), simulator.delivered()
    simulator.call("POST", f"/tokens/{token}/answers", {"answers": ["lose-answer"]})
    row["lost answer"] = sender.send([token]), simulator.delivered()
    row["after it"] = sender.send([token]), simulator.delivered()
    simulator.call("POST", "/clock", {"advance_seconds": 3700})
    sender.clock = 3700
    row["an hour later"] = sender.send([token] * 10), simulator.delivered()
    simulator.call("DELETE", f"/tokens/{token}")
    row["410"] = sender.send([token]), simulator.delivered()
    return row


def expected(name):
    lost, arrived = EXPECTED[name]
    closed, after = AFTER_GOAWAY.get(name, ("200", 1))
    gone = "UnregisteredException" if name == "pyapns-client" else "Unregistered"
    return {
        "1000 sends": ({"200": 1000}, 1000), "after a GOAWAY": ({closed: 1}, after), "lost answer": ({lost: 1}, arrived),
        "after it": ({"200": 1}, 1), "an hour later": ({"200": 10}, 10), "410": ({gone: 1}, 0),
    }


def run(carillon, name, credential):
    with tempfile.TemporaryDirectory() as text, contextlib.ExitStack() as stack:
        folder = pathlib.Path(text)
        simulator = Simulator(carillon, folder)
        stack.callback(lambda: (simulator.process.kill(), simulator.process.wait()))
        sender = Sender(name, credential, simulator, folder)
        stack.callback(lambda: (sender.process.kill(), sender.process.wait(), sender.log.close()))
        timer = concurrent.futures.ThreadPoolExecutor(max_workers=1)
        stack.callback(lambda: timer.shutdown(wait=False))
        try:
            row = timer.submit(play, sender, simulator).result(SECONDS)
        except Exception as error:
            row = {"problem": f"{type(error).__name__} {error}: {(folder / 'sender.log').read_text()[-600:]}"}
        return name, credential, row


def main():
    carillon, *chosen = sys.argv[1:]
    names = [name for name in chosen or SENDERS if shutil.which(SENDERS[name][0])]
    for name in set(chosen or SENDERS) - set(names):
        print(f"{name}: {SENDERS[name][0]} is not installed")
    jobs = [(name, how) for name in names for how in ["key", "certificate"] if how == "key" or name not in KEY_ONLY]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for name, credential, row in pool.map(lambda job: run(carillon, *job), jobs):
            good = row == expected(name)
            failed += not good
            print(f"{'ok    ' if good else 'FAILED'} {name}, {credential}: {row}", flush=True)
    print(f"{len(jobs) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
