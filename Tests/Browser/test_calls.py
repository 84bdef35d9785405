"""A call, on a phone whose app asks PushKit for them: it rings over everything, and is answered, declined and ended."""

import re

import pytest
from playwright.sync_api import expect


@pytest.fixture
def phone(ui):
    """With the app for calls, behind the lock screen, and the form ready for a VoIP push to it."""
    ui.allow_both()
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    ui.page.locator(".app-choices summary").click()
    phone = ui.phone(1)
    ui.put(1, "calls")
    phone.lock()
    form = ui.page.locator("#raw-form")
    form.locator("[name=type]").select_option("alert")
    notification_token = ui.page.locator(".device-token")
    expect(notification_token).to_have_text(re.compile("^[0-9a-f]{64}$"))
    token = notification_token.inner_text()
    form.locator("[name=type]").select_option("voip")
    # Calls have a token of their own.
    expect(notification_token).not_to_have_text(token)
    expect(notification_token).to_have_text(re.compile("^[0-9a-f]{64}$"))
    return phone


def push(ui, payload):
    ui.page.locator("[name=payload]").fill(payload)
    ui.page.locator("#raw-form").get_by_role("button", name="Push", exact=True).click()
    expect(ui.page.locator(".apns-answer.good")).to_be_visible()


def screen(phone):
    return phone.root.locator(".call:not(.leaving)")


def test_a_call_rings_over_the_lock_screen_and_is_answered_and_ended(ui, phone):
    push(ui, '{"caller": "Zoë Ångström", "video": true}')
    call = screen(phone)
    expect(call).to_contain_text("Zoë Ångström")
    expect(call).to_contain_text("Calls Video")
    expect(call.get_by_role("button", name="End")).to_be_hidden()
    expect(ui.page.locator("#announcer")).to_have_text(re.compile("rings: Zoë Ångström"))
    expect(phone.root.locator(".status-bar")).to_have_css("color", "rgb(255, 255, 255)")
    ui.picture("call")
    call.get_by_role("button", name="Accept").click()
    expect(call).to_have_attribute("data-state", "active")
    expect(call.get_by_role("button", name="Decline")).to_be_hidden()
    call.get_by_role("button", name="End").click()
    expect(call).to_have_count(0)
    expect(phone.display).to_have_attribute("data-screen", "lock")


def test_a_call_is_declined_also_by_an_app_that_was_force_quit(ui, phone):
    phone.press("lock")
    phone.go_home()
    phone.press("quit")
    expect(phone.caption).to_contain_text("force-quit")
    push(ui, '{"caller": "Ada"}')
    expect(screen(phone)).to_contain_text("Ada")
    screen(phone).get_by_role("button", name="Decline").click()
    expect(screen(phone)).to_have_count(0)


def test_an_app_that_reports_no_call_is_ended_and_the_page_says_why(ui, phone):
    push(ui, '{"caller": "Ada", "report": false}')
    expect(phone.caption).to_contain_text("not running")
    expect(screen(phone)).to_have_count(0)
    ui.page.get_by_role("tab", name="Log").click()
    expect(ui.page.locator("#history")).to_contain_text("iOS terminated the app: it has not reported a call to CallKit")


def test_the_preset_of_a_call_rings_and_says_what_is_missing_where_the_app_takes_no_calls(ui, phone):
    chip = ui.page.get_by_role("group", name="Calls").get_by_role("button", name="A call rings")
    ui.unfold_expected()
    said = ui.page.locator(".expected:visible dd").first
    chip.click()
    expect(said).to_contain_text("The phone rings")
    # A call needs nothing in aps.
    expect(ui.page.locator(".raw-form .checks [data-severity=fine]")).to_contain_text("Goes to PushKit")
    expect(ui.page.locator(".raw-form .check")).to_have_count(1)
    expect(ui.page.locator(".raw-form .preview")).to_contain_text("iOS itself shows nothing.")
    ui.page.locator("#raw-form").get_by_role("button", name="Push", exact=True).click()
    expect(screen(phone)).to_contain_text("Ada Lovelace")
    screen(phone).get_by_role("button", name="Decline").click()
    expect(screen(phone)).to_have_count(0)
    ui.page.locator("#raw-form [name=phone]").select_option("phone-2")
    chip.click()
    expect(said).to_contain_text("Not sent: the app has no token for calls.")


def test_a_call_on_an_unlocked_phone_is_a_banner_that_a_sheet_does_not_cover_and_the_lane_says_that_it_rings(ui, phone):
    phone.press("lock")
    expect(phone.display).to_have_attribute("data-screen", "app")
    push(ui, '{"caller": "Ada"}')
    call = screen(phone)
    expect(call).to_have_class(re.compile("compact"))
    assert call.bounding_box()["height"] < phone.display.bounding_box()["height"] / 4
    now = ui.page.locator(".lane[data-device=phone-1] .lane-now").first
    expect(now).to_have_text("The phone rings.")
    ui.picture("call-banner")
    call.locator(".call-name").click()
    expect(call).not_to_have_class(re.compile("compact"))
    call.get_by_role("button", name="Decline").click()
    expect(call).to_have_count(0)
    expect(now).to_contain_text("No call is there any more.")
    layers = phone.display.evaluate("display => ['.call-slot', '.sheet-slot'].map((slot) => Number(getComputedStyle(display.querySelector(slot)).zIndex))")
    assert layers[0] > layers[1]


def test_a_silent_push_has_its_sentence(ui):
    ui.allow_both()
    ui.phone(1).lock()
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    ui.page.get_by_role("button", name="Creates “hello there”", exact=True).click()
    ui.page.locator("#raw-form").get_by_role("button", name="Push", exact=True).click()
    expect(ui.page.locator(".lane .lane-now").first).to_contain_text("Chime was woken")
