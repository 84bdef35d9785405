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
    ui.eventually(lambda: preview.evaluate(shape) == pytest.approx(card.evaluate(shape), abs=1))
    assert preview.locator("button").count() == 0


def test_a_message_goes_to_those_on_whom_a_condition_holds(ui):
    ui.allow_both()
    condition = form(ui).locator("[name=where]")
    expect(condition).to_be_hidden()
    form(ui).locator("[name=to]").select_option("where")
    expect(condition).to_be_visible()
    send = form(ui).get_by_role("button", name="Send", exact=True)
    faults = form(ui).locator(".faults")
    expect(faults).to_contain_text("Say on which condition")
    expect(send).to_have_attribute("aria-disabled", "true")
    condition.fill("tagg:vip")
    expect(faults).to_contain_text("did you mean tag?")
    expect(send).to_have_attribute("aria-disabled", "true")
    condition.fill("not tag:vip and version>=1")
    form(ui).locator("[name=title]").fill("For some")
    send.click()
    for number in (1, 2):
        expect(ui.phone(number).banner).to_contain_text("For some")


def test_a_message_is_tried_and_goes_out_in_each_language_with_each_users_values(ui):
    ui.allow_both()
    named = form(ui).locator("[name=named]")
    expect(named).to_be_hidden()
    form(ui).locator("[name=to]").select_option("named")
    trial = form(ui).get_by_role("button", name="Try")
    outcome = form(ui).locator(".outcome")
    faults = form(ui).locator(".faults")
    expect(faults).to_contain_text("Name the users with their values.")
    expect(trial).to_have_attribute("aria-disabled", "true")
    named.fill("[]")
    expect(faults).to_contain_text("not an object")
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
    expect(form(ui).locator(".outcome")).to_contain_text("Scheduled for")
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
    size = ui.page.locator(".raw-payload .size")
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
    custom.press("Control+Enter")
    expect(form(ui).locator(".faults")).to_contain_text("not JSON")
    custom.fill('{"aps": {}}')
    expect(form(ui).locator(".faults")).to_contain_text("beside aps")
    assert len(sent) == 1


def test_a_draft_is_kept_over_a_reload_and_each_tab_has_its_own(ui):
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
    other = ui.page.context.new_page()
    other.goto(ui.up.url)
    title = other.locator(".compose-form [name=title]")
    expect(title).not_to_have_value("Half a thought")
    title.fill("Another")
    ui.page.reload()
    expect(form(ui).locator("[name=title]")).to_have_value("Half a thought")


def test_a_refusal_names_its_field_in_the_form_s_words_and_goes_with_the_next_edit(ui):
    ui.allow_both()
    faults, invalid = form(ui).locator(".faults"), ui.page.locator("[aria-invalid]")
    send = form(ui).get_by_role("button", name="Send", exact=True)
    form(ui).locator("[name=to]").select_option("named")
    form(ui).locator("[name=named]").fill('{"ada": 5}')
    expect(faults).to_have_text("Users with their values, ada: must be an object, not a number")
    expect(invalid).to_have_attribute("name", "named")
    expect(ui.page.locator("#connection")).to_have_text("Live")
    form(ui).locator("[name=to]").select_option("user")
    expect(faults).to_be_hidden()
    expect(invalid).to_have_count(0)
    expect(send).not_to_have_attribute("aria-disabled", "true")
    more(ui)
    # All that the form itself sees is said at once, in one place.
    form(ui).locator("[name=localized]").fill("[")
    form(ui).locator("[name=custom]").fill("{nope")
    expect(faults.locator("li")).to_have_count(2)
    expect(invalid).to_have_count(2)
    assert "JSON" not in form(ui).locator(".size").inner_text()
    form(ui).locator("[name=custom]").fill("")
    form(ui).locator("[name=localized]").fill('{"de": "Hallo"}')
    # Folded away, it is shown again.
    more(ui)
    expect(faults).to_have_text("Texts in other languages, de: must be an object, not a string")
    expect(form(ui).locator("[name=localized]")).to_be_hidden()
    form(ui).locator("[name=body]").press("Control+Enter")
    expect(form(ui).locator("[name=localized]")).to_be_visible()
    expect(invalid).to_have_attribute("name", "localized")
    expect(form(ui).locator(".outcome")).to_be_empty()
    raw = open_raw(ui)
    answer, invalid = raw.locator(".faults li"), raw.locator("[aria-invalid]")
    push = raw.get_by_role("button", name="Push", exact=True)
    raw.locator("[name=expiration]").fill("soon")
    raw.locator("[name=expiration]").press("Control+Enter")
    expect(answer).to_have_text(["Expires in (s): a whole number from 0 to 2592000, which is 30 days."])
    expect(raw.locator(".apns-answer")).to_have_count(0)
    expect(push).to_have_attribute("aria-disabled", "true")
    expect(invalid).to_have_attribute("name", "expiration")
    raw.locator("[name=expiration]").fill("")
    expect(answer).to_have_count(0)
    expect(invalid).to_have_count(0)
    raw.locator("[name=phone]").select_option("")
    raw.locator("[name=token]").fill("no token")
    ui.page.locator("[name=payload]").press("Control+Enter")
    expect(answer).to_contain_text("Device token: 1 to 256 bytes in hexadecimal")
    raw.locator("[name=phone]").select_option("*")
    expect(answer).to_have_count(0)
    expect(push).not_to_have_attribute("aria-disabled", "true")
    raw.locator("[name=type]").select_option("voip")
    for number, name in ((0, "Ada’s iPhone"), (1, "Ada’s old iPhone")):
        expect(answer.nth(number)).to_contain_text(f"Chime on {name} has no token for calls")
    expect(push).to_have_attribute("aria-disabled", "true")
    # What one of the two cannot get goes to the other one.
    ui.command(2, "app", value="calls")
    ui.phone(2).answer("Allow")
    expect(raw.locator(".caution")).to_contain_text("Chime on Ada’s iPhone has no token for calls")
    expect(answer).to_have_count(0)
    push.click()
    expect(raw.locator(".apns-answer.good")).to_have_count(1)
    expect(ui.phone(2).root.locator(".call")).to_be_visible()


