"""A service, a simulated APNs, and a phone on which u-42 is signed in."""

import base64
import hashlib
import hmac
import json
import os
import pathlib
import subprocess
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
CARILLON = os.environ.get("CARILLON", str(ROOT / ".build/debug/carillon"))
TOPIC = "com.example.app"
SECRET = "5e" * 32
# Seconds for what takes one on an idle machine.
PATIENCE = 30


def sign_in_token(secret, user="u-42"):
    def part(value):
        return base64.urlsafe_b64encode(value).rstrip(b"=")

    now = int(time.time())
    claims = {"sub": user, "aud": TOPIC, "iat": now, "exp": now + 300}
    signed = part(json.dumps({"alg": "HS256", "typ": "JWT"}).encode()) + b"." + part(json.dumps(claims).encode())
    return (signed + b"." + part(hmac.new(secret, signed, hashlib.sha256).digest())).decode()


def call(method, url, body=None, bearer=None):
    request = urllib.request.Request(url, method=method, data=None if body is None else json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if bearer:
        request.add_header("Authorization", f"Bearer {bearer}")
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        return json.load(response)


class World:
    def __init__(self, folder):
        apns, data = folder / "apns", folder / "data"
        self.simulator = subprocess.Popen(
            [CARILLON, "apns-simulator", "--port", "0", "--admin-port", "0", "--directory", apns, "--topic", TOPIC],
            stdout=subprocess.PIPE, text=True)
        assert "is ready" in self.simulator.stdout.readline()
        about = json.loads((apns / "simulator.json").read_text())
        self.admin = about["admin_url"]
        self.service = subprocess.Popen(
            [CARILLON, "serve", "--data", data, "--topic", TOPIC, "--port", "0", "--until-stdin-closes",
             "--apns-url", f"https://localhost:{about['port']}", "--apns-ca", about["ca"], "--key", about["key"],
             "--key-id", about["key_id"], "--team-id", about["team_id"], "--webhooks-to-private-networks"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        ready = "Carillon is ready at "
        self.url = next(line.strip().removeprefix(ready) for line in self.service.stdout if line.startswith(ready)).rstrip("/")
        self.key, self.reader = (self.new_key(data, scope) for scope in ("admin", "read"))
        self.secret = bytes.fromhex((data / "sign-in.secret").read_text().strip())
        self.token = self.new_token()
        self.pushes = urllib.request.urlopen(f"{self.admin}/devices/mine/pushes", timeout=PATIENCE)

    def new_key(self, data, scope):
        made = subprocess.run(
            [CARILLON, "api-keys", "create", "--data", data, "--name", scope, "--scope", scope],
            capture_output=True, text=True, timeout=PATIENCE, check=True)
        return made.stdout.split()[0]

    def nonce(self):
        """The nonce of the next push to the phone that has one, as an app's code gets it."""
        for line in self.pushes:
            if line.startswith(b"data: "):
                payload = json.loads(line.removeprefix(b"data: "))["payload"]
                payload = payload if isinstance(payload, dict) else json.loads(payload)
                if claim := payload.get("carillon", {}).get("claim"):
                    return claim["nonce"]
        raise AssertionError("no push has a nonce")

    def new_token(self):
        return call("POST", f"{self.admin}/devices/mine/tokens", {})["token"]

    def register(self, installation="phone", user="u-42"):
        """Registers an installation, and waits until APNs has accepted its token."""
        registered = call("POST", f"{self.url}/v1/devices", {
            "installation": installation, "secret": SECRET, "topic": TOPIC, "environment": "sandbox", "token": self.token,
            "permission": "authorized", "sign_in_token": sign_in_token(self.secret, user)})
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if "confirmed_at" in call("GET", f"{self.url}/v1/devices/{installation}", bearer=self.key):
                return registered
            time.sleep(0.05)
        raise AssertionError("APNs has not accepted the token")

    def end(self):
        self.pushes.close()
        for process in (self.service, self.simulator):
            process.terminate()
            process.wait(timeout=PATIENCE)
