"""The five articles on the page, step by step, with the articles' own apps."""

import json
import re
import subprocess
import time

import pytest
from playwright.sync_api import expect

from conftest import CARILLON, FRAMES, PATIENCE_MS, PhonesUI, copied
from test_presets import bring_into, command, finished_after, last_push, newest, push, title_of
from watch import Watch

# Texts on the app's screen that have less room than they need, and those that lie over another.
CUT_OFF = """(screen) => {
    const texts = [...screen.querySelectorAll(".ui-label > .ui-content:not([hidden])")].filter((text) => text.offsetParent);
    const inked = texts.map((text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        return { text, ink: range.getBoundingClientRect(), box: text.parentElement.getBoundingClientRect() };
    });
    // A label of one line ends in an ellipsis, as on iOS.
    const cut = inked.filter(({ text, ink, box }) => ink.height > box.height + 2 || ink.width > box.width + 8 && !text.classList.contains("one-line"));
    const over = inked.filter((a) => inked.some((b) => a !== b && !a.text.parentElement.contains(b.text)
        && a.text.closest(".clips") === b.text.closest(".clips") && a.ink.height && b.ink.height
        && a.ink.left < b.ink.right - 1 && b.ink.left < a.ink.right - 1 && a.ink.top < b.ink.bottom - 1 && b.ink.top < a.ink.bottom - 1));
    return [...cut, ...over].map(({ text }) => text.textContent.slice(0, 80));
}"""


def is_readable(ui, screen, said=""):
    """No text of the app is cut off or lies over another, once all is drawn."""
    ui.eventually(lambda: screen.evaluate(CUT_OFF) == [], said)


@pytest.fixture
def raw(ui):
    """The page with the form for a push straight to APNs."""
    ui.allow_both()
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    ui.page.locator(".app-choices summary").click()
    return ui


def put(ui, app, allow="Allow"):
    command(ui, "unlock")
    ui.put(1, app, allow)


def suspend(ui):
    """Behind the lock screen, and suspended, as it is five seconds later."""
    bring_into(ui, "away")
    expect(ui.phone(1).caption).to_contain_text("suspended")


def tab(ui, name):
    ui.phone(1).app.get_by_role("button", name=name).click()


def fill(ui, **fields):
    """Fills the form with a push of one's own."""
    form = ui.page.locator("#raw-form")
    for name, value in fields.items():
        if name == "payload":
            ui.page.locator("textarea[name=payload]").fill(value)
        elif name in ("type", "priority"):
            form.locator(f"[name={name}]").select_option(value)
        else:
            form.locator(f"[name={name}]").fill(value)


def test_a_push_in_front_appears_in_the_news_as_if_by_magic(raw):
    put(raw, "tutorial")
    expect(raw.phone(1).app).to_contain_text(raw.up.call("GET", "/podcasts.json")[1]["episodes"][0]["title"])
    tab(raw, "News")
    for number in range(1, 5):
        push(raw, {"group": "Tutorial", "label": "Breaking News!"})
        stories = raw.phone(1).app.locator(".ui-content", has_text="Breaking News!")
        raw.eventually(lambda: (stories.first.text_content() or "").count("https://example.org/news") == number)
    expect(raw.phone(1).banner).to_have_count(0)
    is_readable(raw, raw.phone(1).app)
    raw.picture("article-newscast")
    # Texts of any length, also of wide letters and long words, have the room that they need.
    for number, text in enumerate(("Word " * 60, "WIDE WORDS MAKE LONG LINES " * 12, "Donaudampfschifffahrtsgesellschaftskapitän " * 8)):
        payload = {"aps": {"alert": f"{number} {text}".strip(), "link_url": "https://example.org/long"}}
        fill(raw, payload=json.dumps(payload))
        raw.page.locator("#raw-form").get_by_role("button", name="Push", exact=True).click()
        expect(stories.first).to_contain_text(payload["aps"]["alert"][:40])
        is_readable(raw, raw.phone(1).app, text[:20])
    raw.picture("article-newscast-long")


