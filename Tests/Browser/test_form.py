"""The form: what it shows while one types, and that what is typed is what is sent. Nothing sleeps."""

import datetime
import json
import re

import pytest
from playwright.sync_api import expect


def form(ui):
    return ui.page.locator(".compose-form")


def checks(ui, of=".compose-form"):
    return ui.page.locator(f"{of} .checks")


def open_raw(ui):
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    return ui.page.locator(".raw-form")


def more(ui):
    form(ui).locator("summary", has_text="More").click()


def test_the_preview_is_the_card_that_the_phone_then_draws(ui):
    ui.allow_both()
    ui.phone(1).lock()
    preview = form(ui).locator(".preview .note")
    title, body = "A title of such a length that one line has no room for it", "A body. " * 30
    form(ui).locator("[name=title]").fill(title)
    form(ui).locator("[name=body]").fill(body)
    expect(preview.locator(".note-title")).to_have_text(title)
    form(ui).get_by_role("button", name="Send", exact=True).click()
    card = ui.phone(1).locked.first
    expect(card.locator(".note-title")).to_have_text(title)
    shape = """note => {
      const of = (part) => note.querySelector(part);
      return [note.offsetWidth, note.offsetHeight, of(".note-title").offsetWidth, of(".note-body").offsetHeight];
    }"""
    assert preview.evaluate(shape) == pytest.approx(card.evaluate(shape), abs=1)
    assert preview.locator("button").count() == 0


def test_a_message_goes_to_those_on_whom_a_condition_holds(ui):
    ui.allow_both()
    condition = form(ui).locator("[name=where]")
    expect(condition).to_be_hidden()
    form(ui).locator("[name=to]").select_option("where")
    expect(condition).to_be_visible()
    send = form(ui).get_by_role("button", name="Send", exact=True)
    send.click()
    expect(form(ui).locator(".outcome")).to_contain_text("Say on which condition")
    condition.fill("tagg:vip")
    send.click()
    expect(form(ui).locator(".outcome")).to_contain_text("did you mean tag?")
    condition.fill("not tag:vip and version>=1")
    form(ui).locator("[name=title]").fill("For some")
    send.click()
    for number in (1, 2):
        expect(ui.phone(number).banner).to_contain_text("For some")
    # Chromium's own line about the answer 422.
    assert all("422" in problem for problem in ui.problems)
    ui.problems.clear()


def test_a_message_is_tried_and_goes_out_in_each_language_with_each_users_values(ui):
    ui.allow_both()
    named = form(ui).locator("[name=named]")
    expect(named).to_be_hidden()
    form(ui).locator("[name=to]").select_option("named")
    trial = form(ui).get_by_role("button", name="Try")
    outcome = form(ui).locator(".outcome")
    trial.click()
    expect(outcome).to_contain_text("Name the users with their values.")
    named.fill("[]")
    trial.click()
    expect(outcome).to_contain_text("not an object")
    named.fill('{"ada": {"name": "Ada"}}')
    form(ui).locator("[name=title]").fill("Hello {{name}}")
    more(ui)
    form(ui).locator("[name=localized]").fill('{"en": {"title": "Good day, {{name}}"}, "de": {"title": "Hallo"}}')
    trial.click()
    expect(outcome).to_contain_text("2 devices")
    expect(outcome).to_contain_text("en: 2")
    expect(ui.page.locator(".message")).to_have_count(0)
    form(ui).get_by_role("button", name="Send", exact=True).click()
    for number in (1, 2):
        expect(ui.phone(number).banner).to_contain_text("Good day, Ada")


def test_a_message_that_waits_is_paused_resumed_and_cancelled_from_the_timeline(ui):
    ui.allow_both()
    tomorrow = datetime.datetime.now() + datetime.timedelta(days=1)
    more(ui)
    form(ui).locator("[name=send_at]").fill(tomorrow.strftime("%Y-%m-%dT%H:%M"))
    form(ui).get_by_role("button", name="Send", exact=True).click()
    expect(form(ui).locator(".outcome")).to_contain_text("Scheduled as")
    message = ui.page.locator(".message").first
    state = message.locator(".pill")
    expect(state).to_have_text("scheduled")
    for change, word in (("Pause", "paused"), ("Resume", "scheduled"), ("Cancel", "cancelled")):
        message.get_by_role("button", name=change, exact=True).click()
        expect(state).to_have_text(word)
    expect(message.get_by_role("button", name="Pause", exact=True)).to_be_hidden()
    form(ui).locator("[name=send_at]").fill("")


