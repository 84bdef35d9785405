"""The client libraries of clients/: against the real service, and against a server on its worst day.

A language whose tools are not installed is skipped, and the skip says so.
"""

import base64
import email.utils
import hashlib
import hmac
import json
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from languages import LANGUAGES, ROOT
from scripted import CUT, SILENCE, Scripted, answer, problem
from world import World

KEY = "ck_0123456789abcdef_c0ffee00c0ffee00c0ffee00c0ffee00"
REPORT = answer(200, {"id": "m", "state": "sent", "mode": "visible", "topic": "t", "revision": 1, "counts": {},
                      "accepted_at": "2027-01-31T12:00:00.000Z", "a_later_member": [1]})
SENT = answer(202, {"id": "m", "state": "accepted", "devices": 1})
WEBHOOK = {"id": "5f0c77aa01b2c3d4", "url": "https://x", "texts": False, "state": "active", "failures": 0, "confirmed": "0-0",
           "newest": "0-0", "created": "2027-01-31T12:00:00.000Z"}


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request, tmp_path_factory):
    made = LANGUAGES[request.param](tmp_path_factory.mktemp(request.param))
    made.name = request.param
    return made


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    world = World(tmp_path_factory.mktemp("world"))
    world.register()
    yield world
    world.end()


def play(language, server, scenario, *arguments, key=KEY, **environment):
    """Plays a scenario, and looks for the key in all that it prints."""
    url = server if isinstance(server, str) else server.url
    environment = {"CLIENT_TIMEOUT": "10000"} | environment
    result = language.play(scenario, *arguments, CARILLON_URL=url, CARILLON_API_KEY=key, **environment)
    assert key not in json.dumps(result)
    return result


# The real service.


def test_the_files_are_made_from_the_document_of_the_service(world):
    run = subprocess.run(
        [sys.executable, ROOT / "scripts/clients.py", world.url, "--check"], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, f"{run.stdout}{run.stderr}\nRepeat it: scripts/clients.py URL of a running service"


def test_a_call_of_the_document_without_a_name_is_told(world, tmp_path):
    with urllib.request.urlopen(f"{world.url}/openapi.json", timeout=20) as answer:
        document = json.load(answer)
    document["paths"]["/v1/bells"] = {"post": {"summary": "Ring", "security": [{"backend": []}], "responses": {}}}
    del document["paths"]["/v1/figures"]
    (tmp_path / "openapi.json").write_text(json.dumps(document))
    run = subprocess.run(
        [sys.executable, ROOT / "scripts/clients.py", tmp_path / "openapi.json", "--check"], capture_output=True, text=True, timeout=60)
    assert run.returncode == 1 and "GET /v1/figures" in run.stderr
    document["paths"]["/v1/figures"] = document["paths"]["/v1/figures/campaigns"]
    (tmp_path / "openapi.json").write_text(json.dumps(document))
    run = subprocess.run(
        [sys.executable, ROOT / "scripts/clients.py", tmp_path / "openapi.json", "--check"], capture_output=True, text=True, timeout=60)
    assert run.returncode == 1 and "POST /v1/bells" in run.stderr


def test_the_example_of_the_page_runs(language, world):
    printed = language.output(language.example, CARILLON_URL=world.url, CARILLON_API_KEY=world.key).splitlines()
    assert printed[0] == "sent to 1 devices"
    assert printed[1].startswith("Dein Zug ")
    assert printed[-3].lower() == "message.accepted true"
    assert printed[-2:] == ["recalled", "404 no-such-message"]


def test_every_call_of_a_backend_works(language, world):
    me = f"c-{language.name[:2]}"
    found = play(language, world.url, "all", me, key=world.key, CARILLON_TOPIC="com.example.app")
    assert "error" not in found, json.dumps(found)
    value = found["value"]
    assert value.pop("timeline")[:3] == ["queued", "sent", "accepted"]
    assert value.pop("report") in ("sending", "sent")
    assert set(value.pop("events")) == {f"{me}-1", f"{me}-2", f"{me}-1.2"}
    assert value == {
        "count": 1, "dry_run": 1, "send": 1, "again": f"{me}-1", "later": "scheduled",
        "steered": ["paused", "scheduled", "cancelled"], "messages": [f"{me}-2", f"{me}-1"], "cancelled": ["Later"],
        "recipients": [["phone", "accepted"]], "resend": f"{me}-1.2", "read": 1, "recall": "recalled", "figures": True,
        "campaigns": [me], "import": 1, "devices": [True], "device": "u-42", "sign_out_device": [], "sign_out_user": 0,
        "user": [f"{me}-1"], "erase_user": 0, "app": 500, "change_app": 0, "started": ["running", {"waiting": 1}],
        "updated": 2, "activity": {"stops": 8}, "phones": ["phone"], "ended": "ended", "secret": True, "changed": True,
        "stale": [412, "precondition"], "rotated": True, "tested": True, "webhooks": [True],
    }


# Errors.


def test_an_error_has_all_that_the_service_says(language):
    with Scripted(problem(409, "other-audience", "the id belongs to others: “ü” 🚆")) as server:
        error = play(language, server, "send")["error"]
    text = error.pop("text")
    assert error == {
        "kind": "api", "status": 409, "type": "urn:carillon:problem:other-audience", "name": "other-audience", "title": "A title",
        "detail": "the id belongs to others: “ü” 🚆", "pointer": "/to", "retry_after": None}
    assert "409 other-audience: A title: the id belongs to others: “ü” 🚆 (at /to)" in text
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [200, 404, 413])
def test_a_page_of_a_proxy_is_an_error_of_its_own(language, status):
    page = f"<html>\n<body>Blocked by policy. You sent: Authorization: Bearer {KEY}</body>" + "x" * 5000
    with Scripted(answer(status, page)) as server:
        error = play(language, server, "report", "m")["error"]
    assert (error["kind"], error["status"], error["type"], error["name"]) == ("api", status, "about:blank", "")
    assert "text/html" in error["detail"] and "Blocked by policy" in error["detail"] and len(error["detail"]) < 400