def test_permission_and_token_are_printed_and_so_is_a_failure(raw):
    put(raw, "tutorial")
    tab(raw, "Console")
    app = raw.phone(1).app
    expect(app).to_contain_text("Permission granted: true")
    expect(app).to_contain_text("Notification settings:")
    expect(app).to_contain_text("Device Token: " + raw.up.call("GET", "/phones")[1]["phones"][0]["app"]["token"])
    put(raw, "tutorial", "Don’t Allow")
    tab(raw, "Console")
    expect(app).to_contain_text("Permission granted: false")
    expect(app).not_to_contain_text("Device Token")
    put(raw, "tutorial-unentitled")
    tab(raw, "Console")
    expect(app).to_contain_text("Failed to register: ")
    is_readable(raw, app)
    raw.picture("article-failed")


def test_as_listed_loses_a_removal_in_the_background(raw):
    phone = raw.phone(1)
    for app, left, goes in (("listed-objc", 1, suspend), ("deletable", 0, lambda ui: bring_into(ui, "away"))):
        put(raw, app)
        goes(raw)
        for label in ("Creates “hello there”", "Deletes it"):
            push(raw, {"group": "Deletable", "label": label})
        expect(phone.locked).to_have_count(left)
    put(raw, "listed")
    suspend(raw)
    for payload in ('{"aps":{"content-available":1},"crt":"1","title":"hello there"}', '{"aps":{"content-available":1},"dlt":"1"}'):
        before = newest(raw)
        fill(raw, type="background", priority="5", payload=payload)
        raw.page.locator("#raw-form").get_by_role("button", name="Push", exact=True).click()
        raw.eventually(lambda: finished_after(raw, before))
    expect(phone.locked).to_have_count(1)


def test_a_tap_calls_the_older_method_of_a_suspended_app(raw):
    put(raw, "older-method")
    bring_into(raw, "away")
    push(raw, {"group": "Apple’s page", "label": "One text"})
    raw.phone(1).locked.first.click()
    expect(raw.phone(1).app).to_contain_text("You got your emails., badge -1, no sound")
    raw.picture("article-older")


def test_the_banner_rests_below_the_island_and_its_tap_opens_a_screen(raw):
    put(raw, "banner")
    push(raw, {"group": "Apple’s page", "label": "Title and text"})
    phone = raw.phone(1)
    expect(phone.app).to_contain_text("Game Request")
    title = phone.app.get_by_text("Game Request", exact=True)
    island = phone.root.locator(".island").bounding_box()
    raw.eventually(lambda: title.bounding_box()["y"] > island["y"] + island["height"])
    raw.picture("article-banner")
    title.click(force=True)
    expect(phone.app).to_contain_text("Opened by the banner.")
    phone.app.get_by_text("Done", exact=True).click(force=True)
    expect(phone.app).not_to_contain_text("Opened by the banner.")


# Whether the clock is drawn over a card that lies under it; touches go through the status bar, so that it has to be asked for.
CLOCK_ON_TOP = """(card) => {
    const bar = card.closest(".display").querySelector(".status-bar");
    const [clock, under] = [bar.querySelector(".status-time"), card].map((element) => element.getBoundingClientRect());
    const [x, y] = [clock.x + clock.width / 2, clock.bottom - 2];
    const overlaps = under.left < x && x < under.right && under.top < y && y < under.bottom;
    bar.style.pointerEvents = "auto";
    const stack = document.elementsFromPoint(x, y);
    bar.style.pointerEvents = "";
    const [top, below] = [bar, card.closest(".app-screen")].map((part) => stack.findIndex((element) => part.contains(element)));
    return overlaps && top >= 0 && top < below;
}"""


def push_banner_to_second(ui):
    """The app Banner in front on the phone with a home button, with a banner on its way in; its card."""
    page, phone = ui.page, ui.phone(2)
    ui.put(2, "banner")
    expect(phone.root).to_have_attribute("data-shape", "home-button")
    page.get_by_role("group", name="Apple’s page").get_by_role("button", name="One text", exact=True).click()
    page.locator("#raw-form").get_by_role("button", name="Push", exact=True).click()
    return phone.app.locator(".ui-view", has=page.get_by_text("You got your emails.")).last


