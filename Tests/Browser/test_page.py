"""The page as a newcomer uses it. Every wait is for something that is to be seen; nothing sleeps."""

import datetime

import pytest
from playwright.sync_api import expect

from conftest import PhonesUI, at_rest

# As most people have it.
pytestmark = pytest.mark.motion


def soon(seconds):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)).isoformat()


def test_the_first_launch_asks_for_permission_and_keeps_the_answer(ui):
    first, second = ui.phone(1), ui.phone(2)
    expect(first.root.locator(".sheet h3")).to_contain_text("Would Like to Send You Notifications")
    ui.picture("permission")
    first.answer("Allow")
    second.answer("Don’t Allow")
    for number, phone in ((1, first), (2, second)):
        # The next launch does not ask again.
        for command in ("home", "force-quit", "open"):
            assert ui.up.call("POST", f"/phones/phone-{number}/{command}", {})[0] == 204, command
        expect(phone.display).to_have_attribute("data-screen", "app")
    expect(first.caption).to_have_text("Chime is in the foreground")
    expect(second.caption).to_contain_text("notifications are not allowed")
    for phone in (first, second):
        expect(phone.root.locator(".sheet")).to_have_count(0)


def test_a_message_slides_in_on_one_phone_and_lies_on_the_lock_screen_of_the_other(ui):
    ui.allow_both()
    ui.phone(1).go_home()
    ui.phone(2).lock()
    message = ui.send(title="Comet over the harbour", body="Until Sunday.")
    expect(ui.phone(1).banner.locator(".note-title")).to_have_text("Comet over the harbour")
    expect(ui.phone(2).locked.locator(".note-title")).to_have_text("Comet over the harbour")
    expect(ui.phone(1).badge).to_have_text("1")
    for number in (1, 2):
        for event in ("queued", "sent", "accepted", "shown"):
            expect(ui.step(message, number, event)).to_be_visible()
    ui.picture("sent")


def test_a_tap_opens_the_news_and_the_other_phone_forgets_it(ui):
    ui.allow_both()
    ui.phone(1).go_home()
    ui.phone(2).lock()
    message = ui.send(title="Tower reopened", body="Two hundred steps.")
    expect(ui.phone(1).banner).to_be_visible()
    ui.phone(2).locked.locator(".note-face").click()
    expect(ui.phone(2).display).to_have_attribute("data-screen", "app")
    expect(ui.phone(2).app.get_by_text("Tower reopened").first).to_be_visible()
    expect(ui.phone(1).banner).to_have_count(0)
    expect(ui.phone(1).badge).to_be_hidden()
    expect(ui.step(message, 2, "opened")).to_be_visible()
    expect(ui.step(message, 1, "recalled")).to_be_visible()
    ui.picture("opened")


def test_a_recall_empties_both_phones(ui):
    ui.allow_both()
    ui.phone(1).go_home()
    ui.phone(2).lock()
    message = ui.send(title="A mistake", body="Never mind.")
    expect(ui.phone(2).locked).to_have_count(1)
    expect(ui.step(message, 1, "shown")).to_be_visible()
    message.get_by_role("button", name="Recall").click()
    expect(ui.phone(1).banner).to_have_count(0)
    expect(ui.phone(2).locked).to_have_count(0)
    ui.phone(1).press("list")
    expect(ui.phone(1).listed).to_have_count(0)
    for number in (1, 2):
        expect(ui.step(message, number, "recalled")).to_be_visible()
    ui.picture("recalled")


def test_a_message_that_expired_while_a_phone_was_offline_is_never_shown_and_says_why(ui):
    ui.allow_both()
    ui.phone(1).lock()
    ui.phone(1).press("plane")
    expect(ui.phone(1).caption).to_contain_text("offline")
    identifier = ui.up.send(
        {"payload": {"aps": {"alert": {"title": "Flash sale", "body": "Be quick."}}}, "until": soon(2)})
    message = ui.message(identifier)
    expect(ui.lane(message, 1).locator(".why")).to_contain_text("this phone is offline")
    expect(message.locator(".pill")).to_have_text("expired")
    ui.phone(1).press("plane")
    expect(ui.phone(1).caption).not_to_contain_text("offline")
    expect(ui.lane(message, 1).locator(".why")).to_contain_text("it expired before this phone was online")
    expect(ui.phone(1).locked).to_have_count(0)
    ui.picture("expired")


