"""A reader of the pages: a folder, a shell, a service, phones, and the APNs simulator in Apple's place.

The commands of a page run as they stand. Only what is the reader's own is put in: the address of the service, its API key, and
times that are still to come. `curl` fails where it would show an error, and a command that would go on for ever ends with its
first line.
"""

import base64
import contextlib
import datetime
import hashlib
import hmac
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
CARILLON = os.environ.get("CARILLON", str(ROOT / ".build/debug/carillon"))
TOPIC = "com.example.chime"
SECRET = "5e" * 32
# Seconds for what takes one on an idle machine.
PATIENCE = 30

# What runs a block of a language; bash runs all others.
PROGRAMS = {"go": ("go", "run"), "js": ("node",), "javascript": ("node",), "php": ("php",), "python": (sys.executable,), "ruby": ("ruby",)}

COMMANDS = {
    # Apple is the simulator, ports are free ones, and the service stays when the command has returned.
    "carillon": """
case "$1 $2" in
"serve "*)
    words=()
    while [ $# -gt 0 ]; do
        case "$1 $2" in
        "--apns production" | "--apns sandbox") words+=(--apns-url "$APNS_URL" --apns-ca "$APNS_CA"); shift 2 ;;
        "--host 0.0.0.0") shift 2 ;;
        "--port "*) shift 2 ;;
        *) words+=("$1"); shift ;;
        esac
    done
    case " ${words[*]} " in *" --role sender "*) ;; *) words+=(--port 0) ;; esac
    out=$(mktemp "$PLACE/serve.XXXXXX")
    "$REAL" "${words[@]}" >"$out" 2>"$out.log" </dev/null &
    echo $! >>"$PLACE/processes"
    until grep -q 'is ready' "$out"; do
        kill -0 $! 2>/dev/null || { cat "$out.log"; exit 1; }
        sleep 0.05
    done
    sed -n 's/^Carillon is ready at //p' "$out" | grep http >"$PLACE/address.new" && mv "$PLACE/address.new" "$PLACE/address" || true ;;
"apns-simulator "*)
    out=$(mktemp "$PLACE/simulator.XXXXXX")
    "$REAL" "$@" --port 0 >"$out" 2>&1 </dev/null &
    echo $! >>"$PLACE/processes"
    until grep -q 'is ready' "$out"; do
        kill -0 $! 2>/dev/null || { cat "$out"; exit 1; }
        sleep 0.05
    done ;;
"tail "*) timeout 30 "$REAL" "$@" --url "$CARILLON" | grep -m 1 . ;;
"devices import") exec "$REAL" "$@" ;;
"messages "* | "devices "* | "users "* | "stats "* | "webhooks "* | "widgets "* | "live "* | "templates "*) exec "$REAL" "$@" --url "$CARILLON" ;;
*) exec "$REAL" "$@" ;;
esac
""",
    "curl": """
case " $* " in
*" -N "*) timeout 30 /usr/bin/curl -sS --fail-with-body "$@" | grep -m 1 '^data: {' ;;
*" -sSf "*) exec /usr/bin/curl "$@" ;;
*) /usr/bin/curl -sS --fail-with-body "$@" && echo ;;
esac
""",
}


def call(method, url, body=None, bearer=None):
    request = urllib.request.Request(url, method=method, data=None if body is None else json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if bearer:
        request.add_header("Authorization", f"Bearer {bearer}")
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{method} {url}: {error.code} {error.read().decode()}") from error


def until(what, look):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.02)
    raise AssertionError(f"{what} did not happen within {PATIENCE} s")


