"""`carillon up` as a command: what it keeps, how it ends, and what it says when it cannot begin."""

import subprocess
import urllib.request

from conftest import CARILLON, Up
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
    assert "another carillon up" in refused("--port", "0", "--data", str(up.data))


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
    for path, body in (
        ("/phones/phone-9/lock", {}), ("/phones/phone-1/fly", {}), ("/phones/phone-1/aeroplane", {}),
        ("/phones/phone-1/tap", {"notification": "none"}), ("/push", {}), ("/push", {"token": "zz", "payload": {}}),
    ):
        status, answer = up.call("POST", path, body)
        assert 400 <= status < 500 and answer["detail"], (path, answer)
