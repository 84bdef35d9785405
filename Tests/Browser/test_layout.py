"""Where things lie on the page, in windows from a small phone to a large screen. One page is resized; nothing sleeps."""

import gzip
import urllib.request

import pytest
from playwright.sync_api import expect

from conftest import FRAMES, PhonesUI

SIZES = [
    (320, 568), (375, 667), (414, 896), (561, 568), (600, 800), (768, 1024), (900, 600), (941, 568), (941, 700),
    (1024, 768), (1180, 820), (1280, 720), (1340, 900), (1440, 900), (1920, 1080), (2560, 1440),
]

# What is wrong with the boxes of the page, in words. Half a pixel is rounding.
BOX_PROBLEMS = """() => {
  const problems = [];
  const page = document.documentElement;
  const all = (selector, root = document) => [...root.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  const box = (element) => element.getBoundingClientRect();
  const name = (element) => `${element.closest("[data-phone]")?.dataset.phone ?? ""} ${element.id || element.getAttribute("class")}`.trim();
  const apart = (first, second) => {
    const [one, other] = [box(first), box(second)];
    const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (across > .5 && down > .5) problems.push(`${name(first)} and ${name(second)} overlap by ${across} x ${down}`);
  };
  const pairs = (elements) => elements.forEach((one, index) => elements.slice(index + 1).forEach((other) => apart(one, other)));
  const inside = (inner, outer) => {
    const [one, other] = [box(inner), box(outer)];
    if (one.left < other.left - .5 || one.right > other.right + .5 || one.top < other.top - .5 || one.bottom > other.bottom + .5)
      problems.push(`${name(inner)} sticks out of ${name(outer)}: ${one.left}..${one.right} of ${other.left}..${other.right}`);
  };

  scrollTo(0, 0);
  if (page.scrollWidth > page.clientWidth) problems.push(`the document is ${page.scrollWidth} wide`);
  const phones = all(".phone");
  const cards = all("#compose, #history");
  pairs([...phones, ...cards]);
  const parts = phones.map((phone) => all(".phone-name, .phone-body, .control, .phone-caption", phone));
  parts.forEach(pairs);
  for (const part of parts.flat()) for (const card of cards) apart(part, card);
  for (const part of parts[0]) for (const other of parts[1]) apart(part, other);
  for (const phone of phones) {
    for (const part of all(".phone-name, .phone-body, .controls, .control, .phone-caption", phone)) inside(part, phone);
    for (const label of all(".control span, .control .icon", phone)) inside(label, label.parentElement);
    inside(phone.querySelector(".display"), phone.querySelector(".phone-body"));
    for (const part of all(".lock-tool, .lock-open, .sheet, .app-icon, .widget, .island", phone)) inside(part, phone.querySelector(".display"));
    const height = box(phone.querySelector(".controls")).bottom - box(phone).top;
    if (height > innerHeight) problems.push(`${name(phone)} with its controls is ${height} high`);
  }
  for (const card of cards) {
    if (card.scrollWidth > card.clientWidth) problems.push(`${name(card)}: its content is ${card.scrollWidth} wide of ${card.clientWidth}`);
    for (const part of all("button, input, select, textarea, p, .lane, .step, .json", card)) inside(part, card);
  }
  return problems;
}"""

# Which controls of the page cannot be pressed at their center, once they have been scrolled into view.
PRESS_PROBLEMS = """() => {
  const problems = [];
  const selector = ".control, .side-button, .card button, .card summary, .card select, .card textarea, .card label, .card input";
  for (const control of document.querySelectorAll(selector)) {
    if (!control.checkVisibility() || getComputedStyle(control).pointerEvents === "none") continue;
    control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const name = `${control.closest("[data-phone]")?.dataset.phone ?? ""} ${control.ariaLabel || control.name || control.textContent}`.trim();
    if (left < 0 || right > innerWidth || top < 0 || bottom > innerHeight) problems.push(`${name} lies at ${left}..${right}, ${top}..${bottom}`);
    const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!control.contains(found)) problems.push(`over ${name} lies ${found?.className || found?.tagName}`);
  }
  return problems;
}"""

# Which of the notifications that can be seen stick out of the screen of their phone.
CARD_PROBLEMS = """() => [...document.querySelectorAll(".display .note:not(.leaving)")].filter((note) => note.checkVisibility({ visibilityProperty: true }))
  .flatMap((note) => [note, ...note.querySelectorAll(".note-face, .note-words, .note-head, .note-title, .note-time, .note-subtitle, .note-body")])
  .filter((part) => part.checkVisibility()).flatMap((part) => {
    const [one, screen] = [part.getBoundingClientRect(), part.closest(".display").getBoundingClientRect()];
    return one.left < screen.left || one.right > screen.right ? [`${part.className}: ${one.left}..${one.right} of ${screen.left}..${screen.right}`] : [];
  })"""


