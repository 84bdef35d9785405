"""Every payload that a form can be filled with does what stands beneath it, on a phone in each of the three states."""

import re
import subprocess
import time

import pytest
from playwright.sync_api import expect

from conftest import CARILLON, PATIENCE_MS, copied


def command(ui, name, **body):
    status, answer = ui.up.call("POST", f"/phones/phone-1/{name}", body)
    assert status in (204, 409), answer


def badge(ui):
    return ui.up.call("GET", "/phones")[1]["phones"][0]["app"]["badge"]


def start_anew(ui, has_unread=False):
    """Chime in front, with an empty list, and no number on its icon unless messages of the service are unread."""
    had_number = badge(ui) > 0 and not has_unread
    command(ui, "unlock")
    command(ui, "open")
    command(ui, "flick")
    if had_number:
        # Should the number go now, iOS empties the list with it, and the SDK puts it back.
        count = -1
        while count != len(finished_pushes(ui)):
            count = len(finished_pushes(ui))
            ui.page.wait_for_timeout(250)
    command(ui, "clear-all")


def finished_pushes(ui):
    return [push for push in ui.up.call("GET", "/pushes")[1][0]["pushes"] if push["isFinished"]]


def newest(ui):
    """The number of the newest of all that has come to the phone, finished or not."""
    return max((push["number"] for push in ui.up.call("GET", "/pushes")[1][0]["pushes"]), default=0)


def finished_after(ui, number):
    """What has come after the push with this number; one that came before it and took its time is not among them."""
    return [push for push in finished_pushes(ui) if push["number"] > number]


