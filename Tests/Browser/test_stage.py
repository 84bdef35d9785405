"""The next step, and one truth for each phone: what somebody sees who meets the page for the first time. Nothing sleeps."""

import datetime
import re
import time
import urllib.request

from playwright.sync_api import expect

from conftest import PATIENCE_MS, ROOT, at_rest


def form(ui):
    return ui.page.locator(".compose-form")


def now(ui, message, number):
    """The sentence about the phone's screen."""
    return ui.lane(message, number).locator(".lane-now")


def test_the_first_steps_tick_themselves_off_and_say_what_comes_next(ui):
    steps = ui.page.locator(".first-steps")
    current = steps.locator("[aria-current]")
    other_tab = ui.page.context.new_page()
    other_tab.goto(ui.up.url)
    # Seen while it was in front alone: what is hidden behind another tab hears of the ticks by the browser's storage.
    expect(other_tab.locator(".first-steps [aria-current]")).to_contain_text("Allow")
    ui.page.bring_to_front()
    expect(current).to_contain_text("Allow")
    expect(steps).to_contain_text("Press Allow on a phone")
    expect(form(ui).locator(".caution")).to_contain_text("No phone allows notifications yet")
    ui.allow_both()
    expect(current).to_contain_text("Send")
    expect(form(ui).locator(".caution")).to_be_hidden()
    ui.phone(1).lock()
    message = ui.send(title="First", body="Of all.")
    expect(current).to_contain_text("Tap")
    ui.phone(1).locked.first.locator(".note-face").click()
    expect(current).to_contain_text("Recall")
    second = ui.send(title="Second", body="To be recalled.")
    expect(now(ui, second, 2)).not_to_be_empty()
    second.get_by_role("button", name="Recall").click()
    expect(current).to_contain_text("Let one expire")
    ui.page.reload()
    expect(current).to_contain_text("Let one expire")
    ui.up.send({"payload": {"aps": {"alert": {"title": "Third"}}}, "until": _in(2)})
    expect(steps).to_contain_text("That was all five. The guided scenes show the rest.")
    steps.get_by_role("link", name="Guided scenes").click()
    expect(ui.page.get_by_role("heading", name="Guided scenes")).to_be_visible()
    steps.get_by_role("button", name="Hide").click()
    expect(steps).to_be_hidden()
    expect(other_tab.locator(".first-steps")).to_be_hidden()
    expect(message.locator(".pill")).to_have_text("read")
    # What another tab puts back is put back here too.
    other_tab.evaluate("localStorage.clear()")
    expect(current).to_contain_text("Allow")
    other_tab.evaluate("localStorage.setItem('first-steps', JSON.stringify(['allow', 'send', 'tap', 'recall', 'expire', 'hidden']))")
    expect(steps).to_be_hidden()
    ui.page.reload()
    expect(ui.page.locator(".tagline")).to_be_visible()
    expect(steps).to_be_hidden()


def _in(seconds):
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def test_the_step_tap_asks_for_another_message_when_the_first_is_gone(ui):
    steps = ui.page.locator(".first-steps")
    ui.allow_both()
    message = ui.send(title="First", body="Of all.")
    expect(now(ui, message, 2)).not_to_be_empty()
    expect(steps).to_contain_text("Click its banner or card")
    message.get_by_role("button", name="Recall").click()
    expect(steps).to_contain_text("Send one more, and click it")


def test_each_lane_ends_in_what_its_phone_shows_now(ui):
    ui.allow_both()
    ui.phone(1).go_home()
    ui.phone(2).lock()
    message = ui.send(title="Where is it?", body="Here.")
    expect(now(ui, message, 1)).to_have_text("A banner shows it now.")
    expect(now(ui, message, 2)).to_have_text("On the lock screen.")
    expect(message.locator(".pill")).to_have_text("shown")
    # The banner goes by itself, and the phone says so.
    expect(now(ui, message, 1)).to_contain_text("In the notification center")
    ui.phone(2).locked.first.locator(".note-face").click()
    expect(now(ui, message, 1)).to_have_text("Read on Ada’s old iPhone, so it has gone from this one.")
    expect(ui.lane(message, 1)).to_contain_text("read elsewhere")
    ui.phone(2).press("plane")
    expect(ui.phone(2).caption).to_contain_text("offline")
    late = ui.send(title="Late", body="For one of them.")
    expect(now(ui, late, 2)).to_have_text("It waits at APNs, since this phone is offline.")
    expect(late.locator(".pill")).to_have_text("shown reported by 1 of 2")
    late.get_by_role("button", name="Recall").click()
    expect(now(ui, late, 1)).to_have_text("Taken back: it has gone from this phone.")
    expect(now(ui, late, 2)).to_have_text("Taken back while this phone is offline: it was never shown here.")
    ui.phone(2).press("plane")
    expect(now(ui, late, 2)).to_have_text("Taken back before it was seen here.")