def test_a_force_quit_app_is_not_woken_but_visible_messages_still_show(ui):
    ui.allow_both()
    ui.phone(1).go_home()
    ui.phone(1).press("quit")
    expect(ui.phone(1).caption).to_have_text("Chime is force-quit")
    silent = ui.send(title="Made on the phone", body="By the app.", mode="Silent")
    expect(ui.phone(2).banner).to_be_visible()
    expect(ui.lane(silent, 1).locator(".why")).to_contain_text("force-quit")
    expect(ui.phone(1).banner).to_have_count(0)
    ui.send(title="Seen all the same", body="An alert.", mode="Visible")
    expect(ui.phone(1).banner.locator(".note-title")).to_have_text("Seen all the same")
    ui.picture("force-quit")
    caution = ui.page.locator(".compose-form .caution")
    segments = ui.page.locator(".compose-form .segments")
    segments.get_by_text("Silent", exact=True).click()
    expect(caution).to_have_text("Chime is force-quit on Ada’s iPhone: no silent push wakes it.")
    ui.phone(2).press("quit")
    expect(caution).to_contain_text("Chime is force-quit, so iOS wakes it for no silent push")
    segments.get_by_text("Visible", exact=True).click()
    expect(caution).to_be_hidden()


def test_what_apns_kept_arrives_when_aeroplane_mode_ends(ui):
    ui.allow_both()
    ui.phone(1).lock()
    ui.phone(1).press("plane")
    message = ui.send(title="Kept for later", body="Patience.")
    expect(ui.lane(message, 1).locator(".why")).to_contain_text("this phone is offline")
    ui.phone(1).press("plane")
    expect(ui.phone(1).locked.locator(".note-title")).to_have_text("Kept for later")
    expect(ui.lane(message, 1).locator(".why")).to_have_text("On the lock screen.")


def test_the_keyboard_reaches_actions_and_replies(ui):
    ui.allow_both()
    ui.phone(2).lock()
    message = ui.send(title="What do you think?", body="Answer from here.")
    card = ui.phone(2).locked
    card.locator(".note-face").focus()
    card.locator(".note-face").press("ArrowDown")
    card.get_by_role("button", name="Reply", exact=True).press("Enter")
    reply = card.locator("form")
    expect(reply.locator("input")).to_be_focused()
    reply.locator("input").fill("Lovely")
    reply.locator("input").press("Enter")
    expect(ui.phone(2).locked).to_have_count(0)
    expect(ui.step(message, 2, "acted")).to_be_visible()


def test_gestures_clear_unlock_and_pull_the_list_down(ui):
    ui.allow_both()
    phone = ui.phone(1)
    phone.lock()
    ui.send(title="To be cleared", body="By hand.")
    drag(ui.page, phone.locked.locator(".note-face"), dx=-230)
    expect(phone.locked).to_have_count(0)
    drag(ui.page, phone.root.locator(".edge-bottom"), dy=-220)
    expect(phone.display).to_have_attribute("data-screen", "app")
    drag(ui.page, phone.root.locator(".edge-top"), dy=220)
    expect(phone.display).to_have_attribute("data-center", "open")


def test_messages_of_one_thread_lie_on_one_another(ui):
    ui.allow_both()
    phone = ui.phone(1)
    phone.lock()
    for title in ("One", "Two", "Three"):
        ui.up.send({"payload": {"aps": {"alert": title, "thread-id": "storm"}}})
        expect(phone.locked).to_contain_text(title)
    expect(phone.locked).to_have_count(1)
    expect(phone.locked).to_contain_text("2 more")
    expect(ui.page.locator(".leaving")).to_have_count(0)
    ui.picture("stack")
    phone.locked.click()
    expect(phone.locked).to_have_count(3)
    expect(phone.display).to_have_attribute("data-screen", "lock")
    phone.locked.first.click()
    expect(phone.display).to_have_attribute("data-screen", "app")


def drag(page, element, dx=0, dy=0):
    at_rest(element)
    box = element.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx / 2, y + dy / 2)
    page.mouse.move(x + dx, y + dy)
    page.mouse.up()


def test_a_push_by_hand_goes_to_apns_without_the_service(ui):
    ui.allow_both()
    ui.phone(1).go_home()
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    form = ui.page.locator(".raw-form")
    form.get_by_role("button", name="Push").click()
    expect(form.locator(".apns-answer")).to_contain_text("200 accepted")
    expect(ui.phone(1).banner.locator(".note-title")).to_have_text("Hello")
    form.locator("[name=collapse]").fill("x" * 65)
    form.get_by_role("button", name="Push").click()
    expect(form.locator(".apns-answer.bad")).to_be_visible()
    ui.picture("directly-to-apns")


def test_a_message_sent_by_another_program_appears_with_its_title(ui):
    ui.allow_both()
    identifier = ui.up.send({"payload": {"aps": {"alert": {"title": "From a program", "body": "Not the page."}}}})
    expect(ui.message(identifier).locator(".message-title")).to_have_text("From a program")


def test_a_reloaded_page_shows_what_it_showed(ui):
    ui.allow_both()
    message = ui.send(title="Before", body="The page is loaded again.")
    expect(ui.step(message, 1, "shown")).to_be_visible()
    ui.page.reload()
    expect(ui.page.locator("#connection")).to_have_text("Live")
    expect(ui.page.locator(".message-title")).to_have_text("Before")