def last_push(ui, apns_id, is_answered=True):
    """What the phone says of a push, when it has done with it; or has it, if its app never answers."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < deadline:
        _, histories = ui.up.call("GET", "/pushes")
        for push in histories[0]["pushes"]:
            if push.get("apnsID", "").lower() == apns_id and (push["isFinished"] or not is_answered):
                return push
        time.sleep(0.02)
    raise AssertionError(f"the phone has not done with the push {apns_id}")


def bring_into(ui, state):
    """Chime in front, or behind the lock screen, or force-quit."""
    command(ui, "unlock")
    command(ui, "open")
    if state == "quit":
        command(ui, "home")
        command(ui, "force-quit")
    if state != "open":
        command(ui, "lock")
    expect(ui.phone(1).display).to_have_attribute("data-screen", "app" if state == "open" else "lock")


# Presses a preset's button and then Push, as the keyboard does; the push's apns-id. test_layout sees that a pointer can, too.
PUSH = """async ({ group, label, limit }) => {
  const form = document.getElementById("raw-form"), answers = form.querySelector(".apns-answers");
  const chips = document.querySelectorAll(`[role=group][aria-label="${group}"] button`);
  [...chips].find((chip) => chip.textContent === label).click();
  form.elements.phone.value = "phone-1";
  form.elements.phone.dispatchEvent(new Event("change", { bubbles: true }));
  const answered = new Promise((resolve, reject) => {
    new MutationObserver(resolve).observe(answers, { childList: true });
    setTimeout(() => reject(new Error("no answer")), limit);
  });
  form.querySelector("button[type=submit]").click();
  await answered;
  const name = [...answers.querySelectorAll(".good dt")].find((term) => term.textContent === "apns-id");
  return name?.nextElementSibling.textContent ?? answers.textContent;
}"""


def push(ui, preset):
    identifier = ui.page.evaluate(PUSH, {"group": preset["group"], "label": preset["label"], "limit": PATIENCE_MS})
    return last_push(ui, identifier.lower())


def looks(ui, shows, title, before):
    """Whether the phone looks as a preset says, when all after the push number `before` has come."""
    phone = ui.phone(1)
    # The page follows the phone a moment later: what must not be there is asked of the phone itself.
    shown = [seen for push in finished_after(ui, before) if (seen := push.get("presentation")) and seen["list"]]
    if shows == "banner":
        expect(phone.banner).to_contain_text(title)
    elif shows in ("list", "stays"):
        expect(phone.locked).to_have_count(1)
    elif shows == "in-app":
        expect(phone.app).to_contain_text(title)
        expect(phone.banner).to_have_count(0)
    elif shows == "quiet":
        assert [(seen["banner"], seen["lockScreen"]) for seen in shown] == [(False, False)]
        expect(phone.banner).to_have_count(0)
        expect(phone.locked).to_have_count(1)
    else:
        # "gone" was shown. "later": after a minute, which tests elsewhere do not wait for.
        assert shows == "gone" or shows in ("nothing", "later") and not shown, shown
        expect(phone.banner).to_have_count(0)
        expect(phone.locked).to_have_count(0)


# What stands beneath a preset when it looks so.
WORDS = {
    "banner": "^A banner", "list": "^(It is in|In) the list|^Shown by iOS|^The same", "in-app": "banner, inside of the app",
    "nothing": "^Nothing|^No notification|^The (default )?sound", "gone": "gone|^Nothing is left", "stays": "^It stays",
    "quiet": "^A quiet entry of the list", "later": "a minute later a visible one follows",
}


def expect_said(ui, preset, state):
    """What stands beneath the form is what the preset says of this state, and that is what is looked for afterwards."""
    name, sentence = preset["expect"][["open", "away", "quit"].index(state)]
    ui.unfold_expected()
    said = ui.page.locator(".expected:visible")
    expect(said).to_contain_text(name)
    expect(said).to_contain_text(sentence)
    assert re.search(WORDS[preset["shows"][state]], sentence), (preset["label"], state, sentence)


def title_of(preset):
    payload = preset["payload"]
    alert = payload["aps"].get("alert", "")
    silent = payload.get("internalData", {}).get("silent", {})
    return payload.get("title") or silent.get("title") or (alert if isinstance(alert, str) else alert.get("title", ""))


@pytest.mark.parametrize("state", ["open", "away", "quit"])
def test_every_push_does_what_is_said(ui, state):
    ui.allow_both()
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    presets = ui.page.evaluate("""async () => (await (await fetch("/presets")).json()).pushes""")
    by_label = {preset["label"]: preset for preset in presets}
    for preset in presets:
        if preset["type"] in ("voip", "liveactivity"):
            # Chime takes no calls and has no Live Activity; test_calls and test_live_activities have the apps.
            continue
        start_anew(ui)
        if "after" in preset:
            bring_into(ui, "away")
            push(ui, by_label[preset["after"]])
        bring_into(ui, state)
        before = newest(ui)
        push(ui, preset)
        expect_said(ui, preset, state)
        looks(ui, preset["shows"][state], title_of(preset), before)
        if preset["label"] == "A 9 on the icon":
            ui.eventually(lambda: badge(ui) == 9)


def test_an_episode_is_found_by_the_next_silent_refresh_alone(ui):
    ui.allow_both()
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    refresh = {"group": "Tutorial", "label": "Refreshes silently"}
    bring_into(ui, "away")
    assert push(ui, refresh)["wake"]["answer"] == "noData"
    ui.page.get_by_role("button", name="Add an episode").click()
    expect(ui.page.locator(".episode-row")).to_contain_text("is in the feed, which has 4 episodes now")
    assert push(ui, refresh)["wake"]["answer"] == "newData"
    assert push(ui, refresh)["wake"]["answer"] == "noData"
    command(ui, "unlock")
    command(ui, "open")
    expect(ui.phone(1).app).to_contain_text("Ringing at night")
    ui.page.get_by_role("tab", name="Log").click()
    for answer in ("new data", "no data"):
        expect(ui.page.locator(".log")).to_contain_text(f"the app answered: {answer}")


def test_the_articles_own_apps_do_what_each_recipe_does_by_itself(ui):
    ui.allow_both()
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    ui.page.locator(".app-choices summary").click()
    phone = ui.phone(1)

    def put(app):
        command(ui, "unlock")
        ui.put(1, app)
        command(ui, "lock")
        expect(phone.display).to_have_attribute("data-screen", "lock")

    put("deletable")
    push(ui, {"group": "Deletable", "label": "Creates “hello there”"})
    expect(phone.locked).to_have_count(1)
    push(ui, {"group": "Deletable", "label": "Deletes it"})
    expect(phone.locked).to_have_count(0)
    put("listed")
    push(ui, {"group": "Deletable", "label": "Creates “hello there”"})
    expect(phone.locked).to_have_count(0)
    put("expiry-guard")
    push(ui, {"group": "Expiring", "label": "Expired: nothing"})
    expect(phone.locked).to_have_count(0)
    push(ui, {"group": "Expiring", "label": "Valid for an hour"})
    expect(phone.locked).to_have_count(1)
    put("tutorial")
    push(ui, {"group": "Tutorial", "label": "Breaking News!"})
    expect(phone.locked).to_have_count(1)
    phone.locked.first.click()
    expect(phone.app).to_contain_text("https://example.org/news")
    put("chime")
    push(ui, {"group": "Deletable", "label": "Creates “hello there”"})
    expect(phone.locked).to_have_count(1)


def test_a_phones_token_is_there_to_copy_with_a_command_line_that_sends(ui):
    ui.allow_both()
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    ui.page.get_by_role("button", name="Breaking News!").click()
    ui.phone(1).lock()
    expect(ui.page.locator(".device-token")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    line = copied(ui.page.get_by_role("button", name="Copy command line")).replace("| carillon ", f"| {CARILLON} ")
    run = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    expect(ui.phone(1).locked).to_contain_text("Breaking News!")


@pytest.mark.parametrize("state", ["open", "away", "quit"])
def test_every_message_does_what_is_said(ui, state):
    ui.allow_both()
    presets = ui.page.evaluate("""async () => (await (await fetch("/presets")).json()).messages""")
    for preset in presets:
        start_anew(ui, has_unread=True)
        bring_into(ui, state)
        before = newest(ui)
        chips = ui.page.get_by_role("group", name="Examples").filter(visible=True)
        chips.get_by_role("button", name=preset["label"], exact=True).click()
        sentence = preset["expect"][["open", "away", "quit"].index(state)][1]
        expect(ui.page.locator(".compose-form .prediction").first).to_contain_text(f"Ada’s iPhone: {sentence}")
        assert re.search(WORDS[preset["shows"][state]], sentence), (preset["label"], state, sentence)
        ui.send()
        ui.eventually(lambda: finished_after(ui, before))
        looks(ui, preset["shows"][state], preset["title"], before)


def test_what_is_no_episode_is_refused(up):
    for body in ([], "Bells", 5, {"title": ""}, {"title": 7}, {"host": "x" * 1000}):
        assert up.call("POST", "/episodes", body)[0] in (400, 422), body
    assert len(up.call("GET", "/podcasts.json")[1]["episodes"]) == 3
    assert up.call("POST", "/episodes", {})[1]["count"] == 4


def test_an_app_has_its_token_to_copy_after_a_restart(up):
    for name, body in (("app", {"value": "deletable"}), ("permission", {"allow": True})):
        status, answer = up.call("POST", f"/phones/phone-1/{name}", body)
        assert status == 204, answer
    token = token_of_first(up)
    assert up.stop() == 0
    up.start()
    assert token_of_first(up) == token


def token_of_first(up):
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < deadline:
        phones = up.call("GET", "/phones")[1]["phones"]
        if phones and phones[0]["app"].get("token"):
            return phones[0]["app"]["token"]
        time.sleep(0.05)
    raise AssertionError("the app has no token")


def test_what_is_said_beforehand_is_said_by_phone_and_ticked_or_crossed_afterwards(ui):
    ui.allow_both()
    ui.phone(1).go_home()
    ui.phone(2).press("plane")
    form = ui.page.locator(".compose-form")
    form.get_by_role("button", name="Breaking news").click()
    rows = form.locator(".prediction")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("Ada’s iPhone: In the list, and on the lock screen.")
    expect(rows.nth(1)).to_contain_text("Ada’s old iPhone: Nothing yet: the phone is offline.")
    ui.phone(2).press("plane")
    ui.command(2, "set", setting="notifications", on=False)
    expect(rows.nth(1)).to_contain_text("Nothing: notifications are not allowed on it.")
    form.locator("[name=to]").select_option("phone-1")
    expect(rows).to_have_count(1)
    form.locator("[name=to]").select_option("user")
    ui.send()
    for row in (0, 1):
        expect(rows.nth(row)).to_have_attribute("data-outcome", "true")
    ui.picture("predictions")
    form.locator("[name=title]").fill("Another")
    expect(rows).to_have_count(0)


def test_the_strip_and_the_lane_say_one_thing_of_a_phone(ui):
    ui.allow_both()
    ui.phone(1).lock()
    ui.phone(2).press("plane")
    message = ui.send(title="One signal")
    rows = ui.page.locator(".travel-row")
    for number, (tone, at) in ((1, ("good", "phone")), (2, ("stopped", "apns"))):
        expect(ui.lane(message, number)).to_have_attribute("data-signal", tone)
        expect(rows.nth(number - 1).locator(".travel-track")).to_have_attribute("data-at", at)
    expect(rows.nth(1).locator(".travel-reason")).to_have_text(ui.lane(message, 2).locator(".lane-now").inner_text().strip())
    # A phone that is back changes both at once.
    ui.phone(2).press("plane")
    expect(ui.lane(message, 2)).to_have_attribute("data-signal", "good")
    expect(rows.nth(1).locator(".travel-track")).to_have_attribute("data-at", "phone")
    expect(rows.nth(1).locator(".travel-reason")).to_be_empty()
