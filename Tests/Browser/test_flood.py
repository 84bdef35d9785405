"""Many notifications: what is drawn is what can be seen, and an event redraws what it changed. Nothing sleeps."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import expect

# Several times what is drawn at once.
MANY = 120
# The whole page: two phones with their screens, the first steps, the form, a dozen messages.
ELEMENT_LIMIT = 2700


def send_many(ui, count):
    """Messages of which the last one is the newest on both phones."""
    alert = lambda title: {"payload": {"aps": {"alert": {"title": title, "body": "One of many."}}}}
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: ui.up.send(alert(f"Number {number}")), range(count)))


def in_list(ui, count):
    """All are there: by what a screen reader is told, since not all are drawn."""
    for number in (1, 2):
        ui.phone(number).unfold()
        expect(ui.phone(number).locked.first).to_have_attribute("aria-setsize", str(count), timeout=120_000)


def test_the_number_of_elements_is_bounded_whatever_the_number_of_notifications(ui):
    ui.allow_both()
    for number in (1, 2):
        ui.phone(number).lock()
    send_many(ui, MANY)
    in_list(ui, MANY)
    count = "document.querySelectorAll('*').length"
    assert ui.page.evaluate(count) < ELEMENT_LIMIT
    for number in (1, 2):
        assert ui.phone(number).locked.count() < 30
    shown = ui.phone(1).locked
    seen = set()
    # A screenful at a time, down to the last.
    while True:
        seen |= {int(place) for place in shown.evaluate_all("cards => cards.map((card) => card.ariaPosInSet)")}
        assert shown.count() < 30 and ui.page.evaluate(count) < ELEMENT_LIMIT
        if MANY in seen:
            break
        last = shown.last.get_attribute("aria-posinset")
        ui.page.evaluate("""() => {
          const list = document.querySelector("[data-phone=phone-1] .lock-notes");
          list.scrollTop += list.clientHeight;
        }""")
        expect(shown.last).not_to_have_attribute("aria-posinset", last)
    assert seen == set(range(1, MANY + 1)), "some were never drawn"
    ui.page.locator("[data-phone=phone-1] .lock-notes").evaluate("list => { list.scrollTop = 0 }")
    expect(shown.first).to_have_attribute("aria-posinset", "1")
    ui.phone(2).press("lock")
    expect(ui.phone(2).locked).to_have_count(0)
    # Also what the page does not show any more is gone with a reset.
    ui.up.reset()
    ui.allow_both()
    ui.up.send({"payload": {"aps": {"alert": "Anew"}}})
    expect(ui.phone(2).badge).to_have_text("1")


@pytest.mark.motion
def test_an_event_redraws_only_what_it_changed(ui):
    ui.allow_both()
    for number in (1, 2):
        ui.phone(number).lock()
    first = ui.send(title="One", body="Stays.")
    second = ui.send(title="Two", body="Stays too.")
    for message in (first, second):
        for number in (1, 2):
            expect(ui.step(message, number, "received")).to_be_visible()
            expect(ui.step(message, number, "shown")).to_be_visible()
    ui.phone(2).unfold()
    expect(ui.phone(2).locked).to_have_count(2)
    # The first phone has come to rest.
    expect(ui.phone(1).badge).to_have_text("2")
    expect(ui.phone(1).caption).to_contain_text("suspended")
    ui.phone(1).press("plane")
    expect(ui.phone(1).caption).to_contain_text("offline")
    ui.page.evaluate("""() => {
      window.touched = [];
      // A minute may pass meanwhile: clocks are not meant.
      const watch = (name, element) => new MutationObserver((records) => records.forEach((record) => {
        if (/(-time|-date)$/.test(record.target.className)) return;
        touched.push(`${name}: ${record.type} ${record.attributeName ?? ""} of ${record.target.className ?? record.target.nodeName}`);
      })).observe(element, { subtree: true, childList: true, attributes: true, attributeFilter: ["class", "style", "aria-label", "data-id"] });
      watch("phone 1", document.querySelector("[data-phone=phone-1]"));
      for (const card of document.querySelectorAll("[data-phone=phone-2] .lock-notes .note")) watch("card", card);
      watch("app", document.querySelector("[data-phone=phone-2] .app-screen"));
      for (const message of document.querySelectorAll("[data-message]")) watch("message", message);
    }""")
    third = ui.send(title="Three", body="Only for the second phone now.")
    expect(ui.step(third, 2, "shown")).to_be_visible()
    expect(ui.phone(2).locked).to_have_count(3)
    touched = [line for line in ui.page.evaluate("touched") if "step" not in line]
    assert touched == []