@pytest.mark.parametrize(
    "body", [b"", b"null", b"[]", b'"text"', b"{\"type\": 7}", b"\xff\xfe\x00"], ids=["none", "null", "list", "text", "type", "bytes"])
def test_an_error_without_a_problem_is_an_error_too(language, body):
    with Scripted(answer(404, body)) as server:
        error = play(language, server, "report", "m")["error"]
    assert (error["status"], error["type"]) == (404, "about:blank")


def test_the_key_is_in_no_text_even_if_the_service_says_it(language):
    with Scripted(problem(401, "unauthorized", f"the key {KEY} is not known")) as server:
        error = play(language, server, "report", "m")["error"]
    assert "the key … is not known" in error["detail"]
    with Scripted(REPORT) as server:
        assert play(language, server, "report", "m")["value"] == "sent"
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("key", [f"{KEY}\n", f"{KEY} ", f"Bearer {KEY}", "schlüssel"], ids=["line", "space", "bearer", "umlaut"])
def test_a_wrong_key_is_refused_without_being_said(language, key):
    result = play(language, "http://127.0.0.1:1", "new", key=key)
    assert result["error"]["kind"] == "argument" and KEY not in json.dumps(result)


@pytest.mark.parametrize("url", ["push.example.com", "ftp://push.example.com", "https://me:secret-word@push.example.com", "https://x/?a=b", ""])
def test_a_wrong_address_is_refused(language, url):
    result = play(language, url, "new")
    assert result["error"]["kind"] == "argument" and "secret-word" not in json.dumps(result)


@pytest.mark.parametrize("message", ["", ".", ".."])
def test_an_id_that_would_be_another_path_is_refused(language, message):
    with Scripted() as server:
        assert play(language, server, "report", message)["error"]["kind"] == "argument"
    assert server.requests == []


def test_a_redirect_is_not_followed(language):
    with Scripted() as other, Scripted(answer(307, b"", Location=f"{other.url}/v1/notifications/m")) as server:
        error = play(language, server, "report", "m")["error"]
    assert error["status"] == 307 and other.url in error["detail"] and other.requests == []


# What is sent, and what is read.


def test_texts_of_all_kinds_arrive(language):
    with Scripted(SENT, REPORT) as server:
        assert play(language, server, "send")["value"] == "m"
        assert play(language, server, "report", "a/b ü?#%2F+", CARILLON_TOPIC="com.example.app")["value"] == "sent"
    first, second = server.requests
    assert json.loads(first.body) == {"to": {"user": "u-42"}, "payload": {"aps": {"alert": "Zug 🚆 ü\u2028\\"}}}
    assert first.headers["content-type"] == "application/json" and len(first.headers["idempotency-key"]) >= 32
    # A plus may stand as it is in a path.
    assert second.target.replace("%2B", "+") == "/v1/notifications/a%2Fb%20%C3%BC%3F%23%252F+?topic=com.example.app"


def test_a_base_path_is_kept(language):
    with Scripted(REPORT) as server:
        assert play(language, server.url + "/push/", "report", "m")["value"] == "sent"
    assert server.requests[0].target == "/push/v1/notifications/m"