def at_every_size(ui, script):
    """What the script finds wrong, with the size of the window."""
    found = []
    for width, height in SIZES:
        ui.page.set_viewport_size({"width": width, "height": height})
        # A script makes parts as wide as their place with the next frame.
        ui.page.evaluate(FRAMES)
        found += [f"{width}x{height}: {problem}" for problem in ui.page.evaluate(script)]
    return found


# Notes from the first moment on how far what was drawn has been moved (https://web.dev/articles/cls).
SHIFTS = """window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    shifts.push({ value, hadRecentInput, names: sources.map(({ node }) => node?.className || node?.nodeName).join(", ") });
}).observe({ type: "layout-shift", buffered: true });"""
# What may move while a page comes, as part of what is seen; and the greatest number of requests for it.
SHIFT_LIMIT = 0.02
REQUEST_LIMIT = 10


def requests_of(page):
    """The requests that leave the browser from now on, by their ids: none that its cache answers."""
    asked = {}
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.requestWillBeSent", lambda event: asked.update({event["requestId"]: event["request"]["url"]}))
    network.on("Network.requestServedFromCache", lambda event: asked.pop(event["requestId"], None))
    network.on("Network.responseReceived", lambda event: event["response"].get("fromDiskCache") and asked.pop(event["requestId"], None))
    return asked


@pytest.mark.motion
def test_the_page_comes_with_few_requests_compressed_and_nothing_moves(up, new_page):
    for width, height in ((320, 568), (390, 844), (1280, 720), (1440, 900), (1920, 1080)):
        page = new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.add_init_script(SHIFTS)
        asked = requests_of(page)
        ui = PhonesUI(page, up).open()
        expect(ui.phone(1).display).to_be_visible()
        expect(ui.phone(2).display).to_be_visible()
        # What comes late comes with the stream's first news, and is drawn with the next frames.
        page.evaluate("async () => { for (let frame = 0; frame < 30; frame += 1) await new Promise(requestAnimationFrame); }")
        # On a slow machine the form asks a second time what its payload means.
        assert len(set(asked.values())) < REQUEST_LIMIT, asked.values()
        moved = page.evaluate("shifts")
        assert sum(shift["value"] for shift in moved) < SHIFT_LIMIT, (width, moved)
        assert ui.problems == []
        page.close()
    for path in ("/", "/page.js", "/page.css", "/presets"):
        with urllib.request.urlopen(urllib.request.Request(up.url + path, headers={"Accept-Encoding": "gzip"})) as answer:
            assert answer.headers["Content-Encoding"] == "gzip"
            small = answer.read()
        with urllib.request.urlopen(up.url + path) as answer:
            assert "Content-Encoding" not in answer.headers
            assert gzip.decompress(small) == answer.read(), path