class Reader:
    def __init__(self, folder):
        self.folder, self.played, self.key, self.database, self.tokens = folder, [], None, None, {}
        (folder / "bin").mkdir()
        for name, text in COMMANDS.items():
            self.has_command(name, text)
        self.simulator = subprocess.Popen(
            [CARILLON, "apns-simulator", "--port", "0", "--admin-port", "0", "--directory", folder / "apns", "--topic", TOPIC,
             "--team-id", "TEAM123456", "--key-id", "ABC123DEFG"],
            stdout=subprocess.PIPE, text=True)
        assert "is ready" in self.simulator.stdout.readline()
        self.apns = json.loads((folder / "apns/simulator.json").read_text())
        self.admin = self.apns["admin_url"]
        shutil.copy(folder / "apns/AuthKey_ABC123DEFG.p8", folder)

    def has_command(self, name, text):
        """Puts a command on the reader's PATH: a script of bash."""
        command = self.folder / "bin" / name
        command.write_text(f"#!/bin/bash\n{text}")
        command.chmod(0o755)

    # The service.

    @property
    def url(self):
        address = self.folder / "address"
        return address.read_text().split()[-1].rstrip("/") if address.exists() else "http://127.0.0.1:9"

    def serves(self, *options):
        """Starts the service that the page takes for granted, with one app, and makes an API key."""
        self.shell("carillon apps add --data ./data --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456 --topic " + TOPIC)
        self.shell("carillon serve --data ./data --apns production " + " ".join(options))
        self.makes_a_key()

    def makes_a_key(self):
        self.key = self.shell("carillon api-keys create --data ./data --name tests --scope admin").split()[0]

    # Phones.

    def sign_in_token(self, user):
        def part(value):
            return base64.urlsafe_b64encode(value).rstrip(b"=")

        now = int(time.time())
        claims = {"sub": user, "aud": TOPIC, "iat": now, "exp": now + 300}
        signed = part(b'{"alg":"HS256","typ":"JWT"}') + b"." + part(json.dumps(claims).encode())
        secret = bytes.fromhex((self.folder / "data/sign-in.secret").read_text().strip())
        return (signed + b"." + part(hmac.new(secret, signed, hashlib.sha256).digest())).decode()

    def has_phone(self, installation, user=None, **members):
        """Registers a phone, and waits until APNs has taken a push for it. Returns its token."""
        token = call("POST", f"{self.admin}/devices/{installation}/tokens", {})["token"]
        self.tokens[installation] = token
        body = {"installation": installation, "secret": SECRET, "topic": TOPIC, "environment": "sandbox", "token": token,
                "permission": "authorized"} | members
        if user:
            body["sign_in_token"] = self.sign_in_token(user)
        call("POST", f"{self.url}/v1/devices", body)
        until("a confirmed token", lambda: any(
            device["installation"] == installation for device in call("GET", f"{self.url}/v1/devices", bearer=self.key)["devices"]))
        return token

    def sends(self, message, **members):
        """Sends a message, and waits until APNs has taken its pushes."""
        body = {"id": message, "to": {"everyone": True}, "payload": {"aps": {"alert": "Hello"}}} | members
        sent = call("POST", f"{self.url}/v1/notifications", body, self.key)
        until(f"the end of {message}", lambda: self.report(message)["counts"].get("queued", 0) == 0 and self.report(message)["state"] == "sent")
        return sent

    def report(self, message):
        return call("GET", f"{self.url}/v1/notifications/{message}", bearer=self.key)

    def pushed(self, installation):
        """The payloads that APNs has taken for a phone."""
        return [entry["request"]["payload"] for entry in call("GET", f"{self.admin}/requests")
                if entry.get("request", {}).get("token") == self.tokens[installation] and entry["request"]["status"] == 200]

    def reports(self, installation, message, *events):
        call("POST", f"{self.url}/v1/receipts", {"receipts": [
            {"id": f"r-{message}-{event}", "message": message, "event": event, "at": int(time.time() * 1000)} for event in events]},
            f"{installation}:{SECRET}")

    @contextlib.contextmanager
    def apps_are_deleted(self):
        """Makes events for as long as somebody waits for one: phones lose the app, and APNs refuses their tokens."""
        end = threading.Event()

        def events():
            number = 0
            while not end.is_set():
                number += 1
                token = self.has_phone(f"gone-{number}")
                call("DELETE", f"{self.admin}/tokens/{token}")
                call("POST", f"{self.url}/v1/notifications",
                     {"to": {"devices": [f"gone-{number}"]}, "payload": {"aps": {"alert": "Gone"}}}, self.key)
                end.wait(0.05)

        thread = threading.Thread(target=events)
        thread.start()
        try:
            yield
        finally:
            end.set()
            thread.join()

    # The shell.

    @property
    def environment(self):
        server = {"PGHOST": str(self.database), "PGUSER": "carillon"} if self.database else {}
        return os.environ | server | {
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "HOME": str(self.folder), "LC_ALL": "C.UTF-8", "REAL": CARILLON,
            "PLACE": str(self.folder), "APNS_URL": f"https://localhost:{self.apns['port']}", "APNS_CA": self.apns["ca"],
            "CARILLON": self.url, "CARILLON_URL": self.url, "KEY": self.key or "", "CARILLON_API_KEY": self.key or "",
            "CARILLON_KEY": self.key or ""}

    def prepared(self, text):
        """A block with the reader's own address and key, and with times that are still to come."""
        host = self.url.removeprefix("http://")
        apns = f"localhost:{self.apns['port']}"
        for known, ours in (("127.0.0.1:2197", apns), ("localhost:2197", apns), ("SIMKEY0001", "ABC123DEFG"), ("SIMTEAM001", "TEAM123456")):
            text = text.replace(known, ours)
        text = text.replace("https://push.example.com", self.url).replace("127.0.0.1:8080", host).replace("ck_…", self.key or "")
        soon = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=20)
        return text.replace("2027-01-31", f"{soon:%Y-%m-%d}").replace("2027-01-01", f"{soon - datetime.timedelta(days=30):%Y-%m-%d}")

    def runs_postgresql(self):
        """Starts a PostgreSQL of the reader's own, and lets its programs find it."""
        # Its user is another one, and cannot look into pytest's folders.
        server = pathlib.Path(tempfile.mkdtemp())
        server.chmod(0o755)
        subprocess.run([ROOT / "scripts/postgresql-for-tests.sh", server, str(os.getpid())], check=True, timeout=4 * PATIENCE,
                       stdout=subprocess.DEVNULL)
        self.database = server

    def shell(self, text, program=("bash", "-eu", "-o", "pipefail")):
        """Runs commands, and returns what they print. A program that they leave running does not hold this up."""
        with tempfile.TemporaryFile("w+") as output:
            # Node.js tells by the name whether a file may await at its top.
            is_module = program[0] == "node" and re.search(r"^(import|const \w+ = await) ", text, re.MULTILINE)
            file = self.folder / ("block.mjs" if is_module else "block.go" if program[0] == "go" else "block")
            file.write_text(text)
            run = subprocess.run([*program, str(file)], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                 stdout=output, stderr=subprocess.STDOUT, timeout=4 * PATIENCE, check=False)
            output.seek(0)
            printed = output.read()
        assert run.returncode == 0, f"status {run.returncode} of\n{text}\n{printed}"
        return printed.strip()

    def plays(self, block, text=None):
        """Runs a block of a page, and returns what it prints."""
        self.played.append(block)
        text = self.prepared(textwrap.dedent(block.text if text is None else text))
        try:
            return self.shell(text, PROGRAMS[block.language]) if block.language in PROGRAMS else self.shell(text)
        except AssertionError as error:
            raise AssertionError(f"{block.place}: {error}") from error

    def end(self):
        processes = self.folder / "processes"
        numbers = processes.read_text().split() if processes.exists() else []
        for number in numbers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(number), signal.SIGTERM)
        # They are no children of this process, so their files in /proc tell.
        for number in numbers:
            until(f"the end of {number}", lambda: not pathlib.Path(f"/proc/{number}/cmdline").exists()
                  or not pathlib.Path(f"/proc/{number}/cmdline").read_bytes())
        self.simulator.terminate()
        self.simulator.wait(timeout=PATIENCE)