def test_on_a_phone_with_a_home_button_the_banner_rests_eight_points_from_the_top(raw):
    phone, card = raw.phone(2), push_banner_to_second(raw)
    points = """(card) => {
        const screen = card.closest(".app-screen").getBoundingClientRect();
        return Math.round((card.getBoundingClientRect().top - screen.top) * 375 / screen.width);
    }"""
    raw.eventually(lambda: card.count() and card.evaluate(points) == 8)
    raw.picture("article-home-button")
    phone.root.get_by_role("button", name="Home button").click()
    expect(phone.display).to_have_attribute("data-screen", "home")


def test_the_banners_window_is_below_the_status_bar_whose_clock_stays_on_top(raw):
    card = push_banner_to_second(raw)
    raw.eventually(lambda: card.count() and card.evaluate(CLOCK_ON_TOP))
    raw.picture("article-clock")


def test_apns_may_deliver_what_has_expired_and_the_guard_catches_it(raw):
    """The article's beginning: a push that expires while the phone is offline, and comes all the same."""
    phone = raw.phone(1)
    for is_late in (False, True):
        raw.page.locator("[name=late]").set_checked(is_late)
        raw.eventually(lambda: raw.up.call("GET", "/phones")[1]["expiry"] == ("late" if is_late else "strict"))
        bring_into(raw, "away")
        command(raw, "aeroplane", on=True)
        before = newest(raw)
        fill(raw, type="alert", priority="10", expiration="1", payload='{"aps":{"alert":"Valid for a second"}}')
        raw.page.locator("#raw-form").get_by_role("button", name="Push", exact=True).click()
        expect(raw.page.locator(".apns-answer.good")).to_be_visible()
        raw.page.wait_for_timeout(2_100)
        command(raw, "aeroplane", on=False)
        if is_late:
            expect(phone.locked).to_contain_text("Valid for a second")
        else:
            # Only a later push shows that the first is not coming.
            fill(raw, expiration="", payload='{"aps":{"alert":"Still valid"}}')
            raw.page.locator("#raw-form").get_by_role("button", name="Push", exact=True).click()
            expect(phone.locked).to_contain_text("Still valid")
            assert len(finished_after(raw, before)) == 1
            command(raw, "clear-all")
    put(raw, "expiry-guard")
    bring_into(raw, "away")
    command(raw, "aeroplane", on=True)
    before = newest(raw)
    # The message ends when APNs would have to stop keeping it.
    fill(raw, type="background", priority="5", expiration="1", payload=json.dumps({
        "aps": {"content-available": 1}, "messageId": "offer",
        "internalData": {"silent": {"title": "Late"}, "validUntil": raw.page.evaluate("Date.now() + 1000")}}))
    raw.page.locator("#raw-form").get_by_role("button", name="Push", exact=True).click()
    expect(raw.page.locator(".apns-answer.good")).to_be_visible()
    raw.page.wait_for_timeout(2_100)
    command(raw, "aeroplane", on=False)
    raw.eventually(lambda: finished_after(raw, before))
    assert finished_after(raw, before)[0]["wake"]["answer"] == "noData"
    expect(phone.locked).to_have_count(0)


def test_low_power_mode_an_empty_battery_and_a_throttle_hold_silent_pushes(raw):
    put(raw, "deletable")
    phone = raw.phone(1)
    command(raw, "settings")
    screen = phone.root.locator(".settings-screen")
    screen.get_by_role("switch", name="Low Power Mode").click()
    bring_into(raw, "away")
    push_held(raw, "Creates “hello there”")
    expect(phone.locked).to_have_count(0)
    # While it is locked: opened, the app would get the push in front.
    command(raw, "set", setting="low-power", on=False)
    expect(phone.locked).to_have_count(1)
    command(raw, "clear-all")
    command(raw, "unlock")
    command(raw, "settings")
    screen.get_by_role("switch", name="Battery below 20 %").click()
    raw.picture("article-battery")
    bring_into(raw, "away")
    push_held(raw, "Creates “hello there”")
    expect(phone.locked).to_have_count(0)
    command(raw, "set", setting="low-battery", on=False)
    expect(phone.locked).to_have_count(1)
    command(raw, "clear-all")
    command(raw, "unlock")
    command(raw, "settings")
    screen.get_by_role("button", name="Developer").click()
    screen.get_by_role("switch", name="Two silent pushes an hour").click()
    raw.picture("article-developer")
    bring_into(raw, "away")
    # Two have woken it already.
    push_held(raw, "Creates “hello there”")
    expect(phone.locked).to_have_count(0)