def test_a_caption_and_an_outcome_move_nothing(ui):
    ui.page.evaluate(SHIFTS)
    places = """() => [...document.querySelectorAll(".phone-body, .controls, #compose, #history, .primary")].filter((part) => part.checkVisibility())
      .map((part) => [part.className || part.id, Math.round(part.getBoundingClientRect().top + scrollY)])"""
    for width, height in ((390, 844), (1440, 900)):
        ui.page.set_viewport_size({"width": width, "height": height})
        # The preview and its checks come a moment after a change of the form.
        expect(ui.page.locator("#compose .check").first).to_be_visible()
        before = ui.page.evaluate(places)
        for words in ("Short", "Newscast is in the foreground · notifications are not allowed · offline"):
            for caption in ui.page.locator(".phone-caption").all():
                caption.evaluate("(caption, words) => { caption.textContent = words }", words)
            assert ui.page.evaluate(places) == before, words
    # A step that ticks itself off, and a warning that goes, move nothing: on a wide page and on a narrow one.
    ticked = ["allow", "send", "tap", "recall"]
    other_tab = ui.page.context.new_page()
    other_tab.goto(f"{ui.up.url}/openapi.json")
    ui.page.bring_to_front()
    hint = ui.page.locator(".first-hint span").first
    for width, height in ((320, 568), (390, 844), (941, 700), (1181, 820), (1280, 720), (1440, 900)):
        ui.page.set_viewport_size({"width": width, "height": height})
        # The preview is as wide as its place from the next frame on.
        ui.page.evaluate(FRAMES)
        before = ui.page.evaluate(places)
        for count in range(1, len(ticked) + 1):
            words = hint.text_content()
            other_tab.evaluate("ids => localStorage.setItem('first-steps', JSON.stringify(ids))", ticked[:count])
            expect(hint).not_to_have_text(words)
            assert ui.page.evaluate(places) == before, (width, count)
        other_tab.evaluate("localStorage.clear()")
        expect(hint).to_contain_text("Press Allow")
    before = ui.page.evaluate(places)
    expect(ui.page.locator(".compose-form .caution")).to_be_visible()
    ui.allow_both()
    expect(ui.page.locator(".compose-form .caution")).to_be_hidden()
    assert ui.page.evaluate(places) == before
    ui.send(title="Outcome", body="It stands beside the button.")
    assert ui.page.evaluate(places) == before
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    payload, push = ui.page.locator("[name=payload]"), ui.page.locator("#raw-form").get_by_role("button", name="Push", exact=True)
    bottom = lambda part: part.bounding_box()["y"] + part.bounding_box()["height"]
    assert bottom(push) <= 900, "a push's button is below the fold"
    ui.page.set_viewport_size({"width": 390, "height": 844})
    # It stays in sight over the form; where the form ends, it stands in its place.
    ui.page.locator("#history").scroll_into_view_if_needed()
    ui.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert bottom(payload) < push.bounding_box()["y"], "the button stands before what it sends"


@pytest.mark.parametrize("size", [(390, 844), (640, 360)], ids=["a small phone", "a laptop at 200 %"])
@pytest.mark.parametrize("locked", [False, True], ids=["home", "locked"])
def test_who_presses_send_on_a_small_screen_sees_the_notification_and_comes_back(ui, size, locked):
    ui.allow_both()
    for number in (1, 2):
        ui.phone(number).lock() if locked else ui.phone(number).go_home()
    ui.page.set_viewport_size(dict(zip(("width", "height"), size)))
    send = ui.page.locator(".compose-form").get_by_role("button", name="Send", exact=True)
    ui.page.locator(".compose-form [name=title]").fill("Look up")
    send.scroll_into_view_if_needed()
    # Before a click the page may be scrolled once more, so that the button is hit.
    ui.page.evaluate("() => addEventListener('click', () => { window.pressedAt = scrollY }, { capture: true, once: true })")
    send.click()
    card = "() => [...document.querySelectorAll('.note-banner, .lock-notes .note')].some((card) => "
    card += "(({ top, bottom, left, right, height }) => height > 0 && top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth)(card.getBoundingClientRect()))"
    ui.page.wait_for_function(card)
    ui.picture(f"small-{size[0]}-{'locked' if locked else 'home'}")
    back = ui.page.get_by_role("button", name="Back to the form")
    back.click()
    ui.page.wait_for_function("() => Math.abs(scrollY - pressedAt) < 60")
    expect(back).to_be_hidden()


@pytest.mark.motion
def test_who_goes_back_while_a_banner_slides_in_stays_at_the_form(ui):
    ui.allow_both()
    for number in (1, 2):
        ui.phone(number).go_home()
    ui.page.set_viewport_size({"width": 640, "height": 360})
    ui.page.evaluate("""() => {
        const slow = new CSSStyleSheet();
        slow.replaceSync(".note-banner { animation-duration: 3s !important }");
        document.adoptedStyleSheets = [slow];
        addEventListener("click", () => { window.pressedAt = scrollY }, { capture: true, once: true });
    }""")
    ui.page.locator(".compose-form [name=title]").fill("Look up")
    ui.page.locator(".compose-form").get_by_role("button", name="Send", exact=True).click()
    # The page waits for the banner by now, and the banner still moves.
    sliding = "() => document.querySelector('.note-banner')?.getAnimations().some(({ currentTime }) => currentTime > 1000)"
    ui.page.wait_for_function(sliding)
    ui.page.get_by_role("button", name="Back to the form").click()
    ui.page.evaluate("""async () => {
        const banners = [...document.querySelectorAll(".note-banner")];
        await Promise.allSettled(banners.flatMap((banner) => banner.getAnimations()).map(({ finished }) => finished));
        for (let frame = 0; frame < 60; frame += 1) await new Promise(requestAnimationFrame);
    }""")
    assert ui.page.evaluate("() => Math.abs(scrollY - pressedAt)") < 60


