"""The page of `carillon serve`: the service beside the simulated APNs, with a device or many, and no phone."""

import contextlib
import json
import re
import subprocess

import pytest
from conftest import CARILLON, Program, SendingUI, copied
from playwright.sync_api import expect

TOPIC = "com.example.app"
DEVICE = "device-1"
# More than have a row each in a message to all of them.
FLEET = 1_500


class Service(Program):
    """A running `carillon serve`, for which the simulated APNs is APNs."""

    def __init__(self, data, apns):
        super().__init__(
            "serve", "--port", "0", "--data", data, "--topic", TOPIC, "--apns-ca", apns["ca"], "--key", apns["key"],
            "--apns-url", f"https://{apns['host']}:{apns['port']}", "--key-id", apns["key_id"],
            "--team-id", apns["team_id"])
        self.data = data
        self.tokens = apns["device_tokens"]

    def make_key(self, *arguments):
        done = subprocess.run(
            [CARILLON, "api-keys", "create", "--data", self.data, "--name", "page", *arguments],
            capture_output=True, text=True, timeout=20, check=True)
        return done.stdout.split()[0]

    def import_fleet(self, tokens, folder):
        """Devices that belong to no user."""
        file = folder / "devices.csv"
        file.write_text("\n".join(["token,environment", *(f"{token},sandbox" for token in tokens)]))
        subprocess.run(
            [CARILLON, "devices", "import", "--data", self.data, "--topic", TOPIC, file], capture_output=True, timeout=120,
            check=True)

    def register(self):
        """One device, which belongs to no user."""
        status, answer = self.call("POST", "/v1/devices", {
            "installation": DEVICE, "secret": "5e" * 32, "topic": TOPIC, "environment": "sandbox", "token": self.tokens[0],
            "permission": "authorized"})
        assert status == 200, answer


class ServiceUI(SendingUI):
    """The page of `carillon serve`."""

    def __init__(self, page, service):
        super().__init__(page)
        self.service = service
        self.responses = []
        page.on("response", lambda response: self.responses.append(response))

    def open(self):
        self.page.goto(self.service.url)
        expect(self.page.locator("#connection")).to_have_text("Enter an API key")
        return self

    def paste_key(self, key):
        self.page.get_by_label("API key").fill(key)

    def accepted(self, progress):
        return int(progress.inner_text().split()[0].replace(",", ""))

    def step(self, message, event):
        return message.locator(f".lane[data-device='{DEVICE}'] .step[data-event='{event}']")


@contextlib.contextmanager
def running_service(tmp_path, *options):
    directory = tmp_path / "apns"
    apns = Program("apns-simulator", "--port", "0", "--directory", directory, "--topic", TOPIC, *options).start()
    running = Service(tmp_path / "data", json.loads((directory / "simulator.json").read_text())).start()
    try:
        yield running
    finally:
        statuses = running.stop(), apns.stop()
    assert statuses == (0, 0)


@pytest.fixture
def service(tmp_path):
    with running_service(tmp_path) as running:
        yield running


@pytest.fixture
def ui(service, new_page):
    return ServiceUI(new_page(), service).open()


def test_it_opens_and_knows_of_no_phones(ui):
    expect(ui.page.get_by_role("heading", name="Send a message")).to_be_visible()
    expect(ui.page.get_by_role("heading", name="Timeline")).to_be_visible()
    expect(ui.page.locator(".compose-form")).to_be_visible()
    assert {response.status for response in ui.responses} == {200}
    for words in [ui.page.locator("html").inner_text(), *(response.text() for response in ui.responses)]:
        assert "phone" not in words.lower() and "chime" not in words.lower()
    ui.picture("service")
    assert ui.problems == []


