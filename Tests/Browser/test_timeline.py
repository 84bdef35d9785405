"""The timeline: a line a phone, folded where it is long, with everything that went to APNs. Nothing sleeps."""

import re

from conftest import copied
from playwright.sync_api import expect


def history(ui):
    return ui.page.locator("#history")


def messages(ui):
    return ui.page.locator(".message")


def shown_on_both(ui, message):
    for number in (1, 2):
        expect(ui.step(message, number, "shown")).to_be_visible()


def test_the_newest_message_is_above_the_fold_with_one_line_of_steps_and_a_sentence_a_phone(ui):
    ui.allow_both()
    ui.phone(2).lock()
    for title in ("One", "Two"):
        shown_on_both(ui, ui.send(title=title, body="Short."))
    for index in (0, 1):
        for number in (1, 2):
            lane = ui.lane(messages(ui).nth(index), number)
            box = lane.bounding_box()
            assert index > 0 or box["y"] + box["height"] <= 900, "below the fold at 1440 by 900"
            assert box["height"] < 46, "more than two lines"
            tops = lane.locator(".step-name").evaluate_all("names => names.map((name) => Math.round(name.getBoundingClientRect().y))")
            assert len(set(tops)) == 1


def test_a_replaced_revision_is_labelled_and_folded(ui):
    ui.allow_both()
    for text in ("First", "Second", "Third"):
        identifier = ui.up.send({"id": "score", "payload": {"aps": {"alert": {"title": text, "body": "Goal."}}}})
        message = ui.message(identifier)
        expect(message.locator(".message-title")).to_have_text(text)
        shown_on_both(ui, message)
    expect(message.locator(".revision")).to_have_text("revision 3")
    # A receipt may be written down before APNs' answer, and does not stand before it.
    for number in (1, 2):
        names = [re.split(" ", text)[0] for text in ui.lane(message, number).locator(".step-name").all_inner_texts()]
        if "accepted" in names:
            assert names.index("accepted") < names.index("received")
    lane = ui.lane(message, 1)
    expect(lane.locator(".is-replaced")).to_have_count(0)
    fold = lane.locator(".fold")
    expect(fold).to_contain_text("replaced")
    assert lane.bounding_box()["height"] < 46
    for step in lane.locator(".step").all():
        inside = step.evaluate("step => step.getBoundingClientRect().right <= step.parentElement.getBoundingClientRect().right + 1")
        assert inside, "a step is cut off"
    fold.click()
    expect(lane.locator(".is-replaced").first).to_contain_text("revision 1, replaced")
    expect(fold).to_have_attribute("aria-expanded", "true")
    fold.click()
    expect(lane.locator(".is-replaced")).to_have_count(0)


def test_a_raw_push_is_in_the_timeline_with_what_became_of_it(ui):
    ui.allow_both()
    ui.phone(1).lock()
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    form = ui.page.locator(".raw-form")
    form.get_by_role("button", name="Push").click()
    push = messages(ui).first
    expect(push).to_contain_text("alert push, directly")
    expect(push.locator(".message-title")).to_have_text("Hello")
    expect(ui.step(push, 1, "accepted")).to_be_visible()
    expect(ui.step(push, 1, "shown")).to_be_visible()
    expect(push.locator(".pill")).to_have_text("shown")
    ui.phone(1).press("plane")
    expect(ui.phone(1).caption).to_contain_text("offline")
    push.get_by_role("button", name="Again").click()
    expect(messages(ui)).to_have_count(2)
    expect(ui.lane(messages(ui).first, 1).locator(".why")).to_contain_text("this phone is offline")
    ui.page.locator("[name=payload]").fill("{}")
    form.get_by_role("button", name="Push").click()
    expect(messages(ui).first.locator("[data-event=rejected]")).to_contain_text("PayloadEmpty")


def test_an_id_is_copied_and_a_message_is_sent_again(ui):
    ui.allow_both()
    ui.phone(1).lock()
    message = ui.send(title="Encore", body="Once more.")
    shown_on_both(ui, message)
    identifier = message.get_attribute("data-message")
    assert copied(message.locator(".message-id")) == identifier
    ui.page.reload()
    ui.message(identifier).get_by_role("button", name="Again").click()
    expect(messages(ui)).to_have_count(2)
    ui.phone(1).unfold()
    expect(ui.phone(1).locked).to_have_count(2)
    for title in messages(ui).locator(".message-title").all():
        expect(title).to_have_text("Encore")


