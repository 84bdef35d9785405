"""The banner of Chime's own, seen and dragged with the mouse. Every wait is for something that is to be seen."""

import re

import pytest
from playwright.sync_api import expect

from conftest import SCREENSHOTS


# Whether neither place nor size of a view has changed for 100 ms: the phone says where it is every 25 ms while it moves.
STANDS = """async (view) => {
  const box = () => `${view.style.top} ${view.style.height}`, before = box();
  await new Promise((resolve) => setTimeout(resolve, 100));
  return box() === before;
}"""


class Banner:
    """The in-app banner of a phone, and a mouse for a finger."""

    def __init__(self, phone, page):
        self.phone = phone
        self.page = page
        self.view = phone.app.locator("[data-identifier='carillon.banner']")

    def post(self):
        """Chooses an episode, which posts a banner, and waits until it rests."""
        self.phone.app.get_by_text("Bells of the old town").click()
        expect(self.view).to_be_visible()
        self.rests()
        return self

    def top(self):
        return float(self.view.evaluate("view => parseFloat(view.style.top)"))

    def height(self):
        return float(self.view.evaluate("view => parseFloat(view.style.height)"))

    def rests(self):
        safe = self.phone.display.evaluate("view => parseFloat(view.style.getPropertyValue('--safe-top'))")
        self.wait("top === argument", max(8, safe))
        # And does not only come by.
        while not self.view.evaluate(STANDS):
            pass

    def press(self):
        box = self.view.bounding_box()
        self.x, self.y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(self.x, self.y)
        self.page.mouse.down()

    def pull(self, dy, steps=8):
        self.page.mouse.move(self.x, self.y + dy, steps=steps)

    def release(self):
        self.page.mouse.up()

    def watch(self):
        """Notes on the page, from now on, when the banner goes: a look from here may come late."""
        self.page.evaluate(
            """() => {
                window.watched = { start: performance.now(), end: null };
                const look = () => {
                    const isGone = !document.querySelector("[data-identifier='carillon.banner']");
                    if (isGone) window.watched.end ??= performance.now();
                };
                new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true });
            }"""
        )

    def seconds_until_gone(self):
        expect(self.view).to_have_count(0)
        self.page.wait_for_function("() => window.watched.end !== null")
        return self.page.evaluate("(window.watched.end - window.watched.start) / 1000")

    def wait(self, condition, argument):
        self.page.wait_for_function(
            "([view, argument]) => { const top = parseFloat(view.style.top), height = parseFloat(view.style.height);"
            f" return {condition}; }}", arg=[self.view.element_handle(), argument])


@pytest.fixture
def banner(ui):
    ui.allow_both()
    return Banner(ui.phone(1), ui.page).post()


def test_it_rests_below_the_island_in_a_window_above_the_app(banner, ui):
    windows = banner.phone.app.locator(".ui-window")
    expect(windows).to_have_count(2)
    expect(windows.last.locator("[data-identifier='carillon.banner']")).to_have_count(1)
    expect(banner.view).to_contain_text("Now playing")
    ui.picture("banner")
    banner.phone.display.screenshot(path=picture_path("banner-close"))


def test_pulled_down_it_opens_and_shows_the_whole_text(banner, ui):
    before, rest = banner.height(), banner.top()
    banner.press()
    banner.pull(110)
    banner.wait("top > argument", rest + 5)
    banner.release()
    banner.wait("height > argument", before + 10)
    banner.rests()
    ui.picture("banner-open")
    banner.phone.display.screenshot(path=picture_path("banner-open-close"))


