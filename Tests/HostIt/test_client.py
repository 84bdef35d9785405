"""The requests of docs/client-without-the-sdk.md, against a service and the APNs simulator."""

import base64
import hashlib
import hmac
import json
import os
import pathlib
import queue
import re
import subprocess
import threading
import time
import urllib.request

import pytest

from page import Shell, blocks

ROOT = pathlib.Path(__file__).resolve().parents[2]
CARILLON = os.environ.get("CARILLON", str(ROOT / ".build/debug/carillon"))
PAGE = (ROOT / "docs/client-without-the-sdk.md").read_text()
TOPIC = "com.example.app"
# Seconds for what takes one on an idle machine.
PATIENCE = 30


def call(method, url, body=None, key=None):
    request = urllib.request.Request(url, method=method, data=None if body is None else json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if key:
        request.add_header("Authorization", f"Bearer {key}")
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        return json.load(response)


def sign_in_token(secret):
    def part(value):
        return base64.urlsafe_b64encode(value).rstrip(b"=")

    now = int(time.time())
    claims = {"sub": "u-42", "aud": TOPIC, "iat": now, "exp": now + 300}
    signed = part(json.dumps({"alg": "HS256", "typ": "JWT"}).encode()) + b"." + part(json.dumps(claims).encode())
    return (signed + b"." + part(hmac.new(secret, signed, hashlib.sha256).digest())).decode()


class World:
    """A service, the simulator, a phone that is attached to it, and the reader's shell."""

    def __init__(self, folder):
        apns = folder / "apns"
        self.simulator = subprocess.Popen(
            [CARILLON, "apns-simulator", "--port", "0", "--admin-port", "0", "--directory", apns, "--topic", TOPIC],
            stdout=subprocess.PIPE, text=True)
        assert "is ready" in self.simulator.stdout.readline()
        about = json.loads((apns / "simulator.json").read_text())
        self.admin = about["admin_url"]
        data = folder / "data"
        self.service = subprocess.Popen(
            [CARILLON, "serve", "--data", data, "--topic", TOPIC, "--port", "0", "--until-stdin-closes",
             "--apns-url", f"https://localhost:{about['port']}", "--apns-ca", about["ca"], "--key", about["key"],
             "--key-id", about["key_id"], "--team-id", about["team_id"]],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        ready = "Carillon is ready at "
        self.url = next(line.strip().removeprefix(ready) for line in self.service.stdout if line.startswith(ready))
        self.key = subprocess.run(
            [CARILLON, "api-keys", "create", "--data", data, "--name", "tests", "--scope", "admin"],
            capture_output=True, text=True, timeout=PATIENCE, check=True).stdout.split()[0]
        self.pushes = queue.Queue()
        self.token = call("POST", f"{self.admin}/devices/mine/tokens", {})["token"]
        self.stream = urllib.request.urlopen(f"{self.admin}/devices/mine/pushes", timeout=PATIENCE)
        threading.Thread(target=self.listen, daemon=True).start()
        secret = bytes.fromhex((data / "sign-in.secret").read_text().strip())
        self.shell = Shell(["bash"], os.environ | {
            "URL": self.url, "TOKEN": self.token, "SIGN_IN": sign_in_token(secret)}, folder)

    def listen(self):
        try:
            for line in self.stream:
                if line.startswith(b"data: "):
                    self.pushes.put(json.loads(line.removeprefix(b"data: ")))
        except (OSError, ValueError):
            pass

    def push(self, wanted):
        """The payload of the next push whose key `carillon` is wanted."""
        while True:
            push = self.pushes.get(timeout=PATIENCE)
            payload = push["payload"] if isinstance(push["payload"], dict) else json.loads(push["payload"])
            if wanted(payload.get("carillon", {})):
                return payload

    def run(self, name):
        [block] = [block for block in blocks(PAGE) if block.name == name]
        return json.loads(self.shell.run(name, block.text))

    def send(self, **members):
        body = {"to": {"user": "u-42"}, "payload": {"aps": {"alert": {"title": "Your train"}}, "line": 4}} | members
        return call("POST", f"{self.url}/v1/notifications", body, self.key)

    def report(self, name):
        return call("GET", f"{self.url}/v1/notifications/{name}", key=self.key)

    def end(self):
        self.shell.end()
        for process in (self.service, self.simulator):
            process.terminate()
            process.wait(timeout=PATIENCE)
        self.stream.close()


@pytest.fixture
def world(tmp_path):
    world = World(tmp_path)
    yield world
    world.end()


def test_the_requests_of_the_page_are_a_whole_client(world):
    # Another installation has the token, as after a reinstall.
    call("POST", f"{world.url}/v1/devices", {
        "installation": "old", "secret": "5e" * 32, "topic": TOPIC, "environment": "sandbox", "token": world.token,
        "permission": "authorized"})
    world.push(lambda key: True)
    registered = world.run("register")
    assert registered["device"] == "phone-1" and registered["user"] == "u-42" and registered["awaits_token"] is True
    claim = world.push(lambda key: "claim" in key)
    assert claim["aps"] == {"content-available": 1}
    assert claim["carillon"]["claim"]["installation"] == "phone-1"
    world.shell.run("value", f"NONCE={claim['carillon']['claim']['nonce']}")
    assert "awaits_token" not in world.run("nonce")
    assert world.run("change")["device"] == "phone-1"

    assert world.send(id="train-42", mode="assured", until=time.time() + 3600)["devices"] == 1
    silent = world.push(lambda key: key.get("id") == "train-42")
    assert silent["aps"] == {"content-available": 1} and silent["line"] == 4
    assert silent["carillon"]["silent"]["alert"] == {"title": "Your train"}
    assert silent["carillon"]["until"] > silent["carillon"]["now"]
    assert world.run("receipts")["removals"] == []
    counts = world.report("train-42")["counts"]
    assert counts["received"] == 1 and counts["shown"] == 1
    assert [message["id"] for message in world.run("inbox")["messages"]] == ["train-42"]

    call("DELETE", f"{world.url}/v1/notifications/train-42", key=world.key)
    removal = world.push(lambda key: "rm" in key)
    assert removal["carillon"]["rm"] == ["train-42"] and "id" not in removal["carillon"]
    assert world.run("sync")["removals"] == ["train-42"]
    world.shell.run("confirm", json_receipt("recalled"))
    assert world.run("sync")["removals"] == []
    assert world.report("train-42")["recall"] == {"confirmed": 1}

    assert world.send(id="visible")["devices"] == 1
    visible = world.push(lambda key: key.get("id") == "visible")
    assert visible["aps"]["mutable-content"] == 1 and visible["aps"]["badge"] == 1
    assert world.run("read")["unread"] == 1
    assert world.run("sign-out")["removals"] is not None
    assert world.send(id="late") | {"id": ""} == {
        "devices": 0, "id": "", "reason": "not-signed-in", "state": "accepted"}


def json_receipt(event):
    return f"""curl -sS --fail-with-body "$URL/v1/receipts" -H "Authorization: Bearer $ID:$SECRET" \\
        -H 'Content-Type: application/json' \\
        -d '{{"receipts": [{{"id": "r-3", "message": "train-42", "event": "{event}", "at": '$(date +%s)000'}}]}}'
"""


def test_the_page_names_every_member_of_the_key_and_every_event():
    source = (ROOT / "Sources/CarillonCore/Wire/CarillonKey.swift").read_text()
    written = set(re.findall(r'members\["(\w+)"\]', source)) | set(re.findall(r'members: \[String: JSONValue\] = \["(\w+)"', source))
    named = set(re.findall(r"^\| `(\w+)` \|", PAGE.split("## Report")[0], re.MULTILINE))
    assert len(written) > 10 and written == named
    events = re.findall(r"^    case (\w+)$", (ROOT / "Sources/CarillonCore/Wire/Receipt.swift").read_text(), re.MULTILINE)
    for event in events:
        assert f"`{event}`" in PAGE.split("## Report")[1], event