def test_the_page_survives_the_loss_of_its_connection(up, new_page):
    ui = PhonesUI(new_page(), up).open().allow_both()
    before = ui.send(title="Before", body="The line goes dead.")
    expect(ui.step(before, 1, "shown")).to_be_visible()
    connection = ui.page.locator("#connection")
    # What a phone refuses is said below it; the line at the top is about the connection alone.
    home = "**/phones/phone-1/home"
    ui.page.route(home, lambda route: route.fulfill(status=409, content_type="application/problem+json", body='{"detail": "The phone is busy."}'))
    ui.phone(1).press("home")
    expect(ui.phone(1).caption).to_have_text("The phone is busy.")
    expect(connection).to_have_text("Live")
    ui.page.unroute(home)
    port = ui.up.url.rsplit(":", 1)[1]
    assert ui.up.stop() == 0
    expect(connection).to_have_text("Connection lost, reconnecting…")
    # What fails meanwhile says so where it was asked for.
    silence = "The service does not answer. Is it still running?"
    problem = before.locator(".message-problem")
    for name in ("Recall", "Again"):
        before.get_by_role("button", name=name).click()
        expect(problem).to_have_text(silence)
        # Emptied here, so that the next press says it anew.
        problem.evaluate("problem => { problem.textContent = '' }")
    plate = ui.page.locator(".absence")
    expect(plate).to_be_visible()
    assert ui.phone(1).root.evaluate("phone => phone.inert")
    ui.picture("absence")
    send = ui.page.get_by_role("button", name="Send", exact=True)
    expect(send).to_have_attribute("aria-disabled", "true")
    expect(ui.page.locator(".compose-form .caution")).to_have_text("carillon up does not answer: nothing can be sent.")
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    expect(ui.page.locator("#raw-form button[type=submit]")).to_have_attribute("aria-disabled", "true")
    ui.page.get_by_role("button", name="Add an episode").click()
    expect(ui.page.locator(".episode-row")).to_contain_text(silence)
    preview = ui.page.locator(".raw-form .preview")
    expect(preview).to_be_visible()
    expect(preview).not_to_contain_text("shown")
    ui.up.arguments = ("up", "--port", port, "--data", ui.up.data)
    ui.up.start()
    expect(connection).to_have_text("Live")
    expect(preview.locator(".note-title")).to_have_text("Hello")
    # Nothing red is left beside a green line.
    expect(plate).to_be_hidden()
    assert not ui.phone(1).root.evaluate("phone => phone.inert")
    expect(problem).to_be_hidden()
    expect(ui.page.locator(".episode-row")).not_to_contain_text(silence)
    assert silence not in ui.page.locator("body").inner_text()
    expect(ui.page.locator("#raw-form button[type=submit]")).not_to_have_attribute("aria-disabled", "true")
    after = ui.up.send({"payload": {"aps": {"alert": {"title": "After", "body": "It is back."}}}})
    expect(ui.step(ui.message(after), 1, "shown")).to_be_visible()
    expect(ui.page.locator(".message-title")).to_have_text(["After", "Before"])
    # The browser itself says that nobody answered.
    assert all("net::ERR_" in problem or "409" in problem for problem in ui.problems), ui.problems
    ui.problems.clear()


def test_dark_and_narrow_pages_show_the_same(ui):
    ui.allow_both()
    ui.phone(2).lock()
    message = ui.send(title="Evening edition", body="Read it in bed.")
    expect(ui.step(message, 2, "shown")).to_be_visible()
    ui.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    ui.picture("dark")
    ui.page.set_viewport_size({"width": 390, "height": 844})
    width = ui.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    ui.picture("narrow")


def test_touches_and_keys_reach_the_views_of_the_app(ui):
    ui.allow_both()
    app = ui.phone(1).app
    expect(app.get_by_text("Bells of the old town")).to_be_visible()
    ui.send(title="Read me", body="From the list.")
    ui.phone(1).banner.locator(".note-face").click()
    expect(app.get_by_text("From the list.")).to_be_visible()
    back = app.locator(".ui-button", has_text="News")
    back.click()
    expect(back).to_have_count(0)
    row = app.get_by_role("button", name="Read me")
    row.focus()
    row.press("Enter")
    expect(back).to_be_visible()
    app.get_by_role("button", name="Podcasts").click()
    expect(app.get_by_text("Bells of the old town")).to_be_visible()


def test_a_page_that_finds_nobody_at_first_begins_when_somebody_answers(up, new_page):
    page = new_page()
    first = []

    def refuse(route):
        first.append(route)
        route.abort() if len(first) == 1 else route.continue_()

    page.route("**/phones", refuse)
    page.goto(up.url)
    expect(page.locator("#connection")).to_have_text("Live")
    expect(page.locator(".phone")).to_have_count(2)
