"""A Live Activity on the lock screen: started by push and by its app, changed, ended, removed, and switched off."""

import re

import pytest
from playwright.sync_api import expect


@pytest.fixture
def phone(ui):
    """With the app Match, behind the lock screen, and the form ready for it."""
    ui.allow_both()
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    ui.page.locator(".app-choices summary").click()
    phone = ui.phone(1)
    ui.put(1, "match")
    ui.eventually(lambda: ui.up.call("GET", "/phones")[1]["phones"][0]["app"].get("start_token"), "match has no token to start")
    phone.lock()
    return phone


def play(ui, label):
    ui.page.get_by_role("group", name="Live Activity").get_by_role("button", name=label).click()
    ui.page.locator("#raw-form").get_by_role("button", name="Push", exact=True).click()


def cards(phone):
    return phone.root.locator(".activity:not(.leaving)")


def test_a_match_begins_by_push_and_the_card_follows_it_to_its_end(ui, phone):
    play(ui, "A match begins")
    expect(ui.page.locator(".apns-answer.good")).to_be_visible()
    card = cards(phone)
    expect(card).to_have_count(1)
    expect(card).to_contain_text("Ferrum 0 : 0 Aurum")
    # Its own token is in the form, beside the one that starts it.
    ui.eventually(lambda: ui.up.call("GET", "/phones")[1]["phones"][0]["app"].get("activity_token"), "the card has no token")
    play(ui, "A goal")
    expect(card).to_contain_text("Ferrum 1 : 0 Aurum")
    expect(card.locator("progress")).to_have_js_property("value", 37 / 90)
    ui.picture("live-activity")
    play(ui, "The end")
    expect(card).to_contain_text("Ended")
    expect(card).to_contain_text("Ferrum 2 : 1 Aurum")
    play(ui, "A goal")
    expect(ui.page.locator(".apns-answer.bad")).to_contain_text("Unregistered")
    card.get_by_role("button", name=re.compile("Remove")).click()
    expect(cards(phone)).to_have_count(0)


def test_the_dynamic_island_has_the_progress_while_the_app_is_not_in_front(ui, phone):
    island = phone.display.locator(".island")
    play(ui, "A match begins")
    play(ui, "A goal")
    expect(cards(phone)).to_contain_text("Ferrum 1 : 0 Aurum")
    expect(island).not_to_contain_text("%")
    phone.press("lock")
    expect(phone.display).not_to_have_attribute("data-screen", "lock")
    phone.press("home")
    expect(island).to_contain_text("41 %")
    ui.picture("dynamic-island")
    ui.command(1, "open")
    expect(island).not_to_contain_text("%")
    phone.press("home")
    expect(island).to_contain_text("41 %")
    play(ui, "The end")
    expect(island).not_to_contain_text("%")


def test_the_switch_removes_the_card_and_the_log_says_why_no_other_comes(ui, phone):
    play(ui, "A match begins")
    expect(cards(phone)).to_have_count(1)
    ui.command(1, "set", setting="live-activities", on=False)
    expect(cards(phone)).to_have_count(0)
    play(ui, "A match begins")
    ui.page.get_by_role("tab", name="Log").click()
    expect(ui.page.locator("#history")).to_contain_text("switched Live Activities off")


def test_the_app_starts_its_own(ui, phone):
    phone.press("lock")
    # The phone itself says that it is unlocked; its list was empty before.
    expect(phone.display).not_to_have_attribute("data-screen", "lock")
    ui.command(1, "open")
    phone.app.get_by_text("Follow Ferrum – Aurum").click()
    expect(phone.app).to_contain_text("is on the lock screen")
    phone.lock()
    expect(cards(phone)).to_have_count(1)
