"""What an eye notices: contrast, forced colours, swipes, stacks, replies, directions of text, pictures. Nothing sleeps."""

import base64
import struct
import threading
import zlib
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from playwright.sync_api import expect

from conftest import FRAMES, PhonesUI, at_rest
from test_gestures import Finger, commands

# Every text that can be seen, with its colour, the opacity of what it lies in, and its boxes; what is switched off
# may be pale.
TEXTS = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || element.closest(".visually-hidden, :disabled, button[aria-disabled=true], noscript, script, [inert] .layer")) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    let opacity = 1;
    for (let parent = element; parent; parent = parent.parentElement) opacity *= Number(getComputedStyle(parent).opacity);
    if (opacity < .1) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const middle = [box.x + box.width / 2, box.y + box.height / 2];
    const top = document.elementFromPoint(...middle);
    if (!top || !(element.contains(top) || top.contains(element)) || box.bottom > innerHeight) continue;
    const color = getComputedStyle(element).color;
    found.push({ text: node.textContent.trim().slice(0, 40), color, opacity, x: box.x, y: box.y, width: box.width, height: box.height,
      name: element.className || element.tagName });
  }
  return found;
}"""

# The worst contrast of each text with what is behind it, from a picture without the texts.
CONTRASTS = """async ({ picture, texts }) => {
  const image = await createImageBitmap(await (await fetch(picture)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = color;
    pixel.fillRect(0, 0, 1, 1);
    return [...pixel.getImageData(0, 0, 1, 1).data];
  };
  const channel = (value) => ((value /= 255) <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
  return texts.flatMap(({ text, name, color, opacity, x, y, width, height }) => {
    const [left, top] = [Math.max(0, Math.round(x)), Math.max(0, Math.round(y))];
    const [right, bottom] = [Math.min(image.width, Math.round(x + width)), Math.min(image.height, Math.round(y + height))];
    if (right - left < 2 || bottom - top < 2) return [];
    const { data } = context.getImageData(left, top, right - left, bottom - top);
    const ink = rgba(color);
    let worst = 21;
    for (let index = 0; index < data.length; index += 4 * 7) {
      const back = [data[index], data[index + 1], data[index + 2]];
      const share = ink[3] / 255 * opacity;
      const front = back.map((value, each) => value + (ink[each] - value) * share);
      const [light, dark] = [luminance(front), luminance(back)].sort((a, b) => b - a);
      worst = Math.min(worst, (light + .05) / (dark + .05));
    }
    return worst < 4.5 ? [`${name}: “${text}” has ${worst.toFixed(2)}`] : [];
  });
}"""

# Gives the page one more style, and waits until it is drawn.
STYLE = """async (text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [sheet];
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}"""
WITHOUT_TEXT = "* { color: transparent !important; text-shadow: none !important; caret-color: transparent !important } .icon, img { visibility: hidden !important }"


def as_picture(png):
    """A PNG as an address."""
    return "data:image/png;base64," + base64.b64encode(png).decode()


@pytest.fixture
def finger(ui):
    return Finger(ui.page)


@pytest.fixture
def contrast(ui, new_page):
    """A function that names the texts of the page which have too little contrast."""
    reader = new_page()
    reader.goto("about:blank")

    def measured():
        texts = ui.page.evaluate(TEXTS)
        assert len(texts) > 20
        ui.page.evaluate(STYLE, WITHOUT_TEXT)
        picture = ui.page.screenshot()
        ui.page.evaluate(STYLE, "")
        return reader.evaluate(CONTRASTS, {"picture": as_picture(picture), "texts": texts})

    def check():
        # What moved between the texts and the picture was measured wrongly; what has too little contrast has it again.
        return measured() and measured() and measured()

    return check


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_a_contrast_of_four_and_a_half(ui, contrast, scheme):
    ui.page.emulate_media(color_scheme=scheme)
    assert contrast() == []
    ui.allow_both()
    ui.phone(1).go_home()
    ui.phone(2).lock()
    ui.up.send({"payload": {"aps": {"category": "NEWS_CATEGORY", "alert": {"title": "With actions", "subtitle": "And more", "body": "Reply."}}}})
    message = ui.send(title="Assured one", mode="Assured")
    for number in (1, 2):
        expect(ui.lane(message, number)).to_contain_text("shown")
    expect(ui.phone(1).badge).to_have_text("2")
    ui.phone(2).unfold()
    expect(ui.phone(2).locked).to_have_count(2)
    # A banner goes by itself, in the midst of a measurement too.
    ui.command(1, "flick")
    expect(ui.phone(1).banner).to_have_count(0)
    card = ui.phone(2).locked.last.locator(".note-face")
    card.focus()
    card.press("ArrowDown")
    expect(ui.phone(2).locked.last.locator(".note-action").first).to_be_visible()
    assert contrast() == []
    ui.page.evaluate("document.querySelectorAll('.display').forEach((display) => { display.dataset.look = 'dark' })")
    assert contrast() == []
    ui.phone(1).press("list")
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    ui.page.get_by_role("tab", name="Log").click()
    expect(ui.phone(1).display).to_have_attribute("data-center", "open")
    assert contrast() == []


def set_dark(ui, number):
    """Turns dark mode on in the phone's own settings."""
    phone = ui.phone(number)
    phone.go_home()
    phone.root.locator("[data-app=settings]").click()
    phone.root.get_by_role("switch", name="Dark Appearance", exact=True).click()
    expect(phone.display).to_have_attribute("data-look", "dark")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_text_of_phone_and_app_has_it_too_in_the_phone_s_own_dark_mode(ui, contrast, dark):
    ui.allow_both()
    phone = ui.phone(1)
    if dark:
        set_dark(ui, 1)
        assert contrast() == []
        phone.root.get_by_role("button", name="Chime", exact=False).first.click()
        assert contrast() == []
        phone.go_home()
        phone.root.locator(".app-icon[aria-label^=Chime]").click()
    expect(phone.app.get_by_text("Bells of the old town")).to_be_visible()
    assert contrast() == []
    ui.up.send({"payload": {"aps": {"alert": {"title": "A long story", "body": "Read on."}}, "link_url": "https://chime.example.com/story"}})
    expect(phone.banner).to_be_visible()
    ui.command(1, "flick")
    expect(phone.banner).to_have_count(0)
    phone.app.get_by_role("button", name="News").click()
    expect(phone.app.get_by_text("A long story")).to_be_visible()
    assert contrast() == []
    phone.app.get_by_role("button", name="A long story").click()
    expect(phone.app.get_by_text("Read more")).to_be_visible()
    ui.picture(f"app-{'dark' if dark else 'light'}")
    assert contrast() == []
    phone.app.get_by_role("button", name="Read more").click()
    expect(phone.app.get_by_text("Done")).to_be_visible()
    ui.picture(f"page-{'dark' if dark else 'light'}")
    assert contrast() == []


def test_who_wants_no_motion_sees_none(ui):
    ui.allow_both()
    ui.phone(2).lock()
    ui.page.evaluate("""() => {
      window.moved = [];
      for (const kind of ["animationstart", "transitionrun"]) addEventListener(kind, ({ target }) => moved.push(`${kind} ${target.className}`), true);
    }""")
    ui.send(title="At once", body="It is there.")
    expect(ui.phone(1).banner).to_be_visible()
    expect(ui.phone(2).locked).to_have_count(1)
    for number in (1, 2):
        ui.command(number, "home")
    expect(ui.phone(1).banner).to_be_visible()
    ui.command(1, "flick")
    expect(ui.phone(1).root.locator(".note-banner")).to_have_count(0)
    ui.page.evaluate(FRAMES)
    assert ui.page.evaluate("moved") == []


def test_with_forced_colours_every_control_and_card_has_an_edge(ui):
    ui.allow_both()
    ui.phone(1).go_home()
    ui.phone(2).lock()
    ui.send(title="Seen", body="In any colours.")
    expect(ui.phone(2).locked).to_have_count(1)
    ui.page.emulate_media(forced_colors="active")
    ui.picture("forced-colors")
    edgeless = ui.page.evaluate("""() => [...document.querySelectorAll(".note-face, .control .icon, .segment-row, .primary, .card, .chip, select, input[type=text], textarea")]
      .filter((element) => element.checkVisibility()).filter((element) => {
        const style = getComputedStyle(element);
        const canvas = getComputedStyle(document.body).backgroundColor;
        return style.borderStyle === "none" && style.backgroundColor === canvas;
      }).map((element) => element.className || element.name)""")
    assert edgeless == []
    chosen = ui.page.evaluate("""() => {
      const [on, off] = [":checked + span", ":not(:checked) + span"].map((part) => getComputedStyle(document.querySelector(".segment-row input" + part)).backgroundColor);
      return on !== off;
    }""")
    assert chosen, "the chosen mode cannot be told from the others"


def send(ui, title, **aps):
    return ui.up.send({"payload": {"aps": {"alert": {"title": title, "body": "Text."}, **aps}}})


@pytest.mark.motion
def test_a_swipe_shows_options_and_clear(ui, finger):
    ui.allow_both()
    ui.phone(2).lock()
    send(ui, "Swiped", category="NEWS_CATEGORY")
    card = ui.phone(2).locked
    expect(card).to_have_count(1)
    at_rest(card)
    asked = commands(ui)
    finger.press(card.locator(".note-face")).drag(dx=-100).hold().lift()
    at_rest(card)
    for name in ("Options", "Clear"):
        expect(card.get_by_role("button", name=name, exact=True)).to_be_visible()
    card.locator(".note-face").click()
    expect(card).not_to_have_class("swiped")
    assert asked == [], "a tap on an opened card puts it back"
    at_rest(card)
    finger.press(card.locator(".note-face")).drag(dx=-100).hold().lift()
    at_rest(card)
    card.get_by_role("button", name="Options", exact=True).click()
    expect(card.locator(".note-action").first).to_be_visible()
    finger.press(card.locator(".note-face")).drag(dx=-100).hold().lift()
    at_rest(card)
    card.get_by_role("button", name="Clear", exact=True).click()
    expect(ui.phone(2).locked).to_have_count(0)


@pytest.mark.motion
def test_a_stack_moves_as_one_and_goes_as_one(ui, finger):
    ui.allow_both()
    ui.phone(2).lock()
    for title in ("One", "Two", "Three"):
        send(ui, title, **{"thread-id": "storm"})
    card = ui.phone(2).locked
    expect(card).to_contain_text("2 more")
    at_rest(card)
    under = card.locator(".note-face").evaluate("face => getComputedStyle(face, '::after').content")
    assert under != "none", "what lies under the card is not part of what moves"
    finger.press(card.locator(".note-face")).drag(dx=-200, steps=2).lift()
    expect(ui.phone(2).locked).to_have_count(0)


def test_stacks_are_by_app_and_thread_and_fold_again(ui):
    ui.allow_both()
    phone = ui.phone(2)
    phone.lock()
    for number in range(1, 6):
        send(ui, f"Number {number}")
    send(ui, "Storm 1", **{"thread-id": "storm"})
    send(ui, "Storm 2", **{"thread-id": "storm"})
    expect(phone.locked).to_have_count(2)
    expect(phone.locked.first).to_contain_text("Storm 2")
    expect(phone.locked.last).to_contain_text("4 more")
    expect(phone.root.locator(".leaving")).to_have_count(0)
    ui.picture("stacks")
    phone.locked.last.locator(".note-face").press("Enter")
    expect(phone.locked).to_have_count(6)
    titles = phone.locked.locator(".note-title")
    expect(titles).to_have_text(["Storm 2", "Number 5", "Number 4", "Number 3", "Number 2", "Number 1"])
    less = phone.root.get_by_role("button", name="Show less")
    # What comes meanwhile is on top of its own stack, which stays open.
    send(ui, "Number 6")
    expect(titles).to_have_text(["Number 6", "Number 5", "Number 4", "Number 3", "Number 2", "Number 1", "Storm 2"])
    expect(less).to_have_count(1)
    ui.picture("stack-open")
    less.press("Enter")
    expect(titles).to_have_text(["Number 6", "Storm 2"])
    expect(phone.locked.first).to_contain_text("5 more")
    expect(phone.locked.first.locator(".note-face")).to_be_focused()
    phone.unfold()
    phone.root.locator(".fold-clear:visible").click()
    expect(titles).to_have_text(["Storm 2"])


LONG = " ".join(f"Sentence {number} of a story that nobody can tell in four lines." for number in range(1, 13))
# How the parts of a screen lie, and which of them are out of focus.
BLURRED = "element => getComputedStyle(element).filter.includes('blur')"
BEHIND = "element => getComputedStyle(element).backdropFilter.includes('blur')"


@pytest.mark.motion
def test_the_long_look_has_all_of_the_text_and_one_card_at_a_time_is_open(ui, finger):
    ui.allow_both()
    phone = ui.phone(2)
    phone.lock()
    send(ui, "Another", **{"thread-id": "other"})
    ui.up.send({"payload": {"aps": {"category": "NEWS_CATEGORY", "alert": {"title": "Long", "body": LONG}}}})
    expect(phone.locked).to_have_count(2)
    long, other = phone.locked.first, phone.locked.last
    body = long.locator(".note-body")
    is_cut = "body => body.scrollHeight > body.clientHeight + 1 && getComputedStyle(body).overflowY !== 'auto'"
    assert body.evaluate(is_cut), "four lines on the card"
    finger.press(long.locator(".note-face")).hold(900).lift()
    expect(long.locator(".note-action").first).to_be_visible()
    at_rest(phone.root)
    assert not body.evaluate(is_cut)
    assert other.evaluate(BLURRED) and phone.root.locator(".lock-time").evaluate(BLURRED) and not long.evaluate(BLURRED)
    assert long.locator(".note-actions").evaluate(BEHIND)
    ui.picture("long-look")
    finger.press(other.locator(".note-face")).drag(dx=-20).hold().lift()
    at_rest(phone.root)
    expect(long.locator(".note-action").first).to_be_hidden()
    finger.press(other.locator(".note-face")).drag(dx=-100).hold().lift()
    at_rest(other)
    expect(other.get_by_role("button", name="Clear", exact=True)).to_be_visible()
    ui.picture("swiped")
    cut = other.locator(".note-option").evaluate_all("""buttons => buttons.filter((button) => {
      const box = button.getBoundingClientRect(), list = button.closest(".notes").getBoundingClientRect();
      const isInside = box.left >= list.left && box.right <= list.right && box.top >= list.top && box.bottom <= list.bottom;
      const isOnTop = [.1, .5, .9].every((part) => button === document.elementFromPoint(box.left + box.width * part, box.top + box.height / 2));
      return !isInside || !isOnTop || button.scrollWidth > button.clientWidth;
    }).map((button) => button.textContent)""")
    assert cut == []
    finger.press(long.locator(".note-face")).drag(dx=-100).hold().lift()
    at_rest(phone.root)
    expect(phone.root.locator(".note.swiped")).to_have_count(1)
    expect(long.get_by_role("button", name="Clear", exact=True)).to_be_visible()


def test_focus_and_time_sensitive_are_seen_the_center_is_a_cover_and_nothing_of_the_page_is_on_a_screen(ui):
    ui.allow_both()
    phone = ui.phone(1)
    ui.phone(2).lock()
    phone.go_home()
    phone.root.locator("[data-app=settings]").click()
    expect(phone.root.locator(".status-focus")).to_be_hidden()
    phone.root.get_by_role("switch", name="Focus", exact=True).click()
    expect(phone.root.locator(".status-focus")).to_be_visible()
    phone.lock()
    expect(phone.root.locator(".lock-focus")).to_contain_text("Focus")
    send(ui, "Now", **{"interruption-level": "time-sensitive", "sound": "default"})
    mark = phone.root.locator(".sound-mark")
    expect(mark).to_be_visible()
    assert mark.evaluate("""mark => {
      const box = mark.getBoundingClientRect(), screen = mark.closest(".phone").querySelector(".display").getBoundingClientRect();
      return box.bottom <= screen.top;
    }"""), "the page's mark lies over the screen"
    expect(phone.locked.locator(".note-level")).to_have_text("Time Sensitive")
    ui.picture("focus-lock")
    phone.press("lock")
    phone.press("list")
    expect(phone.display).to_have_attribute("data-center", "open")
    at_rest(phone.root.locator(".center"))
    expect(phone.root.locator(".center-time")).to_have_text(phone.root.locator(".status-time").text_content())
    assert phone.root.locator(".center-paper").evaluate(BLURRED)
    # Nothing that an iPhone does not have lies on a card under the mouse.
    phone.listed.first.hover()
    assert phone.listed.first.locator(".note-tools").evaluate("tools => getComputedStyle(tools).opacity") == "0"
    expect(phone.listed.first.locator(".note-time")).to_be_visible()
    ui.picture("center")


def test_phones_are_as_the_browser_is_until_a_person_chooses(up, new_page):
    page = new_page()
    page.emulate_media(color_scheme="dark")
    ui = PhonesUI(page, up).open().allow_both()
    for number in (1, 2):
        expect(ui.phone(number).display).to_have_attribute("data-look", "dark")
    ui.picture("dark-browser")
    phone = ui.phone(1)
    phone.go_home()
    phone.root.locator("[data-app=settings]").click()
    phone.root.get_by_role("switch", name="Dark Appearance", exact=True).click()
    expect(phone.display).to_have_attribute("data-look", "light")
    page.reload()
    expect(phone.display).to_have_attribute("data-look", "light")
    expect(ui.phone(2).display).to_have_attribute("data-look", "dark")
    # Another browser, which knows nothing of the first.
    light = PhonesUI(new_page(), up).open()
    expect(light.phone(2).display).to_have_attribute("data-look", "light")
    page.reload()
    expect(ui.phone(2).display).to_have_attribute("data-look", "dark")
    page.emulate_media(color_scheme="light")
    expect(ui.phone(2).display).to_have_attribute("data-look", "light")
    # What a person has chosen stays, whatever the browser is; a new phone follows it again.
    phone.root.get_by_role("switch", name="Dark Appearance", exact=True).click()
    light.page.reload()
    expect(light.page.locator("#connection")).to_have_text("Live")
    page.emulate_media(color_scheme="dark")
    expect(ui.phone(2).display).to_have_attribute("data-look", "dark")
    page.emulate_media(color_scheme="light")
    expect(ui.phone(2).display).to_have_attribute("data-look", "light")
    expect(phone.display).to_have_attribute("data-look", "dark")
    phone.root.get_by_role("button", name="Erase All Content and Settings").click()
    phone.root.get_by_role("button", name="Erase iPhone").click()
    expect(phone.display).to_have_attribute("data-look", "light")
    assert ui.problems == light.problems == []


def test_reply_is_a_row_that_opens_a_field(ui):
    ui.allow_both()
    ui.phone(2).lock()
    message = ui.send(title="What do you think?", body="Answer from here.")
    card = ui.phone(2).locked
    card.locator(".note-face").press("ArrowDown")
    expect(card.locator("form")).to_be_hidden()
    card.get_by_role("button", name="Reply", exact=True).click()
    field = card.locator("form input")
    expect(field).to_be_focused()
    field.fill("Lovely")
    card.get_by_role("button", name="Send", exact=True).click()
    expect(ui.phone(2).locked).to_have_count(0)
    expect(ui.step(message, 2, "acted")).to_be_visible()
    expect(ui.lane(message, 2).locator(".lane-now")).to_have_text("Answered here: “Lovely”")


def test_the_phone_aligns_a_text_and_the_text_has_its_own_direction(ui):
    ui.allow_both()
    ui.phone(2).lock()
    ui.up.send({"payload": {"aps": {"alert": {"title": "مرحبا بالعالم", "body": "هذا نص من اليمين إلى اليسار."}}}})
    title = ui.phone(2).locked.locator(".note-title")
    expect(title).to_have_text("مرحبا بالعالم")
    assert title.evaluate("title => getComputedStyle(title).direction") == "rtl"
    # Where the box of the title and its text begin and end.
    edges = """title => {
      const range = document.createRange();
      range.selectNodeContents(title);
      const [box, text] = [title.getBoundingClientRect(), range.getBoundingClientRect()];
      return { left: [box.left, text.left], right: [box.right, text.right] };
    }"""
    for side, direction in (("left", "ltr"), ("right", "rtl")):
        title.evaluate("(title, direction) => { title.closest('.display').dir = direction }", direction)
        box, text = title.evaluate(edges)[side]
        assert box == pytest.approx(text, abs=1), direction


def png(width, height):
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes((40, 120, 200)) * width for _ in range(height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@pytest.fixture
def picture():
    """The address of a picture on this machine."""
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = png(60, 40)
            self.send_response(200)
            self.send_header("Content-Type", "image/png")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/cover.png"
    server.shutdown()


def test_an_attached_picture_is_drawn_small_and_large(ui, picture):
    ui.allow_both()
    ui.phone(2).lock()
    ui.up.send({"payload": {"aps": {"category": "NEWS_CATEGORY", "alert": {"title": "A picture"}}, "media_url": picture}})
    card = ui.phone(2).locked
    thumbnail = card.locator("img.note-thumbnail")
    expect(thumbnail).to_be_visible()
    ui.page.wait_for_function("image => image.naturalWidth === 60", arg=thumbnail.element_handle())
    card.locator(".note-face").press("ArrowDown")
    expect(card.locator(".note-picture")).to_be_visible()
    expect(thumbnail).to_be_hidden()


def test_a_phone_that_starts_shows_it(ui):
    ui.allow_both()
    boot = ui.phone(1).root.locator(".boot")
    expect(boot).to_be_hidden()
    ui.phone(1).press("restart")
    expect(boot).to_be_visible()
    expect(boot).to_be_hidden()
    expect(ui.phone(1).display).to_have_attribute("data-screen", "lock")


def test_the_old_iphone_is_one(ui):
    ui.allow_both()
    phone = ui.phone(2)
    middle = lambda part: part.bounding_box()["x"] + part.bounding_box()["width"] / 2
    assert abs(middle(phone.root.locator(".status-time")) - middle(phone.display)) < 2
    signal, battery = (phone.root.locator(".status-radio .icon").nth(number).bounding_box()["x"] for number in (0, -1))
    assert signal < middle(phone.display) < battery
    phone.lock()
    expect(phone.root.locator(".lock-open")).to_have_text("Press home to open")
    expect(phone.root.locator(".lock-tool:visible")).to_have_count(0)
    expect(ui.phone(1).root.locator(".lock-open")).to_have_text("Swipe up to open")
    phone.root.get_by_role("button", name="Home button").click()
    expect(phone.display).to_have_attribute("data-screen", "app")


# Whether a card that is dragged is seen up to the edge of the screen, and no list ends before it.
AT_THE_EDGE = """(face) => {
  const display = face.closest(".display").getBoundingClientRect(), list = face.closest(".lock-notes, .center-notes").getBoundingClientRect();
  const y = face.getBoundingClientRect().top + face.getBoundingClientRect().height / 2;
  return {
    list: [Math.round(list.left - display.left), Math.round(display.right - list.right)],
    isSeen: face.contains(document.elementFromPoint(display.left + 3, y)),
  };
}"""


@pytest.mark.motion
@pytest.mark.parametrize("number", [1, 2])
def test_swiping_and_lists_reach_the_screens_edge_and_clear_all_clears(ui, finger, number):
    ui.allow_both()
    phone = ui.phone(number)
    phone.lock()
    for title in ("One", "Two"):
        send(ui, title)
    phone.unfold()
    expect(phone.locked).to_have_count(2)
    face = phone.locked.first.locator(".note-face")
    assert face.evaluate(AT_THE_EDGE) == {"list": [0, 0], "isSeen": False}
    finger.press(face).drag(dx=-60).hold()
    assert face.evaluate(AT_THE_EDGE)["isSeen"], "it is cut off before the edge"
    ui.picture(f"swipe-edge-{number}")
    finger.drag(dx=60).hold().lift()
    at_rest(phone.locked.first)
    # A stack goes as one, and says so.
    phone.root.get_by_role("button", name="Show less").press("Enter")
    card = phone.locked.first
    expect(card).to_contain_text("1 more")
    at_rest(card)
    finger.press(card.locator(".note-face")).drag(dx=-100).hold().lift()
    at_rest(card)
    expect(card.get_by_role("button", name="Clear All", exact=True)).to_be_visible()
    ui.picture(f"clear-all-{number}")
    # So does the whole list, in the notification center.
    phone.press("lock")
    phone.press("list")
    center = phone.root.locator(".center-notes")
    expect(phone.listed.first).to_be_visible()
    at_rest(center)
    assert phone.listed.first.locator(".note-face").evaluate(AT_THE_EDGE)["list"] == [0, 0]
    phone.root.locator(".center-clear").click()
    expect(phone.listed).to_have_count(0)
