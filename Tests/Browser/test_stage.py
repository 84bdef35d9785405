"""The next step, and one truth for each phone: what somebody sees who meets the page for the first time. Nothing sleeps."""

import datetime

from playwright.sync_api import expect

from conftest import PATIENCE_MS


def form(ui):
    return ui.page.locator(".compose-form")


def now(ui, message, number):
    """The sentence about the phone's screen."""
    return ui.lane(message, number).locator(".lane-now")


def test_the_first_steps_tick_themselves_off_and_say_what_comes_next(ui):
    steps = ui.page.locator(".first-steps")
    current = steps.locator("[aria-current]")
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
    expect(steps).to_be_hidden()
    expect(message.locator(".pill")).to_have_text("read")
    ui.page.reload()
    expect(ui.page.locator(".tagline")).to_be_visible()
    expect(steps).to_be_hidden()


def _in(seconds):
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


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
    expect(now(ui, message, 1)).to_have_text("Read on another device, so it has gone from this one.")
    expect(ui.lane(message, 1)).to_contain_text("read elsewhere")
    ui.phone(2).press("plane")
    expect(ui.phone(2).caption).to_contain_text("offline")
    late = ui.send(title="Late", body="For one of them.")
    expect(now(ui, late, 2)).to_have_text("It waits at APNs, since this phone is offline.")
    expect(late.locator(".pill")).to_have_text("shown on 1 of 2")
    late.get_by_role("button", name="Recall").click()
    expect(now(ui, late, 1)).to_have_text("Taken back: it has gone from this phone.")
    ui.phone(2).press("plane")
    expect(now(ui, late, 2)).to_have_text("Taken back before it was seen here.")


def test_a_message_that_is_titled_like_a_tab_is_not_said_to_be_inside_the_app(ui):
    ui.allow_both()
    expect(ui.phone(1).app).to_contain_text("Podcasts")
    message = ui.send(title="Podcasts", body="A word that Chime shows anyway.")
    expect(now(ui, message, 1)).to_have_text("A banner shows it now.")
    # The banner goes by itself.
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
    expect(form(ui).locator(".outcome")).to_contain_text("Scheduled as")
    message = ui.message(form(ui).locator(".outcome").get_attribute("data-id"))
    expect(message).to_contain_text("Goes out at")
    expect(message).to_contain_text("min")
    assert identifier != message.get_attribute("data-message")
    form(ui).locator("[name=send_at]").fill("2020-01-01T10:00")
    expect(form(ui).locator(".caution")).to_contain_text("has passed")


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
    expect(outcome).to_contain_text("Accepted as", timeout=PATIENCE_MS)
