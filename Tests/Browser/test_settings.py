"""A phone's Settings, Face ID, reset, clocks and lists, as somebody uses them."""

import re

from conftest import PhonesUI
from playwright.sync_api import expect


def settings(ui, number=1):
    """Opens the Settings app from the home screen."""
    phone = ui.phone(number)
    if phone.display.get_attribute("data-screen") != "home":
        phone.go_home()
    phone.root.locator("[data-app=settings]").click()
    expect(phone.display).to_have_attribute("data-screen", "settings")
    return phone, phone.root.locator(".settings-screen")


def open_app_page(screen):
    screen.get_by_role("button", name=re.compile("^Chime")).click()
    expect(screen.get_by_role("heading", name="Chime")).to_be_visible()


def turn(screen, name, on):
    switch = screen.get_by_role("switch", name=name, exact=True)
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "true" if on else "false")


def test_dont_allow_is_not_for_ever(ui):
    ui.phone(1).answer("Don’t Allow")
    ui.phone(2).answer("Allow")
    expect(ui.phone(1).caption).to_contain_text("notifications are not allowed")
    phone, screen = settings(ui)
    ui.picture("settings")
    open_app_page(screen)
    expect(screen.get_by_role("switch", name="Banners")).to_have_count(0)
    turn(screen, "Allow Notifications", True)
    expect(screen.get_by_role("switch", name="Banners")).to_have_attribute("aria-checked", "true")
    ui.picture("settings-app")
    expect(phone.caption).not_to_contain_text("not allowed")
    phone.go_home()
    ui.send(title="Allowed now", body="At last.")
    expect(phone.banner.locator(".note-title")).to_have_text("Allowed now")


def test_switches_and_previews_decide_what_is_seen(ui):
    ui.allow_both()
    phone, screen = settings(ui)
    open_app_page(screen)
    turn(screen, "Banners", False)
    screen.get_by_role("button", name=re.compile("^Show Previews")).click()
    screen.get_by_role("radio", name="When Unlocked").click()
    expect(screen.get_by_role("radio", name="When Unlocked")).to_have_attribute("aria-checked", "true")
    phone.go_home()
    ui.send(title="Quiet", body="In the list only.")
    expect(ui.phone(2).root.locator(".note-title").first).to_have_text("Quiet")
    phone.press("list")
    expect(phone.listed.locator(".note-title")).to_have_text("Quiet")
    expect(phone.banner).to_have_count(0)
    phone.lock()
    ui.send(title="Secret", body="Not for everybody.")
    expect(phone.locked.first.locator(".note-body")).to_have_text("Notification")
    expect(phone.root.get_by_text("Not for everybody.")).to_have_count(0)


def test_settings_are_reached_and_left_with_the_keyboard_alone(ui):
    ui.allow_both()
    phone = ui.phone(1)
    phone.go_home()
    icon = phone.root.locator("[data-app=settings]")
    expect(icon).to_be_visible()
    icon.focus()
    expect(icon).to_be_focused()
    ui.page.keyboard.press("Enter")
    expect(phone.display).to_have_attribute("data-screen", "settings")
    screen = phone.root.locator(".settings-screen")
    focus = screen.get_by_role("switch", name="Focus")
    focus.focus()
    ui.page.keyboard.press("Space")
    expect(focus).to_have_attribute("aria-checked", "true")
    screen.get_by_role("button", name=re.compile("^Chime")).focus()
    ui.page.keyboard.press("Enter")
    expect(screen.get_by_role("button", name="Settings")).to_be_focused()
    ui.page.keyboard.press("Enter")
    expect(screen.get_by_role("button", name=re.compile("^Chime"))).to_be_focused()


