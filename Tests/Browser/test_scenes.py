"""Guided scenes, what is given away, and the view for a projector. Nothing sleeps."""

import base64
import re

import pytest
from conftest import SCREENSHOTS, PhonesUI, at_rest, copied
from playwright.sync_api import expect


def scene(ui):
    return ui.page.locator(".scene")


def begin(ui, identifier):
    """Opens a scene by its address and lets it set up the phones."""
    ui.page.goto(f"{ui.up.url}/#scene={identifier}")
    scene(ui).get_by_role("button", name="Begin", exact=True).click()
    expect(scene(ui).locator(".scene-answer")).to_have_count(3)


def answer(ui, number):
    scene(ui).locator(".scene-answer").nth(number).click()
    expect(scene(ui).locator(".scene-verdict")).to_be_visible()


# Between two steps of a scene the page waits, so that somebody can look; nobody does here.
IN_HASTE = """(() => {
  const wait = setTimeout;
  window.setTimeout = (work, delay, ...more) => wait(work, delay === 1400 ? 100 : delay, ...more);
})()"""


# In two tests, since a scene waits until an app that was just left is suspended, which takes five seconds.
@pytest.mark.parametrize("part", [0, 1], ids=["these", "those"])
def test_each_scene_comes_out_as_it_says_and_a_reset_puts_everything_back(up, new_page, part):
    page = new_page()
    page.add_init_script(IN_HASTE)
    ui = PhonesUI(page, up).open()
    ui.page.get_by_role("link", name="Scenes").click()
    expect(scene(ui).get_by_role("link")).to_have_count(10)
    ui.picture("scenes")
    scenes = ui.up.call("GET", "/presets")[1]["scenes"]
    for one in scenes[part::2]:
        begin(ui, one["id"])
        if one["id"] == "recall":
            ui.picture("scene-question")
        if one["id"] == "assured":
            # Its end takes a minute; the list of all scenes stops it.
            scene(ui).locator(".scene-answer").first.click()
            expect(scene(ui).locator(".done")).to_have_count(1)
            continue
        answer(ui, 0)
        expect(scene(ui).locator(".done")).to_have_count(len(one["steps"]))
        expect(scene(ui).locator(".scene-verdict")).to_contain_text(one["answers"][one["right"]])
        expect(scene(ui).locator("code")).to_have_text(one["page"])
        lane = ui.page.locator(".lane").first.bounding_box()
        assert lane["y"] + lane["height"] <= 900, f"the lanes of {one['id']} are below the fold"
    ui.picture("scene-told")
    assert ui.up.call("POST", "/episodes", {})[1]["count"] == 4
    ui.page.locator(".compose-form [name=title]").fill("A draft")
    ui.page.locator(".scene").get_by_role("link", name="All scenes").click()
    scene(ui).get_by_role("button", name="Reset the demo").click()
    # It asks once, and has done nothing yet.
    expect(scene(ui)).to_contain_text("Press again to erase all of it")
    assert len(ui.up.call("GET", "/podcasts.json")[1]["episodes"]) == 4
    scene(ui).get_by_role("button", name="Press again to erase all of it").click()
    expect(scene(ui)).to_be_hidden()
    for number in (1, 2):
        expect(ui.phone(number).root.locator(".sheet")).to_be_visible()
        expect(ui.phone(number).caption).to_have_text("Chime asks for permission")
    expect(ui.page.locator(".message")).to_have_count(0)
    expect(ui.page.locator(".compose-form [name=title]")).not_to_have_value("A draft")
    expect(ui.page.locator(".first-steps [aria-current]")).to_contain_text("Allow")
    assert len(ui.up.call("GET", "/podcasts.json")[1]["episodes"]) == 3
    ui.allow_both()
    ui.phone(1).lock()
    message = ui.send(title="Anew", body="To two devices, and no former one.")
    expect(ui.step(message, 1, "shown")).to_be_visible()
    expect(message.locator(".lane")).to_have_count(2)
    assert scenes[0]["id"] == "deletable"
    assert ui.problems == []