def push_held(ui, label):
    """Pushes what the phone holds back for now."""
    ui.page.get_by_role("group", name="Deletable").get_by_role("button", name=label, exact=True).click()
    ui.page.locator("#raw-form").get_by_role("button", name="Push", exact=True).click()
    ui.eventually(lambda: (ui.up.call("GET", "/pushes")[1][0]["pushes"][-1].get("wake") or {}).get("kind") == "held")


def test_a_push_is_signed_with_the_certificate_of_the_phones_app(raw):
    """As the tutorial’s Pusher sends: with the certificate of one app, which knows no other topic."""
    put(raw, "tutorial")
    bring_into(raw, "away")
    form = raw.page.locator("#raw-form")
    answer = form.locator(".apns-answer")
    push(raw, {"group": "Tutorial", "label": "Breaking News!"})
    expect(answer).to_contain_text(re.compile("signed with ?key"))
    form.locator(".segments").get_by_text("certificate", exact=True).click()
    push(raw, {"group": "Tutorial", "label": "Breaking News!"})
    expect(answer).to_contain_text("certificate of com.example.tutorial")
    raw.phone(1).unfold()
    expect(raw.phone(1).locked).to_have_count(2)
    line = copied(raw.page.get_by_role("button", name="Copy command line")).replace("| carillon ", f"| {CARILLON} ")
    assert "--certificate " in line and "--key " not in line
    run = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    expect(raw.phone(1).locked).to_have_count(3)
    put(raw, "calls")
    fill(raw, type="voip", priority="10", payload='{"caller":"Ann"}')
    form.get_by_role("button", name="Push", exact=True).click()
    expect(form.locator(".apns-answer.bad")).to_contain_text("TopicDisallowed")
    raw.picture("article-certificate")
    raw.page.reload()
    expect(form.locator("[name=signed_with]:checked")).to_have_value("certificate")


def test_a_push_without_a_badge_leaves_the_number_on_the_icon(raw):
    put(raw, "deletable")
    bring_into(raw, "away")
    push(raw, {"group": "Apple’s page", "label": "A 9 on the icon"})
    push(raw, {"group": "Apple’s page", "label": "Number stays"})
    expect(raw.phone(1).locked).to_have_count(1)
    assert raw.up.call("GET", "/phones")[1]["phones"][0]["app"]["badge"] == 9


def test_a_sound_that_is_missing_is_heard_as_the_default_and_said_so(raw):
    mark = raw.phone(1).root.locator(".sound-mark")
    for label, name in (("A sound alone", "bingbong.aiff"), ("Missing sound", "Sound"), ("Too long a sound", "Sound")):
        told = push(raw, {"group": "Apple’s page", "label": label})
        expect(mark).to_have_text(name)
        assert told["presentation"]["sound"] == ("default" if name == "Sound" else name)
        assert any("default sound" in why for why in told["presentation"]["why"]) == (name == "Sound")


# Texts that a screen has seldom room for, and none at all. No emoji is joined of several: where the machine has no typeface for
# emoji, a browser draws the parts beside one another, and no phone does.
TEXTS = {
    "nothing": "", "a word": "Hi", "emoji": "🛎🎉🚀 " * 40, "Arabic": "مرحبا بالعالم من برج الأجراس " * 20,
    "one very long word": "Donaudampfschifffahrtsgesellschaft" * 12, "wide letters": "WWWW MMMM " * 50, "lines": "a\nb\n\nc\n" * 10,
}


