"""Webhooks as a backend has them: the commands, a service that sends, and the receivers of docs/examples."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from test_openapi import CARILLON, READY, ROOT, TOPIC

RECEIVERS = {
    "python": [sys.executable, str(ROOT / "docs/examples/webhook_receiver.py")],
    "node": ["node", str(ROOT / "docs/examples/webhook_receiver.mjs")],
    "java": ["java", str(ROOT / "docs/examples/WebhookReceiver.java")],
    "go": ["go", "run", str(ROOT / "docs/examples/webhook_receiver.go")],
}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.fixture
def service(tmp_path):
    """A service that sends to no APNs; returns a function that runs a command for it."""
    key = tmp_path / "key.p8"
    made = subprocess.run(
        ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
        capture_output=True, check=True, timeout=20)
    key.touch(mode=0o600)
    key.write_bytes(made.stdout)
    process = subprocess.Popen(
        [CARILLON, "serve", "--data", tmp_path / "data", "--topic", TOPIC, "--port", "0", "--key", key,
         "--key-id", "ABCDE12345", "--team-id", "ABCDE12345", "--apns-url", "https://127.0.0.1:1",
         "--webhooks-to-private-networks", "--until-stdin-closes"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        url = next(line.strip().removeprefix(READY) for line in process.stdout if line.startswith(READY))
        made = subprocess.run(
            [CARILLON, "api-keys", "create", "--data", tmp_path / "data", "--name", "tests", "--scope", "admin"],
            capture_output=True, text=True, timeout=20, check=True)
        environment = os.environ | {"CARILLON_API_KEY": made.stdout.split()[0]}

        def run(*arguments):
            return subprocess.run(
                [CARILLON, *arguments, "--url", url], capture_output=True, text=True, timeout=60, env=environment)

        run.environment, run.url = environment, url
        yield run
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)


@pytest.fixture(params=RECEIVERS)
def receiver(request, tmp_path_factory):
    """Starts a receiver; returns a function of port and secret."""
    if shutil.which(RECEIVERS[request.param][0]) is None:
        pytest.skip(f"{request.param} is not installed; make test-senders installs it")
    started = []
    cache = tmp_path_factory.mktemp("go")

    def start(port, secret):
        process = subprocess.Popen(
            [*RECEIVERS[request.param], str(port)],
            env=os.environ | {"WEBHOOK_SECRET": secret, "GO111MODULE": "off", "GOCACHE": str(cache)},
            stdout=subprocess.PIPE, text=True, start_new_session=True)
        started.append(process)
        # A compiler runs first.
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return process
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the receiver does not listen")

    def stop(process):
        # "go run" has the receiver as its child.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=20)

    start.stop = stop
    yield start
    for process in started:
        stop(process)


def test_a_receiver_takes_what_is_signed_and_only_that(service, receiver):
    port = free_port()
    added = json.loads(service("webhooks", "add", f"http://127.0.0.1:{port}/", "--types", "message.accepted").stdout)
    wrong = receiver(port, "whsec_" + "A" * 43 + "=")
    refused = service("webhooks", "test", added["id"])
    assert refused.returncode == 1 and "401" in refused.stderr, refused
    listed = service("webhooks", "list").stdout
    assert "retrying" in listed and "last failure: 401" in listed and max(map(len, listed.splitlines())) <= 80
    receiver.stop(wrong)
    right = receiver(port, added["secret"])
    assert service("webhooks", "resume", added["id"]).returncode == 0
    assert right.stdout.readline().split() == ["webhook.test"]
    sent = service("messages", "send", "--everyone", "--body", "Hello", "--id", "m1")
    assert sent.returncode == 0, sent
    assert right.stdout.readline().split() == ["message.accepted", "m1"]
    assert service("webhooks", "test", added["id"]).stdout == "the endpoint has taken the event\n"
    assert right.stdout.readline().split() == ["webhook.test"]
    rotated = json.loads(service("webhooks", "rotate", added["id"]).stdout)
    assert rotated["secret"] != added["secret"]
    service("messages", "send", "--everyone", "--body", "Hello", "--id", "m2")
    assert right.stdout.readline().split() == ["message.accepted", "m2"], "signed with the former secret too"
    replayed = service("webhooks", "replay", added["id"], "--since", str(int(time.time()) - 3600))
    assert replayed.returncode == 0, replayed
    again = [right.stdout.readline().split() for _ in range(4)]
    assert again == [["webhook.test"], ["message.accepted", "m1"], ["webhook.test"], ["message.accepted", "m2"]]
    assert service("webhooks", "remove", added["id"]).returncode == 0
    assert "no webhook" in service("webhooks", "list").stdout


def tail(service, *options, url=None):
    # A program that is started with SIGINT ignored, as behind a shell's "&", goes on ignoring it.
    return subprocess.Popen(
        [CARILLON, "tail", "--url", url or service.url, *options], env=service.environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def test_tail_shows_events_from_a_cursor_on(service):
    cursor = json.loads(subprocess.run(
        ["curl", "-s", "-H", f"Authorization: Bearer {service.environment['CARILLON_API_KEY']}", f"{service.url}/v1/events"],
        capture_output=True, text=True, timeout=20).stdout)["next"]
    for message in ["m1", "m2"]:
        service("messages", "send", "--everyone", "--body", "Hello", "--id", message)
    for options, expected in [([], "message.accepted   m1"), (["--json"], '"message":"m1"'), (["--message", "m2"], " m2")]:
        process = tail(service, "--after", cursor, *options)
        try:
            line = process.stdout.readline()
            assert expected in line and "\x1b" not in line
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=20) == 0 and process.stderr.read() == ""
        finally:
            process.kill()
            process.communicate(timeout=20)
    for options, words in [
        (["--types", "message.acepted"], "did you mean message.accepted?"), (["--after", "9000-0"], "9000-0"),
        (["--key", "ck_0123456789abcdef_0123456789abcdef"], "401"),
    ]:
        refused = service("tail", *options)
        assert refused.returncode == 1 and words in refused.stderr, refused


def test_tail_goes_on_behind_the_last_event_after_the_connection_was_lost(service):
    """A proxy in between ends the first connection behind its first event."""
    target = int(service.url.rsplit(":", 1)[1].strip("/"))
    heads, connected = [], threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def proxy():
            for number in range(2):
                client, _ = listener.accept()
                with client, socket.create_connection(("127.0.0.1", target)) as server:
                    heads.append(client.recv(1 << 16).decode())
                    server.sendall(heads[-1].encode())
                    with contextlib.suppress(OSError):  # the reader's end, at the end of the test
                        while piece := server.recv(1 << 16):
                            client.sendall(piece)
                            connected.set()
                            if number == 0 and b"m1" in piece:
                                break

        thread = threading.Thread(target=proxy, daemon=True)
        thread.start()
        process = tail(service, "--types", "message.accepted", url=f"http://127.0.0.1:{listener.getsockname()[1]}")
        try:
            assert connected.wait(20)
            lines = []
            for number in range(1, 4):
                sent = service("messages", "send", "--everyone", "--body", "Hello", "--id", f"m{number}")
                assert sent.returncode == 0, sent
                lines.append(process.stdout.readline().split()[-1])
            assert lines == ["m1", "m2", "m3"]
            assert "connecting again" in process.stderr.readline()
            assert "last-event-id" not in heads[0].lower() and "last-event-id: " in heads[1].lower()
        finally:
            process.kill()
            process.communicate(timeout=20)
        thread.join(timeout=20)