def test_a_message_that_is_titled_like_a_tab_is_not_said_to_be_inside_the_app(ui):
    ui.allow_both()
    expect(ui.phone(1).app).to_contain_text("Podcasts")
    message = ui.send(title="Podcasts", body="A word that Chime shows anyway.")
    expect(now(ui, message, 1)).to_have_text("A banner shows it now.")
    ui.command(1, "flick")
    expect(now(ui, message, 1)).to_contain_text("In the notification center")


def test_a_card_and_its_lane_light_each_other(ui):
    ui.allow_both()
    ui.phone(2).lock()
    for title in ("One", "Two"):
        message = ui.send(title=title, body="Which?")
        expect(ui.step(message, 2, "shown")).to_be_visible()
    ui.lane(message, 2).hover()
    lit = ui.page.locator(".note.lit")
    expect(lit).to_have_count(1)
    expect(lit.locator(".note-title")).to_have_text("Two")
    ui.page.locator("h1").hover()
    expect(lit).to_have_count(0)
    ui.phone(2).unfold()
    ui.phone(2).locked.nth(1).hover()
    expect(ui.page.locator(".lane.lit")).to_have_count(1)
    expect(ui.page.locator(".message", has=ui.page.locator(".lane.lit")).locator(".message-title")).to_have_text("One")


def test_a_scheduled_message_says_when_it_goes_out_and_a_time_that_has_passed_is_asked_about(ui):
    ui.allow_both()
    identifier = ui.up.send({"payload": {"aps": {"alert": {"title": "Later"}}}, "send_at": _in(300)})
    form(ui).locator("summary", has_text="More").click()
    moment = ui.page.evaluate("new Date(Date.now() + 300000 - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 16)")
    form(ui).locator("[name=send_at]").fill(moment)
    form(ui).get_by_role("button", name="Send", exact=True).click()
    expect(form(ui).locator(".outcome")).to_contain_text("Scheduled for")
    message = ui.message(form(ui).locator(".outcome").get_attribute("data-id"))
    expect(message).to_contain_text("Goes out at")
    expect(message).to_contain_text("min")
    expect(ui.message(identifier).locator(".message-title")).to_have_text("Later")
    assert identifier != message.get_attribute("data-message")
    recall = message.locator(".recall")
    recall.click()
    expect(recall).to_contain_text("Undo")
    expect(message.locator(".pill")).to_have_text("being recalled")
    recall.click()
    expect(recall).to_have_text("Recall")
    expect(message.locator(".pill")).to_have_text("scheduled")
    recall.click()
    # Nobody takes it back.
    expect(message.locator(".pill")).to_have_text("recalled")
    form(ui).locator("[name=send_at]").fill("2020-01-01T10:00")
    expect(form(ui).locator(".caution")).to_contain_text("has passed")
    count = ui.page.locator(".message").count()
    form(ui).get_by_role("button", name="Send", exact=True).click()
    expect(form(ui).locator(".outcome")).to_contain_text("Send it at once?")
    assert ui.page.locator(".message").count() == count
    form(ui).get_by_role("button", name="Send", exact=True).click()
    expect(form(ui).locator(".outcome")).to_contain_text("Accepted for")


