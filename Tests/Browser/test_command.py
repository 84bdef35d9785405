"""`carillon up` as a command: what it keeps, how it ends, and what it says when it cannot begin."""

import json
import subprocess
import urllib.request

from conftest import CARILLON, Phone, Up
from playwright.sync_api import expect


def refused(*arguments):
    """The one sentence of a start that fails."""
    done = subprocess.run([CARILLON, "up", *arguments], capture_output=True, text=True, timeout=20)
    assert done.returncode != 0
    assert done.stdout == ""
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_a_second_start_finds_messages_keys_and_phones(chromium, tmp_path):
    up = Up(tmp_path / "data").start()
    page = chromium.new_page()
    page.goto(up.url)
    for number in (1, 2):
        page.locator(f"[data-phone=phone-{number}] .sheet .strong").click()
        expect(page.locator(f"[data-phone=phone-{number}] .sheet")).to_have_count(0)
    first = up.send({"payload": {"aps": {"alert": "one"}}})
    expect(page.locator(f"[data-message='{first}'] .step[data-event=shown]")).to_have_count(2)
    key = up.key()
    page.close()
    assert up.stop() == 0

    up.start()
    assert up.key() == key
    status, report = up.call("GET", f"/v1/notifications/{first}", headers={"Authorization": f"Bearer {key}"})
    assert status == 200 and report["counts"]["shown"] == 2
    page = chromium.new_page()
    page.goto(up.url)
    expect(page.locator(".phone")).to_have_count(2)
    expect(page.locator(".sheet")).to_have_count(0)
    expect(page.locator(f"[data-message='{first}'] .step[data-event=shown]")).to_have_count(2)
    phone = Phone(page.locator("[data-phone=phone-1]"))
    expect(phone.badge).to_have_text("1")
    up.call("POST", "/phones/phone-1/center", {"open": True})
    expect(phone.listed).to_have_count(1)
    expect(phone.listed).to_contain_text("one")
    phone.listed.click()
    expect(page.locator(f"[data-message='{first}'] .step[data-event=opened]")).to_have_count(1)
    second = up.send({"payload": {"aps": {"alert": "two"}}})
    expect(page.locator(f"[data-message='{second}'] .step[data-event=shown]")).to_have_count(2)
    page.close()
    assert up.stop() == 0


def test_ctrl_c_ends_it_at_once_though_pages_are_open(chromium, tmp_path):
    up = Up(tmp_path / "data").start()
    pages = [chromium.new_page() for _ in range(2)]
    for page in pages:
        page.goto(up.url)
        expect(page.locator("#connection")).to_have_text("Live")
    assert up.stop() == 0
    for page in pages:
        expect(page.locator("#connection")).to_contain_text("lost")
        page.close()


def test_a_busy_port_is_one_sentence(up, tmp_path):
    port = up.url.rsplit(":", 1)[1]
    assert f"port {port}" in refused("--port", port, "--data", str(tmp_path / "other"))


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert "--data" in refused("--port", "0", "--data", str(tmp_path / "file" / "data"))


def test_a_folder_in_use_is_one_sentence(up):
    assert "another 'carillon up'" in refused("--port", "0", "--data", str(up.data))


def why(up, *arguments):
    """What `carillon why` prints, and its exit status."""
    done = subprocess.run([CARILLON, "why", "--url", up.url, *arguments], capture_output=True, text=True, timeout=20)
    return done.stdout + done.stderr, done.returncode


def test_why_tells_where_a_push_was_shown_and_why_not(ui):
    up = ui.up
    assert why(up, "nothing") == ("Ada’s iPhone\n  no pushes\n\nAda’s old iPhone\n  no pushes\n", 1)
    ui.phone(1).answer("Allow")
    ui.phone(2).answer("Don’t Allow")
    ui.phone(1).lock()
    sent = up.send({"payload": {"aps": {"alert": "News"}}})
    expect(ui.step(ui.message(sent), 1, "shown")).to_have_count(1)
    expect(ui.lane(ui.message(sent), 2)).to_contain_text("does not allow")
    text, status = why(up, sent)
    first, second = text.split("Ada’s old iPhone")
    assert status == 0
    assert f"alert push {sent}" in first and "shown: lock screen, list" in first
    assert "does not allow notifications of this app" in second
    text, status = why(up, sent, "--phone", "phone-2", "--json")
    story = json.loads(text)
    assert status == 0 and [phone["phone"] for phone in story] == ["phone-2"]
    assert story[0]["pushes"][0]["notificationID"] == sent
    assert why(up, "another")[1] == 1
    assert why(up, sent[:8], "--phone", "Ada's old iPhone")[0].startswith("Ada’s old iPhone\n")
    assert why(up, sent[:8] + "…")[1] == 0
    assert "several phones begin with Ada: phone-1 (Ada’s iPhone), phone-2" in why(up, "--phone", "Ada")[0]
    for number in (1, 2):
        up.send({"payload": {"aps": {"alert": "Hello"}}, "id": f"twin-{number}"})
        expect(ui.step(ui.message(f"twin-{number}"), 1, "shown")).to_be_visible()
    assert why(up, "twin") == ("Error: several messages begin with twin:\n  twin-2\n  twin-1\n", 1)
    assert "there is no phone phone-9, only phone-1" in why(up, "--phone", "phone-9")[0]
    assert "is 'carillon up' running there?" in why(up, "--url", "http://127.0.0.1:1")[0]


def test_other_sites_and_other_names_are_refused(up):
    for headers in (
        {"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"},
    ):
        status, answer = up.call("GET", "/phones", headers=headers)
        assert status == 403, answer
        assert "api_key" not in answer
    status, _ = up.call("POST", "/phones/phone-1/lock", {}, {"Content-Type": "text/plain"})
    assert status == 415


def test_the_page_has_a_strict_policy(up):
    with urllib.request.urlopen(up.url + "/") as answer:
        policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy


def test_nonsense_is_answered_with_a_sentence(up):
    for path, body, expected, sentence in (
        ("/phones/phone-9/lock", {}, 404, "There is no phone phone-9."),
        ("/phones/phone-1/fly", {}, 404, "There is no phone command fly."),
        ("/phones/phone-1/aeroplane", {}, 422, "on must be true or false"),
        ("/phones/phone-1/tap", {"notification": "none"}, 409, "none"),
        ("/push", {}, 422, "token is 1–256 bytes in hexadecimal"),
        ("/push", {"token": "zz", "payload": {}}, 422, "token is 1–256 bytes in hexadecimal"),
        ("/push", {"token": "aa", "payload": {}}, 422, "payload must be a string: the payload as it is typed"),
    ):
        status, answer = up.call("POST", path, body)
        assert status == expected and sentence in answer["detail"], (path, answer)