def test_an_erased_phone_begins_anew_and_gets_another_token(ui):
    ui.allow_both()
    phone, screen = settings(ui)
    ui.send(title="Before", body="It goes.")
    expect(phone.banner).to_be_visible()
    turn(screen, "Dark Appearance", True)
    ui.picture("settings-dark")
    screen.get_by_role("button", name="Erase All Content and Settings").click()
    ui.picture("settings-erase")
    screen.get_by_role("button", name="Cancel").click()
    expect(screen.get_by_role("alertdialog")).to_be_hidden()
    screen.get_by_role("button", name="Erase All Content and Settings").click()
    token = ui.up.call("GET", "/phones")[1]["phones"][0]["app"]["token"]
    screen.get_by_role("button", name="Erase iPhone").click()
    phone.answer("Allow")
    phone.press("list")
    expect(phone.listed).to_have_count(0)
    phone.go_home()
    phone.root.locator("[data-app=settings]").click()
    expect(screen.get_by_role("switch", name="Dark Appearance")).to_have_attribute("aria-checked", "false")
    phone.go_home()
    ui.send(title="After", body="It comes.")
    expect(phone.banner.locator(".note-title")).to_have_text("After")
    assert ui.up.call("GET", "/phones")[1]["phones"][0]["app"]["token"] != token
    expect(ui.phone(2).banner.or_(ui.phone(2).listed).first).to_be_attached()


def test_forget_on_the_lock_screen_asks_for_face_id(ui):
    ui.allow_both()
    phone = ui.phone(1)
    phone.lock()
    message = ui.up.send({"payload": {"aps": {"alert": {"title": "Put away"}, "category": "NEWS_CATEGORY"}}})
    expect(phone.locked).to_have_count(1)
    face = phone.root.locator(".face-sheet")

    def forget():
        phone.locked.locator(".note-face").focus()
        ui.page.keyboard.press("ArrowDown")
        phone.locked.get_by_role("button", name="Forget", exact=True).click()
        expect(face).to_contain_text("Unlock this iPhone to choose “Forget”.")

    forget()
    ui.picture("face-id")
    face.get_by_role("button", name="Cancel").click()
    expect(face).to_have_count(0)
    expect(phone.display).to_have_attribute("data-screen", "lock")
    expect(phone.locked).to_have_count(1)
    forget()
    face.get_by_role("button", name="Use Face ID").click()
    expect(face).to_have_count(0)
    expect(phone.display).not_to_have_attribute("data-screen", "lock")
    expect(ui.step(ui.message(message), 1, "acted")).to_be_visible()
    expect(ui.page.locator("#connection")).to_have_text("Live")


def within_a_minute(clock, counts_to_twelve=False):
    """What a clock shows that agrees with this one of 24 hours: a minute may pass between two looks."""
    hour, minute = (int(part) for part in clock.inner_text().split(":"))
    then = hour * 60 + minute
    hours = lambda later: f"{later // 60 % 12 or 12}" if counts_to_twelve else f"{later // 60 % 24:02}"
    return re.compile("|".join(f"^{hours(later)}:{later % 60:02}$" for later in (then, then + 1)))


def test_clocks_go_on_by_themselves_and_are_right_after_a_reload(ui, new_page):
    ui.allow_both()
    phone = ui.phone(1)
    phone.lock()
    ui.send(title="Long ago", body="It was now.")
    expect(phone.locked.locator(".note-time")).to_have_text("now")
    # From here on nothing happens on the phone, so that its page hears nothing of it.
    expect(phone.caption).to_contain_text("suspended")
    # A page whose clock is two hours ahead, which does not make the phone's wrong.
    other = type(ui)(new_page(), ui.up)
    other.page.clock.install()
    other.page.clock.fast_forward("02:00:00")
    other.open()
    time = other.phone(1).root.locator(".lock-time")
    right = phone.root.locator(".lock-time")
    expect(time).to_have_text(within_a_minute(right))
    other.page.clock.fast_forward("05:00")
    expect(other.phone(1).locked.locator(".note-time")).to_have_text(re.compile("^[56] ?m"))
    expect(time).not_to_have_text(within_a_minute(right))
    other.page.reload()
    expect(time).to_have_text(within_a_minute(right))
    assert other.problems == []


def choose_region(ui, name):
    phone, screen = settings(ui)
    screen.get_by_role("button", name=re.compile("^Language & Region")).click()
    screen.get_by_role("radio", name=name).click()
    expect(screen.get_by_role("radio", name=name)).to_have_attribute("aria-checked", "true")
    screen.locator(".settings-back:visible").click()
    return phone


def latin_in_the_system(phone):
    """Nothing that the system itself says is in Latin letters or digits; names and messages are what they are."""
    said = phone.display.evaluate("""display => [...display.querySelectorAll("[data-word], .status-time, .lock-time, .lock-date, .center-time, .center-date, .widget-day, .widget-date, .badge, .note-time, .note-under, .fold-button")]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && /[A-Za-z0-9]/.test(element.textContent))
      .map((element) => `${element.className}: ${element.textContent}`)""")
    assert said == []


