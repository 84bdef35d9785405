"""Starts `carillon` on free ports and in a folder of its own, and opens its page in Debian's Chromium."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCREENSHOTS = ROOT / ".build" / "screenshots"
CARILLON = pathlib.Path(os.environ.get("CARILLON", ROOT / ".build" / "debug" / "carillon"))
# Paid only by a test that fails: a loaded machine is ten times as slow as an idle one.
PATIENCE_MS = 30_000
STOP_LIMIT_S = 20

expect.set_options(timeout=PATIENCE_MS)


def pytest_configure(config):
    config.addinivalue_line("markers", "motion: the page moves what it draws; in other tests all is at once where it stays")


def pytest_collection_modifyitems(items):
    """Begins with the tests that wait longest for time to pass, so that nobody waits for them alone at the end."""
    longest = ("test_scenes", "test_articles", "test_presets")
    items.sort(key=lambda item: next((place for place, name in enumerate(longest) if name in item.nodeid), len(longest)))


# Lets the page draw what has happened.
FRAMES = "async () => { for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame); }"
# Waits until nothing of an element moves; what has happened begins to move with one of the next frames.
AT_REST = f"""async (element) => {{
  const drawn = {FRAMES};
  const moving = () => element.getAnimations({{ subtree: true }}).filter(({{ playState }}) => playState === "running");
  do await drawn(); while ((await Promise.allSettled(moving().map(({{ finished }}) => finished))).length > 0);
}}"""


def at_rest(element):
    """Waits until an element and all in it are where they stay, so that their places can be read."""
    element.evaluate(AT_REST)


class Program:
    """A running `carillon`, which has said where it answers."""

    def __init__(self, *arguments):
        self.arguments = arguments
        self.process = None
        self.url = None

    def start(self):
        self.process = subprocess.Popen(
            [CARILLON, *self.arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        ready = re.search(r"(https?://127\.0\.0\.1:\d+)", line)
        assert ready, f"did not start: {line}{self.process.stderr.read() if not line else ''}"
        self.url = ready.group(1)
        return self

    @property
    def host(self):
        return self.url.removeprefix("http://")

    def stop(self):
        """Ctrl-C; the exit status. Takes at most STOP_LIMIT_S seconds, however many pages are open."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.communicate(timeout=STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            raise AssertionError(f"did not stop within {STOP_LIMIT_S} s")
        return self.process.returncode

    def call(self, method, path, body=None, headers=None):
        """Status and JSON of a call, as any other program makes it."""
        request = urllib.request.Request(
            self.url + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", **(headers or {})})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_MS / 1000) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"null")


class Up(Program):
    """A running `carillon up`."""

    def __init__(self, data):
        super().__init__("up", "--port", "0", "--data", data)
        self.data = data

    def key(self):
        return (self.data / "api.key").read_text().strip()

    def reset(self):
        """Puts everything back into the state of the first start."""
        status, answer = self.call("POST", "/reset", {})
        assert status == 204, answer

    def send(self, message):
        status, answer = self.call(
            "POST", "/v1/notifications", {"to": {"user": "ada"}, **message}, {"Authorization": f"Bearer {self.key()}"})
        assert status == 202, answer
        return answer["id"]


@pytest.fixture
def up(tmp_path):
    running = Up(tmp_path / "data").start()
    yield running
    assert running.stop() == 0


@pytest.fixture(scope="session")
def chromium():
    # The one without windows starts pages in half the time.
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert path, "chromium is missing: apt-get install chromium-headless-shell"
    with sync_playwright() as playwright:
        # Without a GPU the emulation of one is the larger part of what the browser computes.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


class SendingUI:
    """A page with the form and the timeline, with names for what is on it."""

    def __init__(self, page):
        self.page = page
        self.problems = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda message: message.type == "error" and self.problems.append(message.text))

    def send(self, **fields):
        """Fills the form and sends; the message's entry on the page."""
        form = self.page.locator(".compose-form")
        for name, value in fields.items():
            if name in ("to", "until"):
                form.locator(f"[name={name}]").select_option(value)
            elif name == "mode":
                form.locator(".segments").get_by_text(value, exact=True).click()
            else:
                form.locator(f"[name={name}]").fill(value)
        form.get_by_role("button", name="Send", exact=True).click()
        outcome = form.locator(".outcome")
        expect(outcome).to_contain_text("Accepted")
        return self.message(outcome.get_attribute("data-id"))

    def message(self, identifier):
        return self.page.locator(f"[data-message='{identifier}']")

    def picture(self, name):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png")


