"""recording.py PROGRAM: `carillon record` between a sender and an APNs; what it has written, and what --replay makes of it."""

import contextlib
import json
import pathlib
import re
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request

import httpx
import jwt

PROGRAM = sys.argv[1]


@contextlib.contextmanager
def running(*arguments):
    """A program that has said where it is; its process and its address."""
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    try:
        yield process, re.search(r"at (https://[^\s,]+)", process.stdout.readline()).group(1)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0, process.returncode


def settings(folder):
    return json.loads((folder / "simulator.json").read_text())


def sender(apns, ca):
    claims = {"iss": apns["team_id"], "iat": int(time.time())}
    token = jwt.encode(claims, pathlib.Path(apns["key"]).read_text(), algorithm="ES256", headers={"kid": apns["key_id"]})
    headers = {"authorization": f"bearer {token}", "apns-topic": apns["topic"], "apns-push-type": "alert"}
    trust = ssl.create_default_context(cafile=ca)
    return httpx.Client(http1=False, http2=True, verify=trust, headers=headers, timeout=20)


def admin(apns, method, path, body=None):
    request = urllib.request.Request(apns["admin_url"] + path, method=method, data=json.dumps(body or {}).encode())
    urllib.request.urlopen(request, timeout=20).read()


def send(client, url, token, text="Hello"):
    while True:
        try:
            answer = client.post(f"{url}/3/device/{token}", json={"aps": {"alert": text}, "for": token})
            break
        except httpx.RemoteProtocolError as error:
            # httpx reports a GOAWAY that overtakes its request, which APNs does not process then.
            assert "ConnectionTerminated" in str(error), error
    return answer.status_code, answer.headers.get("retry-after"), answer.text


def record(folder, output, *options):
    """Records nine requests; their answers, and what must not be in the recording."""
    with running("apns-simulator", "--port", "0", "--directory", folder / "apns", "--devices", "3") as (_, upstream):
        apns = settings(folder / "apns")
        first, second, third = apns["device_tokens"]
        away = {"status": 503, "body": '{"reason":"ServiceUnavailable"}', "retry_after_seconds": 1}
        admin(apns, "POST", f"/tokens/{second}/answers", {"answers": [away]})
        admin(apns, "DELETE", f"/tokens/{third}")
        options = ("--url", upstream, "--ca", apns["ca"], "--directory", folder / "recorder", "--output", output, *options)
        with running("record", *options) as (_, url), sender(apns, folder / "recorder/ca.pem") as client:
            answers = [send(client, url, token) for token in (first, second, second, third)]
            assert send(client, url, first, "x" * 3_500)[0] == 200
            admin(apns, "POST", "/goaway", {"reason": "Shutdown"})
            assert [send(client, url, first)[0] for _ in range(4)] == [200] * 4
            secret = client.headers["authorization"].split()[1]
        requests = json.loads(urllib.request.urlopen(apns["admin_url"] + "/requests", timeout=20).read())
        assert len(requests) == 9
    return answers, [first, second, third, secret, apns["key_id"], "authorization"]


def replay(folder, file):
    with running("apns-simulator", "--port", "0", "--directory", folder, "--replay", file) as (_, url):
        apns = settings(folder)
        assert apns["topic"] == "com.example.app"
        first, second, third = apns["device_tokens"]
        with sender(apns, apns["ca"]) as client:
            answers = [send(client, url, token) for token in (first, second, second, third)]
            began = time.monotonic()
            assert [send(client, url, first)[0] for _ in range(6)] == [200] * 6
            assert time.monotonic() - began < 10
        events = json.loads(urllib.request.urlopen(apns["admin_url"] + "/events", timeout=20).read())
        assert [event["connection"]["goaway"] for event in events if "goaway" in event.get("connection", {})] == ["Shutdown"]
        return answers


def refused(folder, text):
    """What --replay says of a text that is no whole recording."""
    file = folder / "broken.jsonl"
    file.write_text(text)
    run = subprocess.run(
        [PROGRAM, "apns-simulator", "--port", "0", "--directory", folder / "broken", "--replay", file], capture_output=True,
        text=True, timeout=60)
    assert run.returncode == 64, run
    return run.stderr


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        file = folder / "recording.jsonl"
        answers, secrets = record(folder, file)
        assert [answer[:2] for answer in answers] == [(200, None), (503, "1"), (200, None), (410, None)], answers
        text = file.read_text()
        for secret in secrets:
            assert secret.lower() not in text.lower(), secret
        lines = [json.loads(line) for line in text.splitlines()]
        assert lines[-1] == {"end": {"requests": 9}}
        assert sum("goaway" in line for line in lines) == 1
        assert len({line["request"]["token"] for line in lines if "request" in line}) == 3
        assert all(line["request"]["payload"]["for"] == line["request"]["token"] for line in lines if "request" in line)
        assert file.stat().st_mode & 0o077 == 0
        assert replay(folder / "again", file) == answers
        assert "line 3: the recording is cut off in this line" in refused(folder, "\n".join(text.splitlines()[:2]) + '\n{"at_ms":')
        assert "line 9: the recording is cut off after this line" in refused(folder, "\n".join(text.splitlines()[:9]) + "\n")
        assert "line 1: this is no recording" in refused(folder, "{}\n")
        again = subprocess.run([PROGRAM, "record", "--directory", folder / "x", "--output", file], capture_output=True, text=True, timeout=60)
        assert again.returncode == 64 and "cannot be created (File exists)" in again.stderr, again
        without = folder / "without.jsonl"
        record(folder / "second", without, "--no-payloads")
        assert "Hello" not in without.read_text() and '"payload"' not in without.read_text()
    print("ok")


main()