def test_an_outcome_goes_with_the_next_edit_and_an_audience_of_nobody_is_no_success(ui):
    ui.allow_both()
    form(ui).locator("[name=to]").select_option("where")
    form(ui).locator("[name=where]").fill("tag:nobody")
    form(ui).get_by_role("button", name="Send", exact=True).click()
    outcome = form(ui).locator(".outcome")
    expect(outcome).to_contain_text("nobody is in its audience")
    expect(outcome).to_have_class("outcome warn")
    form(ui).locator("[name=title]").fill("Edited")
    expect(outcome).to_be_empty()
    form(ui).locator("[name=to]").select_option("user")
    form(ui).locator("[name=body]").press("Control+Enter")
    expect(outcome).to_contain_text("Accepted for", timeout=PATIENCE_MS)


def test_the_size_is_that_of_the_push_and_the_expectation_goes_with_an_edit(ui):
    ui.allow_both()
    size, outcome = form(ui).locator(".size"), form(ui).locator(".outcome")
    for audience, mode in (("everyone", "visible"), ("user", "Assured")):
        form(ui).locator("[name=to]").select_option(audience)
        form(ui).locator("[name=title]").fill(f"To {audience}")
        if mode == "Assured":
            form(ui).locator(".segments").get_by_text(mode, exact=True).click()
        expect(size).to_contain_text("bytes, as sent")
        bytes_shown = re.search(r"payload (\d+) of", size.inner_text()).group(1)
        form(ui).get_by_role("button", name="Try").click()
        expect(outcome).to_contain_text(f", {bytes_shown} bytes)")
    form(ui).locator("[name=body]").fill("x" * 3960)
    expect(form(ui).locator(".faults")).to_contain_text("Carillon's own key included")
    expect(form(ui).get_by_role("button", name="Send", exact=True)).to_have_attribute("aria-disabled", "true")
    expect(outcome).to_be_empty()
    ui.unfold_expected()
    expected, foretold = ui.page.locator(".expected:visible"), form(ui).locator(".prediction")
    ui.page.get_by_role("button", name="Flash sale").click()
    expect(foretold.first).to_contain_text("A banner, for as long as it is valid.")
    form(ui).locator("[name=body]").fill("Another text.")
    expect(foretold).to_have_count(0)
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    ui.page.get_by_role("button", name="Creates “hello there”", exact=True).click()
    expect(expected).to_contain_text("A banner: the app itself makes the notification.")
    expect(ui.page.locator(".raw-form .preview")).to_contain_text("iOS itself shows nothing.")
    expect(ui.page.locator(".raw-form .preview .note")).to_be_hidden()
    ui.page.locator("#raw-form [name=phone]").select_option("phone-2")
    expect(expected.locator(".now dt")).to_have_text("Chime in front")
    ui.phone(2).lock()
    expect(expected.locator(".now dt")).to_have_text("Chime in the background")
    ui.page.locator("[name=payload]").fill('{"a": 1}')
    expect(expected).to_have_count(0)


def test_another_app_unlocks_its_phone_and_a_former_installation_is_named_and_folded(ui):
    ui.allow_both()
    ui.wait_for_devices(2)
    ui.phone(1).lock()
    before = ui.send(title="Before", body="To two installations.")
    expect(ui.step(before, 1, "shown")).to_be_visible()
    assert ui.up.call("POST", "/phones/phone-1/app", {"value": "chime"})[0] == 204
    expect(ui.phone(1).display).to_have_attribute("data-screen", "app")
    ui.phone(1).answer("Allow")
    former = lambda message: message.locator(".lane[data-device=phone-1-former]")
    fold = before.get_by_role("button", name="1 former installation")
    expect(former(before)).to_be_hidden()
    fold.click()
    expect(former(before)).to_contain_text("Former installation")
    expect(former(before).locator(".step")).to_have_count(1)
    ui.wait_for_devices(3)
    after = ui.send(title="After", body="To one that is there no more, too.")
    expect(former(after)).to_be_hidden()
    expect(former(after).locator(".step")).to_have_count(1)
    expect(former(after).locator(".step")).to_contain_text("Unregistered")
    expect(ui.step(after, 1, "shown")).to_be_visible()
    expect(after.locator(".pill")).to_have_text("shown")
    expect(after.locator(".lane").last).to_have_attribute("data-device", "phone-1-former")
    ui.picture("former-installation")