def copied(button):
    """Presses a button that copies, which says so for a moment; what it has copied."""
    page = button.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    # The element, since its name changes.
    button = button.element_handle()
    # Noted on the page: the moment may pass before anybody looks from here.
    button.evaluate(
        """(button) => {
            window.said = [];
            const note = () => window.said.push(button.textContent.trim());
            new MutationObserver(note).observe(button, { childList: true, characterData: true, subtree: true });
        }"""
    )
    before = button.text_content().strip()
    # A second press while it says so changes nothing about what stands there afterwards.
    for _ in range(2):
        button.press("Enter")
    page.wait_for_function("before => said.includes('Copied') && said.at(-1) === before", arg=before)
    return page.evaluate("navigator.clipboard.readText()")


class PhonesUI(SendingUI):
    """The page of `carillon up`."""

    def __init__(self, page, up):
        super().__init__(page)
        self.up = up

    def open(self):
        self.page.goto(self.up.url)
        expect(self.page.locator("#connection")).to_have_text("Live")
        expect(self.page.locator(".phone")).to_have_count(2)
        return self

    def phone(self, number):
        return Phone(self.page.locator(f"[data-phone=phone-{number}]"))

    def allow_both(self):
        """Allows notifications on both phones; a message to their user goes to both from now on."""
        expect(self.page.locator(".sheet")).to_have_count(2)
        for number in (1, 2):
            self.command(number, "permission", allow=True)
        expect(self.page.locator(".sheet")).to_have_count(0)
        self.wait_for_devices(2)
        return self

    def command(self, number, name, **body):
        """Has a phone do something without the mouse."""
        status, answer = self.up.call("POST", f"/phones/phone-{number}/{name}", body)
        assert status == 204, answer

    def put(self, number, app, allow="Allow"):
        """Puts another app in front on a phone, answers its question, and has the form for APNs address it.

        An app that gets a token has it on the page afterwards, so that a push can go out.
        """
        self.page.locator(f"[name=app-phone-{number}]").select_option(app)
        self.phone(number).answer(allow)
        form = self.page.locator("#raw-form")
        form.locator("[name=phone]").select_option(f"phone-{number}")
        if app == "calls":
            form.locator("[name=type]").select_option("voip")
        if allow == "Allow" and app != "tutorial-unentitled":
            member = "call_token" if app == "calls" else "token"
            token = self.eventually(lambda: self.up.call("GET", "/phones")[1]["phones"][number - 1]["app"].get(member), f"{app} has no {member}")
            expect(form.locator(".device-token")).to_have_text(token)

    def eventually(self, holds, said="it did not come to hold"):
        """Waits until `holds()`, which asks the page or the program; what it has answered."""
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while not (answer := holds()):
            assert time.monotonic() < deadline, said
            self.page.wait_for_timeout(20)
        return answer

    def unfold_expected(self):
        """Opens the tables of what an example does in each state of the app."""
        self.page.evaluate("document.querySelectorAll('.expected-table').forEach((table) => { table.open = true })")

    def wait_for_devices(self, count):
        """Waits until a message to the user of the phones would go to so many devices."""
        body = {"to": {"user": "ada"}, "payload": {"aps": {"alert": "x"}}, "dry_run": True}
        headers = {"Authorization": f"Bearer {self.up.key()}"}
        self.eventually(lambda: self.up.call("POST", "/v1/notifications", body, headers)[1]["devices"] == count, f"not {count} devices")

    def lane(self, message, number):
        return message.locator(f".lane[data-device=phone-{number}]")

    def step(self, message, number, event):
        return self.lane(message, number).locator(f".step[data-event='{event}']")


class Phone:
    def __init__(self, root):
        self.root = root
        self.display = root.locator(".display")
        self.caption = root.locator(".phone-caption")
        self.banner = root.locator(".note-banner:not(.leaving)")
        self.locked = root.locator(".lock-notes .note:not(.leaving)")
        self.listed = root.locator(".center-notes .note:not(.leaving)")
        self.badge = root.locator(".badge")
        self.app = root.locator(".app-screen")

    def press(self, control):
        self.root.locator(f"[data-control={control}]").click()

    def answer(self, word):
        sheet = self.root.locator(".sheet")
        expect(sheet).to_be_visible()
        sheet.get_by_role("button", name=word, exact=True).click()
        expect(sheet).to_have_count(0)

    def lock(self):
        self.press("lock")
        expect(self.display).to_have_attribute("data-screen", "lock")

    def unfold(self):
        """Opens the stack that lies on top of the list."""
        self.root.locator(".note.stacked .note-face").first.click()
        expect(self.root.locator(".note-fold:visible").first).to_be_visible()

    def go_home(self):
        self.press("home")
        expect(self.display).to_have_attribute("data-screen", "home")


@pytest.fixture
def new_page(chromium, request):
    """Makes a page of 1440 by 900 points, for a person who wants no motion unless the test is of what moves."""
    contexts = []
    motion = "no-preference" if request.node.get_closest_marker("motion") else "reduce"

    def make():
        context = chromium.new_context(viewport={"width": 1440, "height": 900}, reduced_motion=motion)
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def ui(up, new_page):
    made = PhonesUI(new_page(), up).open()
    yield made
    assert made.problems == []