def test_messages_are_searched_and_filtered(ui):
    ui.allow_both()
    first = ui.send(title="Comet seen", body="x")
    second = ui.send(title="Storm warning", body="x")
    for message in (first, second):
        shown_on_both(ui, message)
    search = ui.page.get_by_role("searchbox")
    search.fill("comet")
    expect(messages(ui)).to_have_count(1)
    expect(messages(ui)).to_contain_text("Comet seen")
    search.fill("storm shown")
    expect(messages(ui)).to_contain_text("Storm warning")
    search.fill("nothing like it")
    expect(history(ui)).to_contain_text("No message matches.")
    search.fill("")
    which = ui.page.get_by_label("Which messages")
    which.select_option("ended")
    expect(messages(ui)).to_have_count(0)
    which.select_option("")
    messages(ui).last.get_by_role("button", name="Recall").click()
    which.select_option("ended")
    expect(messages(ui)).to_have_count(1)
    expect(messages(ui)).to_contain_text("Comet seen")


def test_an_assured_message_counts_down_to_its_alert_push(ui):
    ui.allow_both()
    ui.phone(2).lock()
    ui.phone(2).press("quit")
    expect(ui.phone(2).caption).to_have_text("Chime is force-quit")
    message = ui.send(title="Important", body="Surely.", mode="Assured")
    why = ui.lane(message, 2).locator(".why")
    expect(why).to_contain_text("An alert push follows in 5")
    def seconds():
        return int(re.search(r"An alert push follows in (\d+)", why.inner_text()).group(1))

    before = seconds()
    ui.page.wait_for_function(
        "([why, before]) => Number(/follows in (\\d+)/.exec(why.innerText)?.[1]) < before - 1",
        arg=[why.element_handle(), before])
    assert 0 < seconds() < before
    expect(ui.lane(message, 1).locator(".why")).not_to_contain_text("follows")


# The parts of a message's head that stand beside its title, and how much of its line the title has.
BESIDE_TITLE = """(title) => {
  const own = title.getBoundingClientRect(), head = title.closest(".message-head");
  const others = [...head.querySelectorAll("*")].filter((part) => part !== title && !part.contains(title) && part.checkVisibility() && part.getBoundingClientRect().height > 0);
  return {
    beside: others.filter((part) => part.getBoundingClientRect().top < own.bottom - 1).map((part) => part.className),
    width: own.width / head.getBoundingClientRect().width,
  };
}"""


def test_a_title_has_a_line_of_its_own_at_every_width(ui):
    ui.allow_both()
    long = ui.send(title="A title of so many words that no line of the timeline has room for it, whatever the width of the window " * 2, body="Short.")
    short = ui.send(title="Hi", body="Short.")
    for message in (long, short):
        shown_on_both(ui, message)
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    ui.page.locator("#raw-form").get_by_role("button", name="Push", exact=True).click()
    expect(messages(ui)).to_have_count(3)
    for width in (320, 360, 390, 560, 768, 941, 1024, 1181, 1280, 1440, 1920, 2560):
        ui.page.set_viewport_size({"width": width, "height": 900})
        for title in messages(ui).locator(".message-title").all():
            found = title.evaluate(BESIDE_TITLE)
            assert found["beside"] == [] and found["width"] > 0.99, (width, found)
            assert title.bounding_box()["height"] < 30, "it is one line"


def test_read_elsewhere_takes_a_message_from_both_phones(ui):
    ui.allow_both()
    for number in (1, 2):
        ui.phone(number).lock()
    message = ui.send(title="From a friend", body="Are you there?")
    for number in (1, 2):
        expect(ui.phone(number).locked).to_have_count(1)
    message.get_by_role("button", name="Read elsewhere").click()
    for number in (1, 2):
        expect(ui.phone(number).locked).to_have_count(0)
        expect(ui.lane(message, number)).to_contain_text("read elsewhere")
    expect(message.get_by_role("button", name="Read elsewhere")).to_be_hidden()
    ui.picture("read-elsewhere")