@pytest.fixture
def other(up, new_page):
    made = PhonesUI(new_page(), up)
    yield made
    assert made.problems == []


def test_a_link_plays_a_push_elsewhere_and_a_test_of_it_can_be_copied(ui, other):
    ui.allow_both()
    ui.phone(1).lock()
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    ui.page.get_by_role("button", name="Title and text").click()
    ui.page.locator("#raw-form [name=phone]").select_option("phone-1")
    buttons = ui.page.locator(".raw-form")
    test = copied(buttons.get_by_role("button", name="Swift test"))
    assert "try await app.suspend()" in test and '#expect(content.title == #"Game Request"#)' in test
    link = copied(buttons.get_by_role("button", name="Link"))
    other.page.goto(link[:-9])
    expect(scene(other)).to_contain_text("This link cannot be read")
    other.page.goto("about:blank")
    ui.page.locator("#raw-form [name=type]").select_option("voip")
    expect(buttons.get_by_role("button", name="Swift test")).to_be_hidden()
    ui.phone(1).press("lock")
    other.page.goto(link)
    expect(scene(other)).to_contain_text("A push that somebody has sent you")
    expect(other.phone(1).locked).to_have_count(0)
    scene(other).get_by_role("button", name="Begin", exact=True).click()
    expect(other.page.locator("#raw-form")).to_be_visible()
    expect(other.page.locator("[name=payload]")).to_have_value(re.compile("Game Request"))
    scene(other).get_by_role("button", name="Let it happen").click()
    expect(other.phone(1).locked).to_contain_text("Bob wants to play poker")
    ui.page.get_by_role("tab", name="Through the service").click()
    message = ui.page.locator(".compose-form")
    message.locator("[name=title]").fill("Given away")
    assert 'content.title == #"Given away"#' in copied(message.get_by_role("button", name="Swift test"))
    link = copied(message.get_by_role("button", name="Link"))
    message.locator(".segments").get_by_text("Silent", exact=True).click()
    expect(message.get_by_role("button", name="Swift test")).to_be_hidden()
    other.page.goto("about:blank")
    other.page.goto(link)
    scene(other).get_by_role("button", name="Begin", exact=True).click()
    expect(other.page.locator(".compose-form [name=title]")).to_have_value("Given away")
    scene(other).get_by_role("button", name="Let it happen").click()
    expect(other.phone(1).locked.first).to_contain_text("Given away")


# Notes the texts that are drawn on canvases from now on.
DRAWN = """() => {
  window.drawn = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    drawn.push(text);
    return fillText.call(this, text, ...place);
  };
}"""
# How much a part of a picture, given by its left and upper edge and its width in pixels, differs from another picture: the mean of all
# fields of a grid, and the part of the fields that differ much.
DIFFERENCE = """async ({ whole, part, left, top, width }) => {
  const load = async (bytes) => createImageBitmap(await (await fetch(`data:image/png;base64,${bytes}`)).blob());
  const [one, other] = [await load(whole), await load(part)];
  const [columns, rows] = [60, 120];
  const fields = (image, ...place) => {
    const context = new OffscreenCanvas(columns, rows).getContext("2d", { willReadFrequently: true });
    context.imageSmoothingQuality = "high";
    context.drawImage(image, ...place, 0, 0, columns, rows);
    return context.getImageData(0, 0, columns, rows).data;
  };
  const a = fields(one, left, top, width, width * other.height / other.width), b = fields(other, 0, 0, other.width, other.height);
  const apart = [...Array(columns * rows).keys()].map((field) => [0, 1, 2].reduce((sum, color) => sum + Math.abs(a[field * 4 + color] - b[field * 4 + color]), 0) / 3);
  return { mean: apart.reduce((sum, one) => sum + one, 0) / apart.length, much: apart.filter((one) => one > 50).length / apart.length };
}"""