def test_clock_date_and_direction_are_those_of_the_phone_s_region(ui):
    ui.allow_both()
    ui.phone(2).lock()
    british, its_date = ui.phone(2).root.locator(".lock-time"), ui.phone(2).root.locator(".lock-date")
    expect(its_date).to_have_text(re.compile(r"^\w+day,? \d+ \w+$"))
    phone = choose_region(ui, "English (US)")
    phone.lock()
    expect(phone.root.locator(".lock-time")).to_have_text(within_a_minute(british, counts_to_twelve=True))
    expect(phone.root.locator(".lock-date")).to_have_text(re.compile(r"^\w+day, \w+ \d+$"))
    expect(phone.display).to_have_attribute("dir", "ltr")
    phone = choose_region(ui, "العربية")
    phone.lock()
    expect(phone.display).to_have_attribute("dir", "rtl")
    expect(phone.root.locator(".lock-date")).to_have_text(re.compile("[ء-ي]"))
    ui.send(title="Here too", body="Since when, in its own words.")
    expect(phone.locked.locator(".note-time")).to_have_text(re.compile("[ء-ي]"))
    latin_in_the_system(phone)
    ui.up.send({"payload": {"aps": {"alert": "Two"}}})
    expect(phone.locked).to_contain_text("١ أخرى")
    phone.unfold()
    expect(phone.locked.get_by_role("button", name="عرض أقل")).to_be_visible()
    ui.picture("arabic-lock")
    phone.go_home()
    expect(phone.badge).to_have_text("٢")
    icon, badge = phone.root.locator(".app-picture").first.bounding_box(), phone.badge.bounding_box()
    assert badge["x"] < icon["x"], "the badge is at the end of a line, on the left"
    time, radio = [phone.root.locator(part).bounding_box()["x"] for part in (".status-time", ".status-radio")]
    assert time > radio, "the status bar is mirrored"
    latin_in_the_system(phone)
    phone.press("list")
    expect(phone.display).to_have_attribute("data-center", "open")
    expect(phone.root.locator(".center-head")).to_contain_text("مركز الإشعارات")
    latin_in_the_system(phone)
    ui.picture("arabic-center")
    expect(ui.phone(2).display).to_have_attribute("dir", "ltr")


def test_settings_speak_the_language_of_the_phone_s_region(ui):
    ui.allow_both()
    phone = choose_region(ui, "Deutsch")
    screen = phone.root.locator(".settings-screen")
    expect(screen.get_by_role("heading", name="Einstellungen")).to_be_visible()
    expect(screen.get_by_role("button", name="Sprache & Region Deutsch")).to_be_visible()
    screen.get_by_role("button", name="Chime Mitteilungen ein").click()
    # Also what is made only when the app's switches come.
    expect(screen.get_by_role("switch", name="Sperrbildschirm")).to_be_visible()
    expect(screen.get_by_role("group", name="Hinweise")).to_be_visible()
    screen.get_by_role("button", name=re.compile("^Vorschauen zeigen")).click()
    screen.get_by_role("radio", name="Nie", exact=True).click()
    screen.get_by_role("button", name="Zurück").click()
    expect(screen.get_by_role("button", name="Vorschauen zeigen Nie")).to_be_visible()
    screen.get_by_role("button", name="Einstellungen").click()
    screen.get_by_role("button", name="Alle Inhalte & Einstellungen löschen").click()
    expect(screen.get_by_role("alertdialog", name="Dieses iPhone löschen?")).to_be_visible()
    screen.get_by_role("button", name="Abbrechen").click()
    for language, title, region in (("Français", "Réglages", "Langue et région"), ("العربية", "الإعدادات", "اللغة والمنطقة"),
                                    ("English (US)", "Settings", "Language & Region")):
        screen.get_by_role("button", name=re.compile("Deutsch|Français|العربية")).last.click()
        screen.get_by_role("radio", name=language).click()
        expect(screen.get_by_role("heading", name=region)).to_be_visible()
        screen.locator(".settings-back:visible").click()
        expect(screen.get_by_role("heading", name=title)).to_be_visible()
    phone.go_home()
    expect(phone.root.locator("[data-app=settings]")).to_have_text("Settings")
    expect(ui.phone(2).root.locator("[data-app=settings]")).to_have_text("Settings")