def alert(title, **more):
    return {"payload": {"aps": {"alert": {"title": title, **more}}}}


def test_nothing_overlaps_or_sticks_out_at_any_size_and_every_control_can_be_pressed(ui):
    assert at_every_size(ui, BOX_PROBLEMS) == []
    ui.allow_both()
    ui.phone(1).go_home()
    ui.phone(2).lock()
    message = ui.send(title="Tower reopened", body="Two hundred steps.")
    expect(ui.step(message, 1, "shown")).to_be_visible()
    expect(ui.step(message, 2, "shown")).to_be_visible()
    assert at_every_size(ui, BOX_PROBLEMS) == []
    assert at_every_size(ui, PRESS_PROBLEMS) == []
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    ui.page.get_by_role("tab", name="Log").click()
    assert at_every_size(ui, BOX_PROBLEMS) == []
    assert at_every_size(ui, PRESS_PROBLEMS) == []


def test_the_newest_of_thirty_notifications_is_seen_on_the_lock_screen_and_the_oldest_can_be_scrolled_to(ui):
    ui.allow_both()
    for number in (1, 2):
        ui.phone(number).lock()
    for number in range(1, 30):
        ui.up.send(alert(f"Number {number}"))
    for number in (1, 2):
        ui.phone(number).unfold()
        expect(ui.phone(number).locked.first).to_have_attribute("aria-setsize", "29")
    ui.up.send(alert("Number 30"))
    visible = """note => {
      const list = note.parentElement.getBoundingClientRect(), { top, bottom, left, right } = note.getBoundingClientRect();
      return top >= list.top - .5 && bottom <= list.bottom + .5
        && note.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    }"""
    for number in (1, 2):
        locked = ui.phone(number).locked
        expect(locked.first).to_have_attribute("aria-setsize", "30")
        expect(locked.first).to_contain_text("Number 30")
        ui.eventually(lambda: locked.first.evaluate(visible), "the newest is clipped")
        assert not locked.last.evaluate(visible)
        locked.last.evaluate("note => { note.parentElement.scrollTop = note.parentElement.scrollHeight }")
        expect(locked.last).to_have_attribute("aria-posinset", "30")
        locked.last.evaluate("note => { note.parentElement.scrollTop = note.parentElement.scrollHeight }")
        ui.eventually(lambda: locked.last.evaluate(visible), "the oldest cannot be scrolled to")


def test_a_long_title_keeps_every_card_inside_the_screen(ui):
    ui.allow_both()
    ui.phone(1).go_home()
    ui.phone(2).lock()
    ui.up.send(alert("Short", body="Short."))
    ui.up.send(alert("W" * 200, subtitle="W" * 200, body="W" * 200))
    ui.phone(2).unfold()
    expect(ui.phone(2).locked).to_have_count(2)
    expect(ui.phone(1).banner.locator(".note-title")).to_contain_text("WW")
    assert at_every_size(ui, CARD_PROBLEMS) == []
    ui.phone(1).press("list")
    ui.phone(1).unfold()
    expect(ui.phone(1).listed).to_have_count(2)
    assert at_every_size(ui, CARD_PROBLEMS) == []


# Where all that can be used is, down to the form's end. (Push stays at the window's lower edge.)
STAYS = """() => [...document.querySelectorAll(".chip, .preset-tools > *, #compose :is(input, select, textarea, .segments, .token-row, .send-row:not(.raw-send))")]
  .filter((part) => part.checkVisibility())
  .map((part) => [part.name || part.className || part.id, part.textContent.slice(0, 20), Math.round(part.getBoundingClientRect().top + scrollY)])"""


@pytest.mark.parametrize("tab", ["Through the service", "Directly to APNs"])
def test_a_chip_moves_nothing(ui, tab):
    ui.allow_both()
    ui.page.get_by_role("tab", name=tab).click()
    for width, height in ((390, 844), (820, 1180), (1280, 720), (1440, 900), (1920, 1080)):
        ui.page.set_viewport_size({"width": width, "height": height})
        expect(ui.page.locator("#compose .check:visible").first).to_be_visible()
        ui.page.evaluate(FRAMES)
        # Where no example has been chosen yet, too.
        before = ui.page.evaluate(STAYS)
        for chip in ui.page.locator("#compose .chip:visible").all():
            chip.click()
            ui.page.evaluate(FRAMES)
            moved = [(was, now) for was, now in zip(before, ui.page.evaluate(STAYS), strict=True) if abs(was[2] - now[2]) > 2]
            assert moved == [], (width, chip.text_content(), moved)