@pytest.mark.parametrize("app", ["tutorial", "deletable", "older-method", "banner", "calls"])
def test_an_article_s_app_is_readable_with_texts_of_any_kind(raw, app):
    put(raw, app)
    screen = raw.phone(1).app
    if app == "tutorial":
        tab(raw, "News")
    for name, text in TEXTS.items():
        before = newest(raw)
        pushes = {
            "tutorial": {"aps": {"alert": text, "link_url": f"https://example.org/{name}"}}, "calls": {"caller": text},
            "deletable": {"aps": {"content-available": 1}, "crt": "1", "title": text, "body": text},
        }
        payload = pushes.get(app, {"aps": {"alert": {"title": text, "body": text}, "sound": "default"}, name: 1})
        kind = {"calls": ("voip", "10"), "deletable": ("background", "5")}.get(app, ("alert", "10"))
        fill(raw, payload=json.dumps(payload, ensure_ascii=False), type=kind[0], priority=kind[1])
        raw.page.locator("#raw-form").get_by_role("button", name="Push", exact=True).click()
        if app == "calls":
            call = raw.phone(1).root.locator(".call:not(.leaving)")
            decline = call.get_by_role("button", name="Decline")
            # Pressed where it is seen: nothing has pushed it off the screen.
            bottom = lambda part: (lambda box: box["y"] + box["height"])(part.bounding_box())
            raw.eventually(lambda: bottom(decline) <= bottom(raw.phone(1).display), name)
            decline.click()
            expect(call).to_have_count(0)
            continue
        raw.eventually(lambda: finished_after(raw, before))
        raw.page.evaluate(FRAMES)
        is_readable(raw, screen, name)
        if app == "deletable":
            command(raw, "flick")
    raw.picture(f"article-texts-{app}")


APPS = [
    "tutorial", "tutorial-registering", "tutorial-receiving", "tutorial-acting", "deletable", "deletable-unwoken", "listed", "listed-objc",
    "expiry-guard", "guard-forwarding", "older-method", "banner", "banner-covered", "calls",
]


class Handset:
    """The first phone, moved by commands and seen by its event stream alone."""

    id = "phone-1"

    def __init__(self, up):
        self.up = up
        self.watch = Watch(up.host)

    @property
    def state(self):
        return self.watch.states.get(self.id, {})

    @property
    def listed(self):
        return self.watch.lists.get(self.id, [])

    def wait(self, holds, said=""):
        self.watch.wait(holds, PATIENCE_MS / 1000, said)

    def bring(self, state):
        """The app in front, or behind the lock screen."""
        for name in ("unlock", "open") if state == "open" else ("lock",):
            command(self, name)
        self.wait(lambda: self.state["screen"] == ("app" if state == "open" else "lock"))

    def push(self, preset, is_answered=True):
        """Pushes what the form would be filled with; what the phone says of it, when it has done with it, or has it if the app never answers."""
        status, answer = self.up.call("POST", "/push", {
            "phone": self.id, "push_type": preset["type"], "priority": int(preset["priority"]),
            "payload": json.dumps(with_times(preset["payload"]), ensure_ascii=False, indent=2)})
        assert status == 200 and answer["status"] == 200, answer
        return last_push(self, answer["apns_id"].lower(), is_answered)

    def count_at_rest(self):
        """How many notifications there are after all that has happened: what a further command changes is told after it."""
        is_silent = not self.state["settings"]["silent"]
        command(self, "set", setting="silent", on=is_silent)
        self.wait(lambda: self.state["settings"]["silent"] == is_silent)
        return len(self.listed)