def test_a_message_sent_with_a_pasted_key_is_followed_to_apns(ui):
    ui.service.register()
    ui.paste_key(ui.service.make_key())
    message = ui.send(to="everyone", title="To everyone", body="From the page of the service.")
    expect(message.locator(".message-title")).to_have_text("To everyone")
    for event in ("queued", "sent", "accepted"):
        expect(ui.step(message, event)).to_be_visible()
    ui.picture("service-sent")
    message.get_by_role("button", name="Recall").click()
    expect(message.locator(".pill")).to_have_text("recalled")
    assert ui.problems == []


def test_a_message_to_very_many_says_how_far_it_is(tmp_path, new_page):
    with running_service(tmp_path, "--fleet", str(FLEET)) as service:
        service.import_fleet((tmp_path / "apns" / "device_tokens.txt").read_text().split(), tmp_path)
        admin = {"Authorization": f"Bearer {service.make_key('--scope', 'admin')}"}
        pace = lambda limit: service.call("PATCH", "/v1/app", {"sends_per_second": limit}, admin)
        assert pace(50)[0] == 200
        ui = ServiceUI(new_page(), service).open()
        ui.paste_key(service.make_key("--scope", "admin"))
        message = ui.send(to="everyone", title="To everyone")
        progress = message.locator(".progress")
        expect(progress).to_have_text(re.compile(r"^[\d,]+ of [\d,]+ accepted .* a second · done at \d\d:\d\d:\d\d$"))
        before = ui.accepted(progress)
        ui.picture("service-broadcast")
        expect(message.locator(".pill")).to_have_text("sending")
        # It moves without anybody asking, and stands where it is stopped.
        ui.page.wait_for_function(
            "([element, before]) => parseInt(element.textContent.replaceAll(',', '')) > before",
            arg=[progress.element_handle(), before])
        message.get_by_role("button", name="Pause").click()
        expect(message.locator(".pill")).to_have_text("paused")
        assert pace(0)[0] == 200
        message.get_by_role("button", name="Resume").click()
        expect(progress).to_have_text(re.compile(f"^{FLEET:,} of {FLEET:,} accepted"))
        expect(message.locator(".pill")).to_have_text("sent")
        assert ui.problems == []


def test_a_user_is_named_in_the_request_and_in_the_command_to_copy(ui):
    ui.paste_key(ui.service.make_key())
    ui.page.get_by_label("User", exact=True).fill("u-7")
    expect(ui.page.locator(".json")).to_contain_text('"user": "u-7"')
    message = ui.send(title="To u-7", body="Who has no device.")
    expect(message).to_contain_text("The audience has no registered device.")
    command = copied(ui.page.get_by_role("button", name="Copy as curl"))
    assert command.startswith(f"curl -sS {ui.service.url}/v1/notifications -H 'Authorization: Bearer API_KEY'")
    assert '"user":"u-7"' in command
    assert ui.problems == []


@pytest.mark.parametrize("scope, words", [(None, "key"), ("read", "scope")])
def test_a_key_that_may_not_send_is_refused_in_words(ui, scope, words):
    ui.paste_key(ui.service.make_key("--scope", scope) if scope else "ck_none")
    ui.page.get_by_role("button", name="Send", exact=True).click()
    expect(ui.page.locator(".outcome.bad")).to_contain_text(words)
    expect(ui.page.locator(".message")).to_have_count(0)
    expect(ui.page.locator("#connection")).to_contain_text("Not connected: ")


def test_it_is_connected_with_a_key_that_is_right_alone(ui):
    connection = ui.page.locator("#connection")
    ui.paste_key("ck_none")
    expect(connection).to_contain_text("Not connected: ")
    ui.paste_key(ui.service.make_key())
    expect(connection).to_have_text("Connected")
    ui.paste_key("")
    expect(connection).to_have_text("Enter an API key")


def test_a_service_that_has_stopped_is_told(ui):
    assert ui.service.stop() == 0
    ui.page.get_by_role("button", name="Send", exact=True).click()
    expect(ui.page.locator(".outcome.bad")).to_contain_text("does not answer")