def test_the_keyboard_comes_to_the_form_soon_and_never_loses_its_place(ui):
    focused = ui.page.locator(":focus")
    ui.page.keyboard.press("Tab")
    expect(focused).to_have_text("Skip to the message form")
    focused.press("Enter")
    ui.page.keyboard.press("Tab")
    assert focused.evaluate("element => element.closest('#compose') !== null"), "more than ten stops to the form"
    # The controls below a phone are one stop.
    lock = ui.phone(2).root.locator("[data-control=lock]")
    lock.focus()
    lock.press("ArrowLeft")
    expect(focused).to_have_attribute("data-control", "restart")
    focused.press("Tab")
    assert focused.evaluate("element => element.closest('.controls')") is None
    for number in (1, 2):
        allow = ui.phone(number).root.get_by_role("button", name="Allow", exact=True)
        allow.focus()
        allow.press("Enter")
        expect(ui.phone(number).root.locator(".sheet")).to_have_count(0)
        expect(ui.phone(number).display).to_be_focused()
    for control, screen in (("home", "home"), ("lock", "lock")):
        button = ui.phone(2).root.locator(f"[data-control={control}]")
        button.press("Enter")
        expect(ui.phone(2).display).to_have_attribute("data-screen", screen)
        expect(button).to_be_focused()
    form(ui).locator("[name=title]").fill("One")
    send = form(ui).get_by_role("button", name="Send", exact=True)
    for title in ("One", "Two"):
        form(ui).locator("[name=title]").fill(title)
        send.press("Enter")
        expect(ui.page.locator(".message-title").first).to_have_text(title)
        expect(send).to_be_focused()
        expect(send).not_to_have_attribute("aria-busy", "true")
    expect(ui.phone(2).locked.first).to_contain_text("Two")
    # By the keyboard: what a pointer has focused is left where the pointer is.
    ui.phone(2).locked.first.locator(".note-face").press("Enter")
    expect(ui.phone(2).locked).to_have_count(2)
    face = ui.phone(2).locked.first.locator(".note-face")
    face.focus()
    face.press("Delete")
    expect(ui.phone(2).locked).to_have_count(1)
    expect(ui.phone(2).locked.locator(".note-face")).to_be_focused()
    ui.phone(2).locked.locator(".note-face").press("Delete")
    expect(ui.phone(2).locked).to_have_count(0)
    expect(ui.phone(2).display).to_be_focused()
    recall = ui.page.locator(".message").first.get_by_role("button", name="Recall")
    recall.press("Enter")
    expect(ui.page.locator(".message .pill").first).to_have_text("recalled")
    expect(recall).to_be_focused()