# How far the letters of each text of the banner reach, and which texts lie on one another.
TEXT_PROBLEMS = """() => {
  const banner = document.querySelector("[data-identifier='carillon.banner']");
  const texts = [...banner.querySelectorAll(".ui-content")].filter((content) => content.checkVisibility() && content.textContent.trim());
  const boxes = texts.map((content) => {
    const range = document.createRange();
    range.selectNodeContents(content);
    const lines = content.querySelector(".ui-text") ?? content;
    const all = range.getBoundingClientRect(), part = lines.getBoundingClientRect();
    const isCut = getComputedStyle(lines).webkitLineClamp !== "none";
    const box = isCut ? new DOMRect(all.x, Math.max(all.y, part.y), all.width, Math.min(all.height, part.height)) : all;
    return { text: content.textContent, box, frame: content.parentElement.getBoundingClientRect() };
  });
  const problems = [];
  for (const { text, box, frame } of boxes) {
    if (box.height > frame.height + 3 || box.width > frame.width + 1.5) problems.push(`${text}: ${box.width}x${box.height} in ${frame.width}x${frame.height}`);
  }
  boxes.forEach((one, index) => boxes.slice(index + 1).forEach((other) => {
    const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
    const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
    if (down > 2 && across > 1) problems.push(`${one.text} and ${other.text} lie on one another`);
  }));
  return problems;
}"""


def test_opened_its_lines_are_as_wide_as_the_phone_has_computed_and_none_lies_on_another(banner, ui):
    assert ui.page.evaluate(TEXT_PROBLEMS) == []
    closed = banner.height()
    banner.press()
    banner.pull(90)
    banner.release()
    banner.wait("height > argument", closed)
    banner.rests()
    ui.picture("banner-open")
    assert ui.page.evaluate(TEXT_PROBLEMS) == []


def test_flicked_up_it_goes(banner):
    banner.press()
    banner.pull(-60, steps=3)
    banner.watch()
    banner.release()
    assert banner.seconds_until_gone() < 4, "not by itself, after six seconds"


def test_let_go_half_way_it_springs_back(banner):
    rest = banner.top()
    banner.press()
    banner.pull(-12)
    banner.wait("top < argument", rest - 5)
    # The finger lies still, so that it does not flick.
    banner.page.wait_for_function("start => performance.now() - start > 200", arg=now(banner.page))
    banner.release()
    banner.rests()


def test_a_finger_on_it_stops_its_time(banner):
    banner.press()
    banner.watch()
    banner.page.wait_for_function("start => performance.now() - start > 7000", arg=now(banner.page))
    assert banner.page.evaluate("window.watched.end") is None, "it did not go in between"
    expect(banner.view).to_be_visible()
    banner.release()
    expect(banner.phone.app.get_by_text("chime.example.com").first).to_be_visible()


def test_a_tap_opens_its_link(banner):
    banner.view.click()
    expect(banner.phone.app.get_by_text("chime.example.com").first).to_be_visible()
    expect(banner.view).to_have_count(0)


def test_touches_beside_it_reach_the_app_below(banner):
    # With the mouse: the banner's window lies over the whole screen, and lets through what is not for the banner.
    box = banner.phone.app.get_by_role("button", name="News").bounding_box()
    banner.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(banner.view).to_be_visible()
    expect(banner.phone.app.get_by_text("Bells of the old town", exact=True)).to_have_count(0)


def test_it_needs_no_permission(ui):
    ui.phone(1).answer("Don’t Allow")
    ui.phone(2).answer("Don’t Allow")
    expect(ui.phone(1).caption).to_contain_text("notifications are not allowed")
    banner = Banner(ui.phone(1), ui.page).post()
    banner.press()
    banner.pull(-60, steps=3)
    banner.release()
    expect(banner.view).to_have_count(0)
    ui.send(title="For those who said no", body="Shown by Chime itself.")
    expect(banner.view).to_have_attribute("aria-label", re.compile("For those who said no"))


def test_it_goes_by_itself_after_six_seconds(banner):
    banner.watch()
    # It has come up to two seconds before; a busy machine takes longer to draw.
    assert 4 < banner.seconds_until_gone() < 12


def now(page):
    return page.evaluate("performance.now()")


def picture_path(name):
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS / f"{name}.png"
