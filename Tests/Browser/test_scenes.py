"""Guided scenes, what is given away, and the view for a projector. Nothing sleeps."""

import re

import pytest
from conftest import PhonesUI, copied
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


def test_each_scene_comes_out_as_it_says_and_a_reset_puts_everything_back(ui):
    ui.page.get_by_role("link", name="Scenes").click()
    expect(scene(ui).get_by_role("link")).to_have_count(10)
    ui.picture("scenes")
    scenes = ui.up.call("GET", "/presets")[1]["scenes"]
    for one in scenes:
        begin(ui, one["id"])
        if one["id"] == "recall":
            ui.picture("scene-question")
        if one["id"] == "assured":
            # Its end takes a minute; another scene stops it.
            scene(ui).locator(".scene-answer").first.click()
            expect(scene(ui).locator(".done")).to_have_count(1)
            continue
        answer(ui, 0)
        expect(scene(ui).locator(".done")).to_have_count(len(one["steps"]))
        expect(scene(ui).locator(".scene-verdict")).to_contain_text(one["answers"][one["right"]])
        expect(scene(ui).locator("code")).to_have_text(one["page"])
    ui.picture("scene-told")
    assert ui.up.call("POST", "/episodes", {})[1]["count"] == 4
    ui.page.locator(".compose-form [name=title]").fill("A draft")
    ui.page.locator(".scene").get_by_role("link", name="All scenes").click()
    scene(ui).get_by_role("button", name="Reset the demo").click()
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


@pytest.fixture
def other(up, new_page):
    made = PhonesUI(new_page(), up)
    yield made
    assert made.problems == []


def test_a_link_plays_a_push_elsewhere_and_a_test_of_it_can_be_copied(ui, other):
    ui.allow_both()
    ui.phone(1).lock()
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    ui.page.get_by_role("button", name="alert: dictionary").click()
    ui.page.locator("#raw-form [name=phone]").select_option("phone-1")
    buttons = ui.page.locator(".raw-form")
    test = copied(buttons.get_by_role("button", name="Swift test"))
    assert "try await app.suspend()" in test and '#expect(content.title == #"Game Request"#)' in test
    link = copied(buttons.get_by_role("button", name="Link"))
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


def test_on_a_stage_the_phones_are_larger_and_stand_beside_the_lanes(ui):
    ui.page.set_viewport_size({"width": 1280, "height": 720})
    body = ui.phone(1).root.locator(".phone-body")
    height = body.bounding_box()["height"]
    ui.page.get_by_role("button", name="Stage").click()
    expect(ui.page.locator("#compose")).to_be_hidden()
    assert ui.page.url.endswith("#stage")
    begin_height = body.bounding_box()["height"]
    assert begin_height > height * 1.12
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