def entry(message):
    return {"id": message, "state": "sent", "mode": "visible", "topic": "t", "revision": 1, "counts": {},
            "accepted_at": "2027-01-31T12:00:00.000Z"}


def test_lists_go_through_all_pages_also_empty_ones(language):
    pages = [
        answer(200, {"notifications": [entry("one")], "next": "c/1"}), answer(200, {"notifications": [], "next": "c2"}),
        problem(503, "busy", Retry_After="0"), answer(200, {"notifications": [entry("zwei ü")]})]
    with Scripted(*pages) as server:
        assert play(language, server, "messages")["value"] == ["one", "zwei ü"]
    assert [each.target for each in server.requests] == [
        "/v1/notifications", "/v1/notifications?after=c%2F1", "/v1/notifications?after=c2", "/v1/notifications?after=c2"]


def test_an_empty_list_is_empty(language):
    with Scripted(answer(200, {"notifications": []})) as server:
        assert play(language, server, "messages")["value"] == []


# Repetitions.


@pytest.mark.parametrize("failure", [
    CUT, problem(503, "busy", Retry_After="0"), answer(502, "<html>Bad Gateway"), answer(500, b""),
    SENT[:-5], answer(504, "x", Retry_After="rubbish"), problem(503, "unknown-outcome")],
    ids=["cut", "busy", "proxy", "500", "cut-body", "504", "unknown"])
def test_a_send_is_repeated_with_the_same_key(language, failure):
    with Scripted(failure, SENT) as server:
        assert play(language, server, "send")["value"] == "m"
    first, second = server.requests
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"] and first.body == second.body
    with Scripted(SENT) as server:
        play(language, server, "send")
    assert server.requests[0].headers["idempotency-key"] != first.headers["idempotency-key"]


@pytest.mark.parametrize("is_date", [False, True])
def test_retry_after_is_obeyed(language, is_date):
    # A date counts by the clock of whoever sends it, here one of 2001.
    asked = {"Retry_After": email.utils.formatdate(10**9 + 2, usegmt=True), "Date": email.utils.formatdate(10**9, usegmt=True)}
    with Scripted(problem(429, "too-many-calls", **(asked if is_date else {"Retry_After": "2"})), REPORT) as server:
        times = []
        server.requests = Noting(times)
        assert play(language, server, "report", "m")["value"] == "sent"
    assert 2 <= times[1] - times[0] < 10


class Noting(list):
    def __init__(self, times):
        self.times = times

    def append(self, each):
        self.times.append(time.monotonic())
        super().append(each)


def test_more_than_a_minute_is_left_to_the_caller(language):
    with Scripted(problem(503, "busy", Retry_After="3600")) as server:
        error = play(language, server, "report", "m")["error"]
    assert (error["status"], error["name"], error["retry_after"]) == (503, "busy", 3600)


def test_the_last_failure_is_told(language):
    with Scripted(answer(500, b""), problem(503, "busy")) as server:
        error = play(language, server, "report", "m", CLIENT_ATTEMPTS="2")["error"]
    assert error["name"] == "busy" and len(server.requests) == 2


@pytest.mark.parametrize("failure", [CUT, answer(502, "<html>"), problem(503, "unknown-outcome")], ids=["cut", "proxy", "unknown"])
@pytest.mark.parametrize(
    "scenario", [["test-webhook", "5f0c77aa01b2c3d4"], ["change-webhook", "5f0c77aa01b2c3d4", '"e"']], ids=["test", "change"])
def test_what_may_happen_twice_is_not_repeated(language, scenario, failure):
    with Scripted(failure) as server:
        error = play(language, server, *scenario)["error"]
    assert error["kind"] == ("no-answer" if failure == CUT else "api") and len(server.requests) == 1
    with Scripted(problem(429, "too-many-calls", Retry_After="0"), answer(200, WEBHOOK)) as server:
        assert play(language, server, *scenario)["value"] == "5f0c77aa01b2c3d4"
    if scenario[0] == "change-webhook":
        assert [each.headers["if-match"] for each in server.requests] == ['"e"', '"e"']


def test_a_deletion_whose_answer_was_lost_is_done(language):
    with Scripted(CUT, problem(404, "no-such-device")) as server:
        assert play(language, server, "delete-device", "d")["value"] is None
    with Scripted(problem(404, "no-such-device")) as server:
        assert play(language, server, "delete-device", "d")["error"]["name"] == "no-such-device"


