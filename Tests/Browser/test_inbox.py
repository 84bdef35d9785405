"""The inbox of the simulated APNs: pushes as they come, each with its answer, its remedy and its picture."""

import json
import ssl
import time

import httpx
import jwt
import pytest
from conftest import SCREENSHOTS, Program, copied
from playwright.sync_api import expect
from test_looks import CONTRASTS, STYLE, TEXTS, WITHOUT_TEXT, as_picture

# What somebody else's payload may try; it must stay text.
HOSTILE = "<img src=x onerror=document.title='owned'><script>document.title='owned'</script>"
# What a line or a card cuts off reaches over what lies beside it.
VISIBLE_TEXTS = f"""() => ({TEXTS})().filter(({{ x, y, width, height }}) => {{
  const element = document.elementFromPoint(x + 1, y + height / 2);
  const own = element?.getBoundingClientRect();
  return own && x + width <= own.right + 1 && y + height <= own.bottom + 1;
}})"""
WIDTHS = [320, 390, 768, 1024, 1440, 1920]


class APNs(Program):
    """A running `carillon apns-simulator`, and a sender that keeps one connection to it."""

    def __init__(self, directory, *options):
        super().__init__("apns-simulator", "--port", "0", "--directory", directory, *options)
        self.directory = directory

    def start(self):
        super().start()
        self.settings = json.loads((self.directory / "simulator.json").read_text())
        self.sent_to = self.url
        self.url = self.settings["admin_url"]
        claims = {"iss": self.settings["team_id"], "iat": int(time.time())}
        with open(self.settings["key"]) as key:
            token = jwt.encode(claims, key.read(), algorithm="ES256", headers={"kid": self.settings["key_id"]})
        self.headers = {"authorization": f"bearer {token}", "apns-topic": self.settings["topic"], "apns-push-type": "alert"}
        self.client = httpx.Client(
            http1=False, http2=True, verify=ssl.create_default_context(cafile=self.settings["ca"]), timeout=30)
        return self

    def stop(self):
        self.client.close()
        return super().stop()

    def push(self, payload, token=None, **headers):
        """The status of a push."""
        given = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        return self.client.post(
            f"{self.sent_to}/3/device/{token or self.settings['device_tokens'][0]}", headers=given,
            content=json.dumps(payload)).status_code


@pytest.fixture
def apns(tmp_path):
    running = APNs(tmp_path / "apns", "--devices", "3").start()
    yield running
    assert running.stop() == 0


@pytest.fixture
def inbox(apns, new_page):
    page = new_page()
    page.goto(apns.url)
    expect(page.locator("#connection")).to_have_text("Live")
    return page


def rows(page):
    return page.locator(".push-row")


def detail(page):
    return page.locator("#detail")


def test_a_push_appears_as_it_comes_and_says_everything(apns, inbox):
    expect(inbox.locator("#pushes")).to_contain_text("No push yet")
    assert apns.push({"aps": {"alert": {"title": "Breaking News!", "body": "Bells ring."}, "badge": "3"}}) == 200
    expect(rows(inbox)).to_have_count(1)
    rows(inbox).first.click()
    expect(detail(inbox).get_by_role("heading", level=2)).to_have_text("Breaking News!")
    expect(detail(inbox)).to_contain_text("Apple would have said 200.")
    expect(detail(inbox).locator(".lock .note-body")).to_have_text("Bells ring.")
    expect(detail(inbox)).to_contain_text("Ignored by the phone: it must be")
    expect(detail(inbox)).to_contain_text("device-1: delivered")
    expect(detail(inbox)).to_contain_text(f'"iss": "{apns.settings["team_id"]}"')
    # The address names the push: a colleague opens it.
    number = inbox.evaluate("location.hash")
    inbox.reload()
    expect(detail(inbox).get_by_role("heading", level=2)).to_have_text("Breaking News!")
    assert inbox.evaluate("location.hash") == number


def test_a_refused_push_says_what_apple_would_have_said_and_why(apns, inbox):
    gone = apns.settings["device_tokens"][1]
    apns.call("DELETE", f"/tokens/{gone}")
    assert apns.push({"aps": {"alert": "Late"}}, gone) == 410
    assert apns.push({"aps": {"alert": "No topic"}}, apns_topic="com.example.other") == 400
    expect(rows(inbox)).to_have_count(2)
    rows(inbox).last.click()
    expect(detail(inbox)).to_contain_text("Apple would have said 410 Unregistered.")
    expect(detail(inbox)).to_contain_text("Why here: the app is no longer on the device")
    expect(detail(inbox)).to_contain_text("What to do: Stop sending to this token")
    inbox.keyboard.press("ArrowUp")
    expect(detail(inbox)).to_contain_text("com.example.other is not among the topics of this credential")
    inbox.get_by_label("Search pushes").fill("unregistered")
    expect(rows(inbox)).to_have_count(1)
    inbox.get_by_label("Search pushes").fill("")
    inbox.get_by_text("Accepted", exact=True).click()
    expect(inbox.locator("#pushes")).to_contain_text("No push matches.")