# Counts the tones that the page plays.
COUNT_TONES = """() => {
  window.tones = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (when) { tones.push(this.frequency.value); return start.call(this, when); };
}"""


def test_a_sound_is_shown_and_heard_where_it_is_switched_on_and_not_in_silent_mode(ui):
    ui.allow_both()
    phone, screen = settings(ui)
    ui.phone(2).lock()
    ui.page.evaluate(COUNT_TONES)
    ring = {"payload": {"aps": {"alert": "Rings", "sound": "bell.caf"}}}
    marks = [ui.phone(number).root.locator(".sound-mark") for number in (1, 2)]
    ui.up.send(ring)
    for mark in marks:
        expect(mark).to_be_visible()
        expect(mark).to_contain_text("bell")
    assert ui.page.evaluate("tones") == [], "heard before anybody wanted it"
    ui.page.get_by_role("button", name="Sound off").click()
    ui.page.wait_for_function("tones.length > 0")
    heard = ui.page.evaluate("tones.length")
    for mark in marks:
        expect(mark).to_be_hidden()
    turn(screen, "Silent Mode", True)
    ui.up.send(ring)
    expect(marks[1]).to_be_visible()
    expect(phone.banner).to_be_visible()
    assert not marks[0].is_visible(), "a silent phone rings"
    ui.page.wait_for_function("heard => tones.length > heard", arg=heard)


def test_a_long_list_in_the_app_scrolls_under_a_finger_and_by_the_keyboard(ui):
    ui.allow_both()
    phone = ui.phone(1)
    for number in range(16):
        ui.up.send({"payload": {"aps": {"alert": {"title": f"Story {number}", "body": "Read on."}}}, "id": f"s-{number}"})
    news = phone.app.get_by_role("button", name=re.compile("Story"))
    phone.app.get_by_role("button", name="News").click()
    expect(news).to_have_count(16)
    first = news.first
    box = phone.app.bounding_box()
    before = first.bounding_box()["y"]
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.7
    ui.page.mouse.move(x, y)
    ui.page.mouse.down()
    for step in range(1, 11):
        ui.page.mouse.move(x, y - step * 15)
    ui.page.wait_for_function("([element, y]) => element.getBoundingClientRect().y < y - 100", arg=[first.element_handle(), before])
    ui.page.mouse.up()
    ui.picture("list-scrolled")
    news.last.focus()
    ui.page.keyboard.press("Shift+Tab")
    # A message that comes meanwhile takes nobody's place: the focus stays where it is.
    ui.up.send({"payload": {"aps": {"alert": {"title": "Story 16", "body": "Read on."}}}, "id": "s-16"})
    expect(news).to_have_count(17)
    expect(news.nth(15)).to_be_focused()
    ui.page.keyboard.press("Tab")
    expect(news.last).to_be_focused()
    expect(news.last).to_be_in_viewport()
    ui.page.keyboard.press("Enter")
    expect(phone.app.get_by_role("button", name=re.compile("Read more")).or_(phone.app.get_by_text("Read on.")).first).to_be_visible()


def test_settings_and_an_erased_phone_s_new_token_outlive_the_program(up, new_page):
    ui = PhonesUI(new_page(), up).open().allow_both()
    phone, screen = settings(ui)
    screen.get_by_role("button", name="Erase All Content and Settings").click()
    screen.get_by_role("button", name="Erase iPhone").click()
    phone.answer("Allow")
    settings(ui)
    turn(screen, "Dark Appearance", True)
    ui.up.send({"payload": {"aps": {"alert": "Registered"}}, "id": "m-1"})
    expect(ui.step(ui.message("m-1"), 1, "shown")).to_be_visible()
    assert up.stop() == 0
    up.start()
    ui = PhonesUI(new_page(), up).open()
    up.send({"payload": {"aps": {"alert": {"title": "After the restart"}}}, "id": "m-2"})
    expect(ui.step(ui.message("m-2"), 1, "shown")).to_be_visible()
    phone, screen = settings(ui)
    expect(screen.get_by_role("switch", name="Dark Appearance")).to_have_attribute("aria-checked", "true")
    assert ui.problems == []
