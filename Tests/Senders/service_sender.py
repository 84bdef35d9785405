"""service_sender.py PROGRAM: `carillon serve` as a sender for `carillon check-sender`: one message to every device token.

It waits until APNs has taken or refused each push, or until SECONDS have passed ($CARILLON_WAIT, 25 unless said), and ends well if
APNs has taken all of them. Its payload is its own and not $APNS_PAYLOAD: the service adds a key with the message's id, and refuses a
message that has more than 4096 bytes with it.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

PROGRAM = sys.argv[1]
WAIT = float(os.environ.get("CARILLON_WAIT", 25))
PENDING = ("queued",)


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=True, timeout=60).stdout


def main():
    tokens = os.environ["APNS_DEVICE_TOKENS"].split()
    apns = {name: os.environ.get(f"APNS_{name.upper()}") for name in ("url", "ca", "key", "key_id", "team_id", "topic")}
    credential = ["--key", apns["key"], "--key-id", apns["key_id"], "--team-id", apns["team_id"]]
    with tempfile.TemporaryDirectory() as name:
        data = pathlib.Path(name)
        if not apns["key"]:
            credential = []
            run("apps", "add", "--data", data, "--topic", apns["topic"], "--certificate", os.environ["APNS_CERTIFICATE"])
        serve = subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", "--data", data, "--topic", apns["topic"], "--apns-url", apns["url"], "--apns-ca", apns["ca"],
             *credential],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            address = serve.stdout.readline().split("ready at ")[1].split()[0].rstrip(",")
            key = run("api-keys", "create", "--data", data, "--name", "sender").split()[0]
            devices = data / "devices.csv"
            devices.write_text("\n".join(["token,environment", *(f"{token},sandbox" for token in tokens)]) + "\n")
            run("devices", "import", "--data", data, "--topic", apns["topic"], devices)

            def call(path, body=None):
                request = urllib.request.Request(
                    address + path, data=None if body is None else json.dumps(body).encode(),
                    headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"})
                with urllib.request.urlopen(request, timeout=20) as answer:
                    return json.loads(answer.read())

            message = call("/v1/notifications", {"to": {"everyone": True}, "payload": {"aps": {"alert": "Hello"}}})["id"]
            end = time.monotonic() + WAIT
            counts = {}
            while time.monotonic() < end:
                counts = call(f"/v1/notifications/{message}")["counts"]
                if counts.get("accepted", 0) == len(tokens) or not any(counts.get(state) for state in PENDING):
                    break
                time.sleep(0.1)
            print(counts)
            return 0 if counts.get("accepted", 0) == len(tokens) else 1
        finally:
            serve.terminate()
            serve.wait(timeout=30)


sys.exit(main())