def with_times(value):
    """A payload as the form is filled with it now."""
    if isinstance(value, list):
        return [with_times(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "$seconds_from_now" in value:
        return int((time.time() + value["$seconds_from_now"]) * 1000)
    if "$unix_seconds_from_now" in value:
        return int(time.time()) + value["$unix_seconds_from_now"]
    return {name: with_times(one) for name, one in value.items()}


@pytest.fixture
def handset(up):
    made = Handset(up)
    yield made
    made.watch.close()


# What stands beneath each preset: of each state its name and its sentence.
EXPECTED = """(presets) => presets.map(({ group, label }) => {
  const chips = document.querySelector(`[role=group][aria-label="${group}"]`);
  [...chips.querySelectorAll("button")].find((chip) => chip.textContent === label).click();
  return [...chips.parentElement.querySelectorAll(".expected:not([hidden]) > div")].map((row) => [...row.children].map((part) => part.textContent));
})"""


@pytest.mark.parametrize("app", APPS)
def test_what_stands_beneath_a_preset_is_what_the_app_on_the_phone_does(handset, new_page, app):
    up = handset.up
    presets = up.call("GET", "/presets")[1]
    command(handset, "app", value=app)
    handset.wait(lambda: handset.state.get("sheet"))
    command(handset, "permission", allow=True)
    handset.wait(lambda: handset.state["app"].get("token"), "the app has no token")
    by_label = {preset["label"]: preset for preset in presets["pushes"]}
    for at, state in enumerate(("open", "away")):
        for preset in presets["pushes"]:
            name = preset["apps"][app].split()[at]
            shows = presets["outcomes"][name]["shows"]
            # test_calls has them.
            if shows not in ("call", "not-sent"):
                play(handset, preset, by_label, name, shows, state)
    ui = PhonesUI(new_page(), up).open()
    ui.page.get_by_role("tab", name="Directly to APNs").click()
    name, outcomes = handset.state["app"]["name"], presets["outcomes"]
    for preset, rows in zip(presets["pushes"], ui.page.evaluate(EXPECTED, presets["pushes"]), strict=True):
        states = zip(("in front", "in the background", "force-quit"), preset["apps"][app].split(), strict=True)
        assert rows == [[f"{name} {state}", outcomes[outcome]["says"]] for state, outcome in states], preset["label"]
    handset.bring("open")
    expect(ui.phone(1).display).to_have_attribute("data-screen", "app")
    is_readable(ui, ui.phone(1).app, app)
    ui.picture(f"article-{app}")
    assert ui.problems == []


def play(handset, preset, by_label, outcome, shows, state):
    """Pushes a preset to the app in one state, and looks at what comes of it."""
    where = (preset["label"], state)
    handset.bring("open")
    command(handset, "clear-all")
    handset.wait(lambda: not handset.listed, where)
    if "after" in preset:
        handset.bring("away")
        handset.push(by_label[preset["after"]])
        if outcome == "lost-removal":
            # In its first five seconds in the background the app would have the time.
            handset.wait(lambda: handset.state["app"]["state"] == "suspended", where)
    handset.bring(state)
    told = handset.push(preset, is_answered="unanswered" not in outcome)
    if shows == "banner":
        handset.wait(lambda: (handset.state.get("banner") or {}).get("title", "").startswith(title_of(preset)[:10]) or handset.listed, where)
        assert told["presentation"]["banner"], where
    elif shows == "own-banner":
        text = title_of(preset) if "alert" in preset["payload"]["aps"] else "Tap to read"
        handset.wait(lambda: text in json.dumps(handset.watch.views[handset.id], ensure_ascii=False), where)
    elif shows in ("list", "gone"):
        handset.wait(lambda: len(handset.listed) == (shows == "list"), where)
        assert handset.count_at_rest() == (shows == "list"), where
    else:
        assert shows in ("nothing", "stays") and not (told.get("presentation") or {}).get("list"), (where, told)
        assert handset.count_at_rest() == (shows == "stays"), where


def test_view_opens_the_app_and_nothing_follows_before_the_center_has_a_delegate(raw):
    put(raw, "tutorial-acting")
    bring_into(raw, "away")
    push(raw, {"group": "Tutorial", "label": "News with View"})
    phone = raw.phone(1)
    phone.locked.locator(".note-face").click(button="right")
    phone.locked.get_by_role("button", name="View", exact=True).click()
    expect(phone.display).to_have_attribute("data-screen", "app")
    expect(phone.app).to_contain_text("Podcasts")
    expect(phone.app).not_to_contain_text("Breaking News!")
    raw.page.get_by_role("tab", name="Log").click()
    expect(raw.page.locator(".log")).to_contain_text("the response was lost: the notification center has no delegate")
    raw.picture("article-view-lost")


def test_a_real_push_lies_over_the_articles_banner(raw):
    put(raw, "banner-covered")
    push(raw, {"group": "Banner", "label": "Two banners at once"})
    phone = raw.phone(1)
    own = phone.app.get_by_text("A real push", exact=True)
    expect(phone.banner).to_contain_text("A real push")
    expect(own).to_have_count(1)
    # The own one is not seen, once the other has come down.
    raw.page.wait_for_function("""(text) => {
        const { x, y, width, height } = text.getBoundingClientRect();
        return Boolean(document.elementFromPoint(x + width / 2, y + height / 2)?.closest(".note-banner"));
    }""", arg=own.element_handle())
    raw.picture("article-covered")
    # Its six seconds pass beneath the other.
    expect(own).to_have_count(0)


def test_a_localized_alert_is_in_the_phones_language(raw):
    put(raw, "tutorial")
    preset = {"group": "Apple’s page", "label": "Own language"}
    for region, words in (("en-GB", "Jenna and Frank have invited you to play"), ("de-DE", "Jenna und Frank laden dich zum Spielen ein"), ("ar-EG", "يدعوك Jenna وFrank إلى اللعب")):
        command(raw, "region", value=region)
        bring_into(raw, "away")
        push(raw, preset)
        expect(raw.phone(1).locked).to_contain_text(words)
        raw.picture(f"article-localized-{region}")
        command(raw, "clear-all")


def test_a_push_for_one_app_is_refused_with_the_certificate_of_another(raw):
    put(raw, "tutorial")
    form = raw.page.locator("#raw-form")
    choice = form.locator("[name=certificate]")
    expect(choice).to_be_hidden()
    form.locator(".segments").get_by_text("certificate", exact=True).click()
    choice.select_option("com.example.deletable")
    form.get_by_role("button", name="Push", exact=True).click()
    answer = form.locator(".apns-answer")
    expect(answer).to_contain_text("TopicDisallowed")
    expect(answer).to_contain_text("certificate of com.example.deletable")
    line = copied(raw.page.get_by_role("button", name="Copy command line")).replace("| carillon ", f"| {CARILLON} ")
    run = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=60)
    assert run.returncode != 0 and "TopicDisallowed" in run.stdout + run.stderr
    choice.select_option("com.example.tutorial")
    form.get_by_role("button", name="Push", exact=True).click()
    expect(form.locator(".apns-answer.good")).to_contain_text("certificate of com.example.tutorial")


def test_a_pasted_token_goes_out_under_its_own_app_s_topic_and_a_former_one_is_refused(raw):
    put(raw, "tutorial")
    form = raw.page.locator("#raw-form")
    first = form.locator(".device-token").inner_text()
    form.locator("[name=phone]").select_option("")
    expect(form.locator("[name=topic]")).to_be_visible()
    form.locator("[name=token]").fill(first)
    bundle = raw.up.call("GET", "/phones")[1]["phones"][0]["app"]["bundle_id"]
    expect(form.locator("[name=topic]")).to_have_value(bundle)
    form.get_by_role("button", name="Push").click()
    expect(form.locator(".apns-answer.good")).to_contain_text("200 accepted")
    # The token has changed: APNs says so of the former one.
    put(raw, "tutorial")
    form.locator("[name=phone]").select_option("")
    form.locator("[name=token]").fill(first)
    expect(form.locator("[name=topic]")).to_have_value(bundle)
    form.get_by_role("button", name="Push").click()
    expect(form.locator(".apns-answer.bad")).to_contain_text("Unregistered")
    form.locator("[name=topic]").fill("")
    expect(form.locator(".faults")).to_contain_text("Topic: the bundle id")


def test_a_card_is_time_sensitive_only_where_the_app_has_the_right_to_it(raw):
    payload = '{"aps": {"alert": "Now", "interruption-level": "time-sensitive"}}'
    level = raw.phone(1).locked.locator(".note-level")
    for app, says in (("chime", True), ("tutorial", False)):
        if app != "chime":
            put(raw, app)
        command(raw, "lock")
        fill(raw, payload=payload)
        raw.page.locator("#raw-form").get_by_role("button", name="Push").click()
        expect(raw.phone(1).locked).to_contain_text("Now")
        if says:
            expect(level).to_have_text("Time Sensitive")
        else:
            expect(level).to_be_hidden()