def picture_of(ui, form):
    """Saves a picture with the keyboard; its bytes, and its file's name."""
    button = ui.page.locator(form).get_by_role("button", name="Picture")
    with ui.page.expect_download() as saved:
        button.press("Enter")
    expect(ui.page.locator("#announcer")).to_have_text(f"The picture is saved as {saved.value.suggested_filename}.")
    expect(button).to_be_focused()
    return saved.value.path().read_bytes(), saved.value.suggested_filename


def size_of(png):
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def difference(ui, reader, phone, png):
    """How much a picture of one phone differs from the phone on the page."""
    body = phone.root.locator(".phone-body")
    at_rest(phone.root)
    shot, box = body.screenshot(), body.bounding_box()
    width = max(480, box["width"]) + 56
    ratio = size_of(png)[0] / width
    place = {"left": (width - box["width"]) / 2 * ratio, "top": 58 * ratio, "width": box["width"] * ratio}
    return reader.evaluate(DIFFERENCE, {"whole": base64.b64encode(png).decode(), "part": base64.b64encode(shot).decode(), **place})


def test_a_picture_of_phones_and_lanes_is_saved_and_looks_as_they_do(ui, new_page):
    reader = new_page()
    reader.goto("about:blank")
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    ui.allow_both()
    phone = ui.phone(2)
    phone.lock()
    bare, name = picture_of(ui, ".compose-form")
    assert re.fullmatch(r"carillon-phones-\d{6}\.png", name)
    message = ui.send(title="Zoë’s bell 🛎 مرحبا", body="A text that is so long that a card has no room for all of it. " * 6, to="user")
    now = ui.lane(message, 2).locator(".lane-now")
    expect(now).to_have_text("On the lock screen.")
    ui.command(1, "flick")
    expect(ui.phone(1).banner).to_have_count(0)
    both, name = picture_of(ui, ".compose-form")
    (SCREENSHOTS / "picture-both.png").write_bytes(both)
    assert re.fullmatch(r"carillon-zoë-s-bell-مرحبا-\d{6}\.png", name)
    # The lanes are below the phones.
    assert size_of(both)[1] > size_of(bare)[1] + 150 and size_of(both)[0] == size_of(bare)[0]
    ui.page.locator(".compose-form [name=to]").select_option("phone-2")
    ui.page.evaluate(DRAWN)
    for screen in ("lock", "app", "center", "settings"):
        if screen == "app":
            phone.press("lock")
        if screen == "center":
            phone.press("list")
        if screen == "settings":
            phone.go_home()
            phone.root.locator("[data-app=settings]").click()
        expect(phone.display).to_have_attribute("data-center", "open" if screen == "center" else "closed")
        if screen != "center":
            expect(phone.display).to_have_attribute("data-screen", screen)
        ui.page.locator("h1").hover()
        expect(now).to_contain_text("On the lock screen." if screen == "lock" else "In the notification center")
        ui.page.evaluate("drawn.length = 0")
        one, _ = picture_of(ui, ".compose-form")
        (SCREENSHOTS / f"picture-{screen}.png").write_bytes(one)
        assert size_of(one)[0] < size_of(both)[0]
        drawn = ui.page.evaluate("drawn")
        assert "Ada’s old iPhone" in drawn and "Ada’s iPhone" not in drawn
        assert "Zoë’s bell 🛎 مرحبا" in drawn and "accepted" in drawn and now.inner_text().strip() in " ".join(drawn)
        if screen in ("lock", "center"):
            assert any(text.endswith("…") for text in drawn), "what is cut off ends in an ellipsis"
        apart = difference(ui, reader, phone, one)
        assert apart["mean"] < 9 and apart["much"] < 0.03, (screen, apart)