def test_a_button_is_busy_while_its_work_goes_on_and_does_nothing_meanwhile(ui):
    ui.allow_both()
    held, asked = [], []

    def hold(route):
        asked.append(route.request.url)
        held.append(route)

    ui.page.route("**/v1/notifications", hold)
    send = form(ui).get_by_role("button", name="Send", exact=True)
    send.press("Enter")
    expect(send).to_have_attribute("aria-busy", "true")
    form(ui).locator("[name=title]").press("Control+Enter")
    form(ui).locator("[name=title]").press("Control+Enter")
    assert len(asked) == 1
    held[0].continue_()
    expect(form(ui).locator(".outcome")).to_contain_text("Accepted for")
    expect(send).not_to_have_attribute("aria-busy", "true")


def test_a_payload_has_colours_and_line_numbers_and_push_stays_in_sight(ui):
    ui.allow_both()
    raw = open_raw(ui)
    editor, push = ui.page.locator("[name=payload]"), raw.get_by_role("button", name="Push", exact=True)
    text = json.dumps({"aps": {"alert": "x", "badge": 1}, **{f"key{number}": "A long text. " * 9 for number in range(60)}}, indent=2)
    editor.fill(text)
    lines = raw.locator(".editor-line")
    expect(lines).to_have_count(len(text.split("\n")))
    expect(lines.nth(1).locator(".json-key")).to_have_text('"aps"')
    # The colours lie under the letters: both wrap alike.
    ui.eventually(lambda: abs(raw.locator(".editor-paint").evaluate("paint => paint.scrollHeight") - editor.evaluate("area => area.scrollHeight")) < 2)
    for width, height in ((1440, 900), (1024, 700), (390, 844)):
        ui.page.set_viewport_size({"width": width, "height": height})
        for top in (0, 300):
            ui.page.evaluate("top => document.querySelector('#raw-form').scrollIntoView({ block: 'start' }) || scrollBy(0, top)", top)
            box = push.bounding_box()
            assert 0 <= box["y"] and box["y"] + box["height"] <= height + 1, (width, height, top, box)
    search = ui.page.get_by_label("Search presets")
    search.fill("icon has a 9")
    expect(raw.locator("xpath=..").locator(".chip:visible")).to_have_text(["A 9 on the icon"])
    search.fill("nothing like it")
    expect(ui.page.get_by_text("No preset matches.")).to_be_visible()
    search.fill("")
    expect(ui.page.get_by_role("group", name="Deletable")).to_be_visible()


def test_an_outcome_says_to_how_many_it_goes_and_no_id(ui):
    ui.allow_both()
    outcome = form(ui).locator(".outcome")
    message = ui.send(title="To both")
    expect(outcome).to_have_text("Accepted for 2 devices")
    ui.send(title="To one", to="phone-1")
    expect(outcome).to_have_text("Accepted for 1 device")
    more(ui)
    form(ui).locator("[name=send_at]").fill(ui.page.evaluate("new Date(Date.now() + 86400000 - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 16)"))
    form(ui).get_by_role("button", name="Send", exact=True).click()
    expect(outcome).to_have_text(re.compile(r"^Scheduled for \d+ [A-Z][a-z]+, \d\d:\d\d$"))
    expect(message.locator(".message-id")).to_be_visible()


def test_presets_are_named_by_what_they_show_and_found_by_the_keys_of_their_payloads(ui):
    raw = open_raw(ui)
    presets = ui.up.call("GET", "/presets")[1]["pushes"]
    labels = [preset["label"] for preset in presets]
    assert len(set(labels)) == len(labels)

    def keys(value):
        return {key for name, inner in value.items() for key in {name} | keys(inner)} if isinstance(value, dict) else set()

    for preset in presets:
        assert preset["label"][0].isupper() or preset["label"].startswith("A "), preset["label"]
        assert preset["label"].lower() not in {key.lower() for key in keys(preset["payload"])} | {"crt", "dlt", "alert", "fresh"}, preset["label"]
    search, chips = ui.page.get_by_label("Search presets"), raw.locator("xpath=..").locator(".chip:visible")
    for words, found in (
        ("loc-args", ["Own language"]), ("dlt", ["Deletes it", "Deletes and creates"]), ("a call", ["A call rings"]),
        ("live activity goal", ["A goal"]), ("category view", ["News with View"]),
    ):
        search.fill(words)
        expect(chips).to_have_text(found)
    for group in dict.fromkeys(preset["group"] for preset in presets):
        search.fill(group)
        expect(ui.page.get_by_role("group", name=group)).to_be_visible()