def test_the_checks_are_those_of_validate_while_one_types(ui):
    expect(checks(ui)).to_contain_text("Shown as a banner")
    for name in ("title", "body"):
        form(ui).locator(f"[name={name}]").fill("")
    expect(checks(ui).locator("[data-severity=warning]")).to_contain_text("Has no text, so nothing is shown.")
    expect(form(ui).locator(".preview")).to_contain_text("Nothing is shown.")
    raw = open_raw(ui)
    editor = ui.page.locator("[name=payload]")
    text = lambda size: json.dumps({"aps": {"alert": "x" * (size - len(json.dumps({"aps": {"alert": ""}})))}})
    size = ui.page.locator(".aside .size")
    editor.fill(text(4096))
    expect(size).to_have_text("payload 4096 of 4096 bytes, as typed")
    expect(checks(ui, ".raw-form")).to_contain_text("Shown as a banner")
    editor.fill(text(4097))
    expect(size).to_have_text("payload 4097 of 4096 bytes, as typed")
    expect(size).to_have_class("size too-big")
    expect(checks(ui, ".raw-form").locator("[data-severity=error]")).to_contain_text("PayloadTooLarge")
    editor.fill('{"aps": {"content-available": 1}}')
    raw.locator("[name=type]").select_option("background")
    expect(checks(ui, ".raw-form").locator("[data-severity=error]")).to_contain_text("BadPriority")
    raw.locator("[name=priority]").select_option("5")
    expect(checks(ui, ".raw-form").locator("[data-severity=error]")).to_have_count(0)
    editor.fill("{")
    expect(checks(ui, ".raw-form").locator("[data-severity=error]")).to_contain_text("JSON")


def test_a_raw_payload_goes_out_byte_for_byte_as_typed(ui):
    ui.allow_both()
    raw = open_raw(ui)
    typed = '{ "n": 12345678901234567890,  "n": 1.50, "aps": {"alert": "caf\u00e9 \\u0041"} }\n'
    ui.page.locator("[name=payload]").fill(typed)
    raw.locator("[name=phone]").select_option("*")
    requests = []
    ui.page.on("request", lambda request: request.url.endswith("/push") and requests.append(request.post_data_json))
    raw.get_by_role("button", name="Push").click()
    expect(raw.locator(".apns-answer.good")).to_have_count(2)
    assert [(request["phone"], request["payload"]) for request in requests] == [("phone-1", typed), ("phone-2", typed)]
    # 200 for … bytes: what APNs has counted.
    ui.page.get_by_role("tab", name="Log").click()
    expect(ui.page.locator(".log")).to_contain_text(f"{len(typed.encode())} bytes")


def test_one_phone_both_or_everyone(ui):
    ui.allow_both()
    for number in (1, 2):
        ui.phone(number).lock()
    form(ui).locator("[name=to]").select_option("phone-2")
    expect(form(ui).locator(".size")).to_contain_text("payload")
    ui.send(title="Only the second", to="phone-2")
    expect(ui.phone(2).locked).to_have_count(1)
    ui.send(title="Both", to="user")
    ui.phone(2).unfold()
    expect(ui.phone(2).locked).to_have_count(2)
    expect(ui.phone(1).locked).to_have_count(1)
    ui.send(title="All", to="everyone")
    ui.phone(1).unfold()
    expect(ui.phone(1).locked).to_have_count(2)
    expect(ui.phone(1).locked.first).to_contain_text("All")
    assert "Only the second" not in ui.phone(1).root.inner_text()


def test_own_keys_category_thread_and_dialect_are_sent_as_typed(ui):
    ui.allow_both()
    ui.phone(1).lock()
    more(ui)
    sent = []
    ui.page.on("request", lambda request: request.url.endswith("/v1/notifications") and sent.append(request.post_data))
    custom = form(ui).locator("[name=custom]")
    custom.fill('{"big": 12345678901234567890, "price": 1.50}')
    form(ui).locator("[name=dialect]").select_option("pushwoosh")
    form(ui).locator("[name=thread]").fill("storm")
    ui.send(title="With keys")
    assert '"big":12345678901234567890,"price":1.50' in sent[0]
    assert json.loads(sent[0])["dialect"] == "pushwoosh"
    assert json.loads(sent[0])["payload"]["aps"]["thread-id"] == "storm"
    expect(ui.phone(1).locked).to_contain_text("With keys")
    custom.fill("{nope")
    form(ui).get_by_role("button", name="Send", exact=True).click()
    expect(form(ui).locator(".outcome.bad")).to_contain_text("not JSON")
    custom.fill('{"aps": {}}')
    expect(form(ui).locator(".size")).to_contain_text("beside aps")
    assert len(sent) == 1


def test_a_draft_is_kept_over_a_reload(ui):
    more(ui)
    form(ui).locator("[name=title]").fill("Half a thought")
    form(ui).locator("[name=custom]").fill('{"a": 1}')
    form(ui).locator("[name=to]").select_option("phone-2")
    form(ui).locator(".segments").get_by_text("Assured", exact=True).click()
    form(ui).locator("[name=sound]").uncheck()
    raw = open_raw(ui)
    ui.page.locator("[name=payload]").fill('{"aps": {"badge": 3}}')
    raw.locator("[name=type]").select_option("background")
    ui.page.reload()
    expect(form(ui).locator("[name=title]")).to_have_value("Half a thought")
    expect(form(ui).locator("[name=custom]")).to_have_value('{"a": 1}')
    expect(form(ui).locator("[name=to]")).to_have_value("phone-2")
    expect(form(ui).locator("[name=mode]:checked")).to_have_value("assured")
    expect(form(ui).locator("[name=sound]")).not_to_be_checked()
    expect(ui.page.locator("[name=payload]")).to_have_value('{"aps": {"badge": 3}}')
    expect(ui.page.locator("[name=type]")).to_have_value("background")
    expect(form(ui).locator(".json")).to_contain_text(re.compile('"mode": "assured"'))