def test_a_phone_in_another_language_is_told_from_when_on_it_gets_it(ui):
    ui.allow_both()
    ui.wait_for_devices(2)
    ui.phone(2).lock()
    message = {"payload": {"aps": {"alert": {"title": "Hello"}}}, "localized": {"de": {"title": "Hallo"}}}
    assert ui.up.call("POST", "/phones/phone-2/region", {"value": "de-DE"})[0] == 204
    expect(ui.phone(2).caption).to_contain_text("texts are in English (UK) until Chime runs in Deutsch")
    ui.up.send(message)
    expect(ui.phone(2).locked.first).to_contain_text("Hello")
    # The push has woken the app.
    expect(ui.phone(2).caption).not_to_contain_text("Deutsch")
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while "Hallo" not in ui.phone(2).locked.first.inner_text():
        assert time.monotonic() < deadline
        ui.up.send(message)
        ui.page.wait_for_timeout(200)


def test_a_banner_inside_the_app_is_told_though_notifications_are_denied_and_a_card_after_a_restart(ui):
    hint = ui.page.locator(".first-hint")
    ui.phone(1).answer("Don’t Allow")
    expect(hint).to_contain_text("Press Allow on a phone")
    ui.phone(2).answer("Don’t Allow")
    expect(hint).to_contain_text("Switch notifications on in a phone’s Settings")
    expect(form(ui).locator(".caution")).to_contain_text("Switch them on in a phone’s Settings")
    assert ui.up.call("POST", "/phones/phone-2/set", {"setting": "notifications", "on": True})[0] == 204
    expect(ui.page.locator(".first-steps [aria-current]")).to_contain_text("Send")
    expect(form(ui).locator(".caution")).to_have_text("Ada’s iPhone allows no notifications: iOS shows none there.")
    ui.phone(2).lock()
    ui.page.get_by_role("group", name="Examples").filter(visible=True).get_by_role("button", name="In-app").click()
    inside = ui.send()
    expect(now(ui, inside, 1)).to_contain_text("It is inside Chime, which is open.")
    listed = ui.send(title="Over a restart", body="It stays.", mode="Visible")
    expect(now(ui, listed, 2)).to_have_text("On the lock screen.")
    ui.phone(2).press("restart")
    expect(ui.phone(2).root.locator(".boot")).to_be_visible()
    expect(ui.phone(2).root.locator(".boot")).to_be_hidden()
    expect(ui.phone(2).locked).to_have_count(1)
    expect(now(ui, listed, 2)).to_have_text("On the lock screen.")


# Where a dot is between its ends.
PLACE = "(dot) => dot.offsetLeft / dot.parentElement.offsetWidth"


def test_the_newest_push_is_seen_on_its_way_and_where_it_stops(ui):
    ui.allow_both()
    for motion in ("no-preference", "reduce"):
        ui.page.emulate_media(reduced_motion=motion)
        ui.phone(2).press("plane")
        expect(ui.phone(2).caption).to_contain_text("offline")
        ui.send(title=f"With {motion}", body="On its way.")
        rows = ui.page.locator(".travel-row")
        first, second = rows.filter(has_text="Ada’s iPhone"), rows.filter(has_text="Ada’s old iPhone")
        expect(first.locator(".travel-track")).to_have_attribute("data-at", "phone")
        expect(second.locator(".travel-track")).to_have_attribute("data-at", "apns")
        expect(second.locator(".travel-track")).to_have_class("travel-track stopped")
        expect(second.locator(".travel-reason")).to_contain_text("this phone is offline")

        def place(row):
            dot = row.locator(".travel-dot")
            at_rest(dot)
            return dot.evaluate(PLACE)

        assert place(second) < 0.8 < place(first)
        ui.phone(2).press("plane")
        expect(second.locator(".travel-track")).to_have_attribute("data-at", "phone")
        expect(second.locator(".travel-track")).to_have_class("travel-track")