def test_on_a_stage_the_phones_are_larger_and_stand_beside_the_lanes(ui):
    ui.page.set_viewport_size({"width": 1280, "height": 720})
    body = ui.phone(1).root.locator(".phone-body")
    height = body.bounding_box()["height"]
    ui.page.get_by_role("button", name="Stage").click()
    expect(ui.page.locator("#compose")).to_be_hidden()
    assert ui.page.url.endswith("#stage")
    ui.eventually(lambda: body.bounding_box()["height"] > height * 1.12)
    # It sends by a press or by a key, and R takes the newest back.
    ui.allow_both()
    ui.page.locator("h1").click()
    ui.page.keyboard.press("2")
    expect(ui.page.locator(".stage-bar .outcome")).to_contain_text("Accepted for")
    expect(ui.page.locator(".message-title")).to_have_text(["The Bell Founders, part 3"])
    ui.page.keyboard.press("r")
    expect(ui.page.locator(".message .pill")).to_have_text("recalled")
    ui.page.locator(".stage-bar").get_by_role("button", name="Breaking news").click()
    expect(ui.page.locator(".message-title").first).to_have_text("Comet seen over the harbour")
    ui.picture("stage-bar")
    ui.page.goto(f"{ui.up.url}/#scene=read-once&stage")
    scene(ui).get_by_role("button", name="Begin", exact=True).click()
    answer(ui, 1)
    lanes, controls = ui.page.locator("#history").bounding_box(), ui.phone(2).root.locator(".controls").bounding_box()
    assert lanes["x"] >= controls["x"] + controls["width"]
    assert controls["y"] + controls["height"] <= 720
    ui.picture("stage")
    scene(ui).get_by_role("link", name="Close").click()
    assert ui.page.url.endswith("#stage")
    ui.page.get_by_role("button", name="Stage").click()
    expect(ui.page.locator("#compose")).to_be_visible()


def test_a_closed_scene_puts_the_phones_back_as_they_were(ui):
    ui.allow_both()
    for name, body in (("lock", {}), ("aeroplane", {"on": True})):
        ui.command(2, name, **body)
    ui.phone(1).go_home()
    ui.command(1, "set", setting="focus", on=True)
    raw = ui.page.locator("[name=late]")
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    raw.check()
    begin(ui, "expiry")
    expect(raw).not_to_be_checked()
    begin(ui, "deletable")
    expect(ui.phone(1).caption).to_contain_text("Deletable")
    # A reload loses nothing of it.
    ui.page.reload()
    scene(ui).get_by_role("link", name="Close").click()
    expect(ui.phone(1).caption).to_contain_text("Chime is")
    expect(ui.phone(1).display).to_have_attribute("data-screen", "home")
    expect(ui.phone(2).display).to_have_attribute("data-screen", "lock")
    expect(ui.phone(2).caption).to_contain_text("offline")
    expect(ui.phone(1).root.locator(".status-focus")).to_be_visible()
    expect(raw).to_be_checked()
    for number in (1, 2):
        expect(ui.phone(number).root.locator(".sheet")).to_have_count(0)
    ui.eventually(lambda: ui.page.evaluate("JSON.parse(sessionStorage.getItem('before-scene')).phones.length") == 0)


def test_what_went_to_one_of_two_phones_says_which_and_why(ui):
    ui.allow_both()
    ui.command(2, "app", value="deletable")
    caution, outcome = (ui.page.locator(f".compose-form .{name}") for name in ("caution", "outcome"))
    expect(caution).to_have_text("Ada’s old iPhone has Deletable, which the service does not reach.")
    ui.send(title="For one")
    expect(outcome).to_have_class("outcome warn")
    expect(outcome).to_contain_text("for 1 of 2 phones. Ada’s old iPhone has Deletable, which the service does not reach.")
    ui.send(title="For the one that has it", to="phone-1")
    expect(outcome).to_have_class("outcome good")
    expect(caution).to_be_hidden()
