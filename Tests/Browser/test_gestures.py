"""A finger on the phones: what follows it, and what it does when it is lifted. The mouse is the finger.

A gesture is decided by time as well: `hold` waits until the page's clock has moved on, as a hand does that rests.
"""

import pytest
from playwright.sync_api import expect

from conftest import at_rest

pytestmark = pytest.mark.motion


class Finger:
    def __init__(self, page):
        self.page = page

    def press(self, element, at=(0.5, 0.5)):
        at_rest(element)
        box = element.bounding_box()
        self.x, self.y = box["x"] + box["width"] * at[0], box["y"] + box["height"] * at[1]
        self.page.mouse.move(self.x, self.y)
        self.page.mouse.down()
        return self

    def drag(self, dx=0, dy=0, steps=4):
        self.x, self.y = self.x + dx, self.y + dy
        self.page.mouse.move(self.x, self.y, steps=steps)
        return self

    def hold(self, milliseconds=250):
        end = self.page.evaluate("performance.now()") + milliseconds
        self.page.wait_for_function("end => performance.now() > end", arg=end)
        return self

    def lift(self):
        self.page.mouse.up()


@pytest.fixture
def finger(ui):
    return Finger(ui.page)


def commands(ui):
    """What the page asks of the phones from now on."""
    asked = []
    ui.page.on("request", lambda request: "/phones/" in request.url and asked.append(request.url.rsplit("/", 1)[1]))
    return asked


def one_on_the_lock_screen(ui):
    ui.allow_both()
    ui.phone(2).lock()
    ui.send(title="Stays", body="Until someone throws it out.", to="user")
    expect(ui.phone(2).locked).to_have_count(1)
    return ui.phone(2).locked.locator(".note-face")


def test_a_drag_that_is_held_still_and_released_goes_back(ui, finger):
    card = one_on_the_lock_screen(ui)
    asked = commands(ui)
    finger.press(card).drag(dx=-50).hold().lift()
    expect(card).to_have_attribute("style", "")
    at_rest(card)
    finger.press(card).drag(dx=-110).hold(80).drag(dx=70, steps=2).lift()
    expect(card).to_have_attribute("style", "")
    assert asked == []
    at_rest(card)
    # Held over its buttons it stays there.
    finger.press(card).drag(dx=-130).hold().lift()
    at_rest(card)
    expect(ui.phone(2).locked.get_by_role("button", name="Clear", exact=True)).to_be_visible()
    assert asked == []
    # So far that it goes back at any speed: how fast a busy machine moves the pointer is not known.
    finger.press(card).drag(dx=130, steps=2).lift()
    expect(card).to_have_attribute("style", "")
    at_rest(card)
    finger.press(card).drag(dx=-230, steps=2).lift()
    expect(ui.phone(2).locked).to_have_count(0)


def test_a_banner_that_is_held_still_and_released_goes_back_and_a_flick_sends_it_away(ui, finger):
    ui.allow_both()
    ui.phone(1).go_home()
    ui.up.send({"payload": {"aps": {"alert": "Up here"}}})
    banner = ui.phone(1).banner.locator(".note-face")
    expect(banner).to_be_visible()
    at_rest(ui.phone(1).banner)
    asked = commands(ui)
    finger.press(banner).drag(dy=-25).hold().lift()
    expect(banner).to_have_attribute("style", "")
    assert asked == []
    finger.press(banner).drag(dy=-60, steps=2).lift()
    expect(ui.phone(1).banner).to_have_count(0)
    assert asked == ["flick"]


def test_a_vertical_drag_on_a_card_opens_nothing_and_scrolls_the_list(ui, finger):
    card = one_on_the_lock_screen(ui)
    asked = commands(ui)
    finger.press(card).drag(dy=-60).lift()
    finger.press(card).drag(dy=40).hold().lift()
    assert asked == []
    expect(ui.phone(2).display).to_have_attribute("data-screen", "lock")
    for number in range(12):
        ui.up.send({"payload": {"aps": {"alert": f"Number {number}"}}})
    ui.phone(2).unfold()
    expect(ui.phone(2).locked.first).to_have_attribute("aria-setsize", "13")
    finger.press(ui.phone(2).locked.nth(2).locator(".note-face")).drag(dy=-120, steps=10).lift()
    scrolled = ui.phone(2).root.locator(".lock-notes").evaluate("list => list.scrollTop")
    assert scrolled > 60
    assert asked == []


def test_lifting_the_finger_after_a_long_press_presses_nothing_beneath(ui, finger):
    card = one_on_the_lock_screen(ui)
    asked = commands(ui)
    # At its lower edge: there the actions come to lie.
    finger.press(card, at=(0.5, 0.9))
    expect(ui.phone(2).locked.locator(".note-action").first).to_be_visible()
    # They rise to their place.
    ui.page.wait_for_function(
        "([x, y]) => document.elementFromPoint(x, y).closest('.note-actions')", arg=[finger.x, finger.y])
    finger.lift()
    finger.hold(100)
    assert asked == ["expand"]
    expect(ui.phone(2).locked).to_have_count(1)
    ui.phone(2).locked.locator(".note-face").press("Escape")
    expect(ui.phone(2).locked.locator(".note-actions")).to_be_hidden()
    assert asked == ["expand", "collapse"]