# Whether no two words of the push's way lie over each other, and the dot lies over none of them.
APART = """(track) => {
  const words = [...track.querySelectorAll(".travel-stop")].map((stop) => {
    const range = document.createRange();
    range.selectNodeContents(stop);
    return range.getBoundingClientRect();
  });
  const row = track.getBoundingClientRect(), dot = track.querySelector(".travel-dot").getBoundingClientRect();
  return words.every((word, index) => word.right <= row.right + 1 && (index === 0 || words[index - 1].right < word.left)
    && (dot.right <= word.left + 1 || word.right <= dot.left + 1));
}"""


def test_the_words_of_the_push_s_way_and_its_dot_stand_apart_on_the_stage(ui):
    ui.allow_both()
    ui.page.set_viewport_size({"width": 1440, "height": 900})
    ui.page.get_by_role("button", name="Stage").click()
    ui.up.send({"payload": {"aps": {"alert": {"title": "On the stage"}}}})
    track = ui.page.locator(".travel-track").first
    expect(track).to_have_attribute("data-at", "phone")
    for station in ("service", "apns", "phone"):
        track.evaluate("(track, station) => { track.dataset.at = station; }", station)
        at_rest(track)
        assert track.evaluate(APART), station


def test_what_is_pointed_at_keeps_its_place_while_messages_come(ui):
    ui.allow_both()
    message = ui.send(title="Pointed at", body="To be recalled.")
    expect(ui.step(message, 2, "shown")).to_be_visible()
    recall = message.get_by_role("button", name="Recall")
    recall.hover()
    box = recall.bounding_box()
    for number in range(3):
        ui.up.send({"payload": {"aps": {"alert": {"title": f"Comes meanwhile {number}"}}}})
        x, y = box["x"] + 10 + number, box["y"] + box["height"] / 2
        ui.page.mouse.move(x, y)
        ui.page.wait_for_timeout(300)
        assert message.evaluate("(message, [x, y]) => message.contains(document.elementFromPoint(x, y))", [x, y])
    ui.page.mouse.down()
    ui.page.mouse.up()
    expect(message.locator(".pill")).to_have_text("recalled")
    ui.page.locator("h1").hover()
    expect(ui.page.locator(".message-title").first).to_have_text("Comes meanwhile 2")
    for index in range(3):
        expect(ui.page.locator(".message").nth(index).locator(".pill")).not_to_have_text("recalled")


def test_the_pages_to_which_the_page_links_are_there(ui):
    link = ui.page.locator(".first-hint a")
    assert link.get_attribute("href") == "#guide=why-not-shown"
    ui.allow_both()
    expect(link).to_have_attribute("href", "#guide=sending")
    scenes = ui.up.call("GET", "/presets")[1]["scenes"]
    pages = {one["page"].split(",")[0] for one in scenes} | {"docs/why-not-shown.md", "docs/sending.md"}
    for page in pages:
        with urllib.request.urlopen(f"{ui.up.url}/{page}") as answer:
            assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
            assert answer.read() == (ROOT / page).read_bytes()


def test_the_control_of_a_step_is_marked_and_a_step_whose_card_has_gone_says_where_it_is(ui):
    marked = lambda locator: expect(locator).to_have_css("outline-style", "solid")
    unmarked = lambda locator: expect(locator).to_have_css("outline-style", "none")
    send = form(ui).get_by_role("button", name="Send", exact=True)
    marked(ui.phone(1).root.get_by_role("button", name="Allow", exact=True))
    unmarked(send)
    ui.allow_both()
    marked(send)
    for number in (1, 2):
        ui.phone(number).go_home()
    message = ui.send(title="Look for me")
    hint = ui.page.locator(".first-hint")
    expect(hint).to_contain_text("Click its banner or card")
    marked(ui.phone(1).banner.locator(".note-face"))
    for number in (1, 2):
        ui.command(number, "flick")
    expect(hint).to_have_text("Its banner has gone: it is in the list. Press Center below Ada’s iPhone. Read more")
    ui.phone(1).press("list")
    marked(ui.phone(1).listed.locator(".note-face"))
    ui.phone(1).listed.locator(".note-face").click()
    # All are read: the next step begins with another message.
    expect(hint).to_contain_text("Press Recall in the timeline")
    marked(message.locator(".recall"))
    ui.page.get_by_role("button", name="Hide", exact=True).click()
    unmarked(message.locator(".recall"))