def test_a_file_is_sent_again_from_its_beginning(language, tmp_path):
    file = tmp_path / "tokens.csv"
    file.write_text("token,user\n" + "".join(f"{number:064x},ü-{number}\n" for number in range(2000)), encoding="utf-8")
    report = {"records": 1, "added": 7, "updated": 0, "unchanged": 0, "kept": 0, "refused": 0, "line": 2, "refusals": []}
    with Scripted(CUT, answer(200, report)) as server:
        assert play(language, server, "import", str(file))["value"] == 7
    assert [each.body for each in server.requests] == [file.read_bytes()] * 2
    assert server.requests[0].headers["content-type"] == "text/csv"


def test_a_service_that_is_away_is_an_error_of_its_own(language):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    error = play(language, url, "test-webhook", "5f0c77aa01b2c3d4", CLIENT_ATTEMPTS="2")["error"]
    assert error["kind"] == "no-answer" and url in error["text"] and "refused" in error["text"].lower()


def test_an_answer_that_does_not_come_ends_with_the_timeout(language):
    with Scripted(SILENCE, REPORT[:-20] + b"") as server:
        begun = time.monotonic()
        error = play(language, server, "report", "m", CLIENT_TIMEOUT="500", CLIENT_ATTEMPTS="2")["error"]
    assert error["kind"] == "no-answer" and len(server.requests) == 2 and time.monotonic() - begun < 20


def test_an_answer_that_trickles_ends_with_the_timeout(language):
    with Scripted(SILENCE) as server:
        server.trickle = REPORT
        begun = time.monotonic()
        error = play(language, server, "report", "m", CLIENT_TIMEOUT="1500", CLIENT_ATTEMPTS="1")["error"]
    assert error["kind"] == "no-answer" and time.monotonic() - begun < 20


@pytest.mark.parametrize("waits_for", [SILENCE, problem(503, "busy", Retry_After="50")], ids=["answer", "pause"])
def test_ctrl_c_ends_a_call_and_its_waits(language, waits_for):
    with Scripted(waits_for) as server:
        process = language.start([*language.driver, "report", "m"], CARILLON_URL=server.url, CARILLON_API_KEY=KEY)
        try:
            assert server.came.wait(60)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=10)
        finally:
            process.kill()
    assert process.returncode != 0 and KEY not in out + err


# Webhooks.

SECRETS = ["whsec_" + base64.b64encode(bytes([number]) * 32).decode() for number in (1, 2)]


def signed(secret, identifier, timestamp, body):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.new(key, f"{identifier}.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    return "v1," + base64.b64encode(mac).decode()


@pytest.fixture
def verify(language, tmp_path):
    def verified(secrets, body='{"events": [{"id": "1-0", "type": "message.opened", "at": "2027-01-31T12:00:00Z", "message": "ü"}]}',
                 by=SECRETS[:1], age=0, **changes):
        timestamp = str(int(time.time()) - age)
        headers = {
            "Webhook-Id": "msg_1", "webhook-timestamp": timestamp,
            "webhook-signature": " ".join(["v2,abc", *(signed(each, "msg_1", timestamp, body) for each in by)])}
        request = tmp_path / "request.json"
        request.write_text(json.dumps({"secrets": secrets, "headers": headers, "body": body} | changes))
        return language.play("verify", str(request))

    return verified


def test_a_signed_request_has_its_events(verify):
    assert verify(SECRETS[:1])["value"] == [["message.opened", "ü"]]
    assert verify(SECRETS, by=[SECRETS[1]])["value"] == [["message.opened", "ü"]]
    assert verify(SECRETS[1:], by=SECRETS)["value"] == [["message.opened", "ü"]]
    assert verify(SECRETS[:1], body='{"events": []}')["value"] == []


@pytest.mark.parametrize("changes", [
    {"by": SECRETS[1:]}, {"by": []}, {"age": 600}, {"age": -600}, {"headers": {}}, {"body": "{}"}, {"body": "no json"},
    {"headers": {"webhook-id": "1", "webhook-timestamp": "1e9", "webhook-signature": "v1,x"}}],
    ids=["other-secret", "unsigned", "old", "early", "bare", "no-events", "no-json", "no-time"])
def test_any_other_request_is_refused(verify, changes):
    assert verify(SECRETS[:1], **changes)["error"]["kind"] == "webhook"


@pytest.mark.parametrize("secret", ["whsec_", "whsec_ümlaut-is-no-base64", ""], ids=["empty", "text", "none"])
def test_a_wrong_secret_is_refused_without_being_said(verify, secret):
    error = verify([secret])["error"]
    assert error["kind"] == "argument" and "base64" in error["text"] and "no-base64" not in error["text"]