# Keeps the page busy from the next press on, for so many milliseconds.
BUSY = """(milliseconds) => addEventListener("pointerdown", () => setTimeout(() => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}), { once: true, capture: true })"""


def test_a_quick_drag_on_a_busy_page_is_no_long_press(ui, finger):
    card = one_on_the_lock_screen(ui)
    asked = commands(ui)
    ui.page.evaluate(BUSY, 2500)
    finger.press(card).drag(dx=-230, steps=2).lift()
    expect(ui.phone(2).locked).to_have_count(0)
    assert asked == ["clear"]


def test_the_notification_center_follows_the_finger(ui, finger):
    ui.allow_both()
    ui.up.send({"payload": {"aps": {"alert": "In the list"}}})
    phone = ui.phone(1)
    expect(phone.badge).to_have_text("1")
    phone.go_home()
    center = phone.root.locator(".center")
    bottom = lambda: (lambda box: box["y"] + box["height"])(center.bounding_box())
    asked = commands(ui)
    finger.press(phone.root.locator(".edge-top"))
    start = finger.y
    for way in (60, 150, -80):
        finger.drag(dy=way)
        top = phone.display.bounding_box()["y"]
        assert bottom() == pytest.approx(top + finger.y - start, abs=2)
    expect(phone.listed).to_contain_text("In the list")
    finger.hold().lift()
    expect(phone.display).to_have_attribute("data-center", "closed")
    assert asked == []
    finger.press(phone.root.locator(".edge-top")).drag(dy=260).hold().lift()
    expect(phone.display).to_have_attribute("data-center", "open")
    at_rest(center)
    assert bottom() == pytest.approx(phone.display.bounding_box()["y"] + phone.display.bounding_box()["height"], abs=2)
    finger.press(phone.root.locator(".edge-bottom")).drag(dy=-300).lift()
    expect(phone.display).to_have_attribute("data-center", "closed")
    assert asked == ["center", "center"]


def test_the_app_follows_the_finger_on_its_way_home(ui, finger):
    ui.allow_both()
    phone = ui.phone(1)
    expect(phone.display).to_have_attribute("data-screen", "app")
    at_rest(phone.app)
    width = lambda: phone.app.bounding_box()["width"]
    whole = width()
    asked = commands(ui)
    finger.press(phone.root.locator(".edge-bottom")).drag(dy=-20)
    first = width()
    finger.drag(dy=-150)
    assert width() < first < whole, "it becomes smaller with the finger"
    expect(phone.root.locator(".home-screen")).to_be_visible()
    finger.drag(dy=165).hold().lift()
    at_rest(phone.app)
    assert asked == [] and width() == pytest.approx(whole, abs=1), "it comes back to a finger that does"
    finger.press(phone.root.locator(".edge-bottom")).drag(dy=-150).hold().lift()
    expect(phone.display).to_have_attribute("data-screen", "home")
    expect(phone.app).to_be_hidden()
    assert asked == ["home"]
    phone.root.locator(".app-icon[aria-label^=Chime]").click()
    expect(phone.display).to_have_attribute("data-screen", "app")
    expect(phone.app).to_have_attribute("style", "")


@pytest.mark.parametrize("part", [".lock-time", ".lock-open", ".lock-foot", ".edge-bottom"])
def test_swipe_up_opens_the_phone_from_anywhere_but_the_list(ui, finger, part):
    ui.allow_both()
    ui.phone(1).lock()
    at_rest(ui.phone(1).root.locator(".lock-screen"))
    finger.press(ui.phone(1).root.locator(part)).drag(dy=-90).hold().lift()
    expect(ui.phone(1).display).to_have_attribute("data-screen", "lock")
    at_rest(ui.phone(1).root.locator(".lock-screen"))
    finger.press(ui.phone(1).root.locator(part)).drag(dy=-190, steps=2).lift()
    expect(ui.phone(1).display).to_have_attribute("data-screen", "app")


def test_a_list_in_an_app_scrolls_by_drag_and_wheel_and_opens_nothing(ui, finger):
    ui.allow_both()
    for number in range(16):
        ui.up.send({"payload": {"aps": {"alert": {"title": f"Item {number}", "body": "x"}}}})
    app = ui.phone(1).app
    app.get_by_role("button", name="News").first.click()
    row = app.get_by_text("Item 8", exact=False).first
    expect(row).to_be_visible()
    expect(app.get_by_text("Item 15", exact=False).first).to_be_visible()
    ui.command(1, "flick")
    expect(ui.phone(1).banner).to_have_count(0)
    top = lambda: row.bounding_box()["y"]
    moves = "([row, before]) => Math.abs(row.getBoundingClientRect().y - before) > 40"
    before = top()
    finger.press(row).drag(dy=-160, steps=8).hold().lift()
    ui.page.wait_for_function(moves, arg=[row.element_handle(), before])
    expect(app.get_by_text("Item 5", exact=False).first).to_be_visible()
    before = top()
    ui.page.mouse.wheel(0, -120)
    ui.page.wait_for_function(moves, arg=[row.element_handle(), before])
    assert top() > before
    expect(app.get_by_text("Item 8", exact=False)).to_have_count(1)
