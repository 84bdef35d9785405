"""Live Activities through the service: both examples from their start to their end on both phones, and why one has not arrived."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def live(ui):
    """The form of Live Activities, with both phones behind their lock screens and their tokens at the service."""
    ui.allow_both()
    ui.eventually(
        lambda: all(phone["app"].get("start_token") for phone in ui.up.call("GET", "/phones")[1]["phones"]), "no token to start")
    ui.page.get_by_role("tab", name="Live Activities").click()
    for number in (1, 2):
        ui.phone(number).lock()
    return Live(ui)


class Live:
    def __init__(self, ui):
        self.ui = ui
        self.form = ui.page.locator("#live-form")

    def press(self, name):
        button = self.form.get_by_role("button", name=name, exact=True)
        expect(button).not_to_have_attribute("aria-disabled", "true")
        button.click()

    def choose(self, name):
        self.form.get_by_role("button", name=name, exact=True).click()

    def row(self, number):
        return self.ui.page.locator(f".live-phone[data-phone=phone-{number}]")

    def event(self, number, name):
        return self.row(number).locator(f"[data-event={name}]")

    def card(self, number):
        return self.ui.phone(number).root.locator(".activity:not(.leaving)")

    def started(self):
        """Waits until the tokens for updates are at the service, without which an update waits too."""
        for number in (1, 2):
            expect(self.card(number)).to_have_count(1)
            expect(self.row(number).locator(".live-standing")).to_have_text("APNs has accepted the newest state.")


def test_a_live_match_from_its_start_to_its_dismissal_on_both_phones(live):
    live.press("Start")
    live.started()
    for number in (1, 2):
        expect(live.event(number, "started")).to_be_visible()
        expect(live.card(number)).to_contain_text("Ferrum 0 : 0 Aurum")
    live.press("Goal: 1 : 0")
    for number in (1, 2):
        expect(live.card(number)).to_contain_text("Ferrum 1 : 0 Aurum")
        expect(live.row(number)).to_contain_text("On the screen: Ferrum 1 : 0 Aurum, 23′.")
    live.ui.picture("live-match")
    # Two seconds later it is outdated, and the app says so when it runs.
    live.form.locator("[name=stale]").fill("2")
    live.press("Goal: 1 : 1")
    for number in (1, 2):
        expect(live.card(number)).to_contain_text("Outdated")
        expect(live.row(number)).to_contain_text("1 : 1 Aurum, 58′, outdated.")
        live.ui.phone(number).press("lock")
        live.ui.command(number, "open")
        expect(live.event(number, "stale")).to_be_visible()
        live.ui.phone(number).lock()
    live.press("End")
    for number in (1, 2):
        expect(live.card(number)).to_contain_text("Ended")
        expect(live.event(number, "ended")).to_be_visible()
        live.card(number).get_by_role("button", name="Remove").click()
        expect(live.card(number)).to_have_count(0)
        live.ui.phone(number).press("lock")
        live.ui.command(number, "open")
        expect(live.event(number, "dismissed")).to_be_visible()
        expect(live.row(number)).to_contain_text("Nothing on the screen.")


def test_an_order_arrives_and_leaves_at_once_and_what_did_not_arrive_is_told(live):
    live.choose("An order on its way")
    live.press("Start")
    live.started()
    for number in (1, 2):
        expect(live.card(number)).to_contain_text("4 of 4 stops to go")
    # One phone is offline: APNs keeps the newest push for it alone.
    live.ui.command(2, "aeroplane", on=True)
    live.press("Next stop: 3 to go")
    live.press("Next stop: 2 to go")
    expect(live.card(1)).to_contain_text("Old Market")
    expect(live.row(1).locator(".live-why")).to_be_hidden()
    expect(live.card(2)).to_contain_text("Left the depot")
    expect(live.row(2).locator(".live-why")).to_contain_text("In Airplane Mode")
    live.ui.picture("live-order")
    live.ui.command(2, "aeroplane", on=False)
    expect(live.card(2)).to_contain_text("Old Market")
    expect(live.row(2).locator(".live-why")).to_be_hidden()
    # The person of the other one switches them off.
    live.ui.command(1, "set", setting="live-activities", on=False)
    expect(live.card(1)).to_have_count(0)
    live.press("Next stop: yours")
    expect(live.card(2)).to_contain_text("Round the corner")
    expect(live.row(1)).to_contain_text("Nothing on the screen.")
    live.press("End and remove")
    expect(live.card(2)).to_have_count(0)
    live.press("Another one")
    live.press("Start")
    expect(live.card(2)).to_contain_text("4 of 4 stops to go")
    expect(live.row(1).locator(".live-why")).to_contain_text("switched off")


def test_a_reload_keeps_the_step_and_a_second_start_has_another_name(live):
    live.press("Start")
    live.started()
    live.ui.open()
    live.ui.page.get_by_role("tab", name="Live Activities").click()
    live.press("Goal: 1 : 0")
    expect(live.card(1)).to_contain_text("Ferrum 1 : 0 Aurum")
    live.press("End and remove")
    for number in (1, 2):
        expect(live.card(number)).to_have_count(0)
    live.press("Another one")
    live.press("Start")
    for number in (1, 2):
        expect(live.card(number)).to_contain_text("Ferrum 0 : 0 Aurum")