def test_what_a_sender_writes_stays_text(apns, inbox):
    payload = {"aps": {"alert": {"title": HOSTILE, "body": HOSTILE}, HOSTILE: 1}, HOSTILE: HOSTILE}
    assert apns.push(payload, apns_collapse_id="<b>x</b>") == 200
    assert apns.push({"aps": {"alert": HOSTILE}}, apns_topic="<b>x</b>") == 400
    for row in (rows(inbox).first, rows(inbox).last):
        row.click()
        expect(detail(inbox).get_by_role("heading", level=2)).to_have_text(HOSTILE)
    assert inbox.locator("#inbox b, #inbox script, #inbox img[src='x']").count() == 0
    assert inbox.title() == "APNs inbox"


def test_a_push_is_copied_as_curl_as_a_test_and_as_a_fixture(apns, inbox):
    assert apns.push({"aps": {"alert": "Hello"}}) == 200
    rows(inbox).first.click()
    curl = copied(inbox.get_by_role("button", name="Copy as curl"))
    assert curl.startswith('curl --http2 --cacert "$APNS_CA"') and "'{\"aps\": {\"alert\": \"Hello\"}}'" in curl
    assert "def test_push(apns):" in copied(inbox.get_by_role("button", name="Copy as a test"))
    fixture = json.loads(copied(inbox.get_by_role("button", name="Copy as a fixture")))
    assert fixture["answer"] == {"status": 200} and fixture["request"]["payload"] == {"aps": {"alert": "Hello"}}


def test_thousands_of_pushes_are_a_page_of_rows_and_few_calls(apns, inbox):
    calls = []
    inbox.on("request", lambda request: calls.append(request.url))
    started = time.monotonic()
    for number in range(2_500):
        assert apns.push({"aps": {"alert": f"number {number}"}}) == 200
    expect(rows(inbox).first).to_contain_text("number 2499")
    seconds = time.monotonic() - started
    assert rows(inbox).count() == 100
    # The stream rings five times a second at most, and one call answers each ring.
    assert sum("/pushes?" in url for url in calls) <= 5 * seconds + 5, (len(calls), seconds)
    inbox.get_by_role("button", name="Older").click()
    expect(rows(inbox).first).to_contain_text("number 2399")
    # Nothing moves under the reader of an older page.
    assert apns.push({"aps": {"alert": "meanwhile"}}) == 200
    expect(rows(inbox).first).to_contain_text("number 2399")
    inbox.get_by_role("button", name="Newest").click()
    expect(rows(inbox).first).to_contain_text("meanwhile")
    inbox.get_by_label("Search pushes").fill("number 17")
    expect(rows(inbox).last).to_contain_text("number 17")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_every_width_and_every_text_has_contrast(apns, inbox, new_page, scheme):
    gone = apns.settings["device_tokens"][1]
    apns.call("DELETE", f"/tokens/{gone}")
    apns.push({"aps": {"alert": {"title": "Breaking News!", "subtitle": "From the tower", "body": "Bells ring. " * 4},
                       "sound": "default", "interruption-level": "time-sensitive"}, "story": {"id": 42, "a-long-key" * 6: "x" * 200}})
    apns.push({"aps": {"content-available": 1}}, apns_push_type="background", apns_priority="5")
    apns.push({"aps": {"alert": "Late"}}, gone)
    reader = new_page()
    reader.goto("about:blank")
    inbox.emulate_media(color_scheme=scheme)
    expect(rows(inbox)).to_have_count(3)
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    for width in WIDTHS:
        inbox.set_viewport_size({"width": width, "height": 900})
        for place, row in (("list", None), ("refused", 0), ("shown", 2)):
            inbox.evaluate("location.hash = ''")
            if row is not None:
                # Where both do not stand side by side, the list is away while a push is read.
                rows(inbox).nth(row).click()
                expect(detail(inbox).locator(".detail-head")).to_be_visible()
            overflow = inbox.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert overflow <= 0, (width, place, overflow)
            inbox.screenshot(path=SCREENSHOTS / f"inbox-{place}-{scheme}-{width}.png", full_page=place != "list")
            texts = inbox.evaluate(VISIBLE_TEXTS)
            inbox.evaluate(STYLE, WITHOUT_TEXT)
            picture = as_picture(inbox.screenshot())
            inbox.evaluate(STYLE, "")
            assert reader.evaluate(CONTRASTS, {"picture": picture, "texts": texts}) == [], (width, place)
