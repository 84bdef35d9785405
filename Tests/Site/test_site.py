"""The site that `make docs` makes: its links, its index, its search, and what it says of pages with a fault."""

import json
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import docs  # noqa: E402

TABLE = "# Which page\n\n| you | begin with | then |\n|---|---|---|\n| **send** | [Send](send.md) | |\n"


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """The site of this repository. `write` follows its links and looks into its index; test_a_fault_is_told_with_its_place shows that."""
    folder = tmp_path_factory.mktemp("site") / "docs"
    docs.Site(ROOT).write(folder)
    return folder


@pytest.fixture
def small(tmp_path):
    """A repository of three pages; a test adds what it is about."""
    root = tmp_path / "repository"
    for name, text in {"README.md": "# Bell\n\n[Pages](docs/README.md)\n", "docs/README.md": TABLE,
                       "docs/send.md": "# Send: a page\n\nFor backends.\n\n## One request\n\nSee [above](#one-request).\n"}.items():
        put(root, name, text)
    return root


def put(root, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def faults(root):
    """What making the site says is wrong."""
    with pytest.raises(docs.SiteError) as error:
        docs.Site(root).write(root / ".build" / "docs")
    assert not (root / ".build" / "docs").exists(), "a site with a fault was written"
    return str(error.value)


def search(folder, *queries):
    """What the site's own script finds, as the browser would."""
    program = f"""
        globalThis.window = globalThis;
        require({json.dumps(str(folder / docs.INDEX))});
        const {{ find }} = require({json.dumps(str(folder / "search.js"))});
        console.log(JSON.stringify({json.dumps(queries)}.map((query) => find(window.carillonIndex, query))));"""
    run = subprocess.run(["node", "--eval", program], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


# MARK: The site of this repository


def test_it_has_every_page_of_the_repository(made):
    places = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", *(ROOT / "docs").rglob("*.md"),
              *(ROOT / "clients").rglob("README.md"), *(ROOT / "Examples").rglob("README.md"), *ROOT.glob("Sources/*/*.docc/*.md")]
    names = {str((ROOT / place).relative_to(ROOT)) for place in places
             if not docs.SKIPPED & set((ROOT / place).relative_to(ROOT).parts)}
    assert len(names) > 200
    shown = {name for page in made.rglob("*.html") for name in re.findall(r"The source of this page is <code>(.+?)</code>", page.read_text())}
    assert not names - shown, f"the site lacks {sorted(names - shown)}"


def test_the_navigation_is_the_table_of_the_first_page(made):
    page = (made / "docs" / "host-it.html").read_text()
    groups = re.findall(r"<details( open)?><summary>(You [^<]+)</summary>", page)
    rows = re.findall(r"^\| \*\*(.+?)\*\*", (ROOT / "docs" / "README.md").read_text(), re.MULTILINE)
    assert [title for _, title in groups] == [f"You {row}" for row in rows]
    assert [title for opened, title in groups if opened] == ["You run the service"]
    assert '<a href="host-it.html" aria-current="page">Host it</a>' in page
    decision = (made / "docs" / "decisions" / "001-one-id.html").read_text()
    assert '<a href="../host-it.html">Host it</a>' in decision


def test_the_search_finds_known_words(made):
    recall, reason, beginning, accents, several, nothing, question, audiences = search(
        made, "recall", "BadDeviceToken", "rolling upd", "verspatung", "trusted-proxy nginx", "xyzzyplugh",
        "How do I recall a notification?", "audiences")
    assert any("recall" in (each["title"] + each["heading"]).lower() for each in recall[:3])
    assert reason and beginning and accents and nothing == []
    assert any(each["address"].startswith("docs/host-it") for each in several)
    assert question[0]["address"].startswith("guides/CarillonApp/RecallANotification.html")
    assert audiences[0]["address"] == "docs/audiences.html"
    # The long list of Apple's symbols is not in the way.
    (sounds,) = search(made, "notification")
    assert not any(each["address"].startswith("docs/apple-coverage") for each in sounds[:10])


def test_a_page_loads_nothing_from_other_hosts(made):
    for path in made.rglob("*.html"):
        assert not re.search(r"<(?:script|img|link|iframe)[^>]*(?:src|href)=\"(?:https?:)?//", path.read_text()), path
    assert "http" not in (made / "site.css").read_text() and "@import" not in (made / "site.css").read_text()


@pytest.fixture(scope="session")
def chromium():
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert path, "chromium is missing: apt-get install chromium-headless-shell"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def test_the_search_works_in_a_page_that_was_opened_as_a_file(made, chromium):
    page = chromium.new_page(viewport={"width": 1200, "height": 800})
    problems, asked = [], []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: message.type == "error" and problems.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    page.goto((made / "docs" / "senders" / "go.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type("from an empty machine")
    page.locator(".found a").first.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/docs/host-it.html")
    page.locator(".search input").fill("xyzzyplugh")
    page.get_by_text("No page has “xyzzyplugh”.").wait_for()
    assert problems == [] and all(url.startswith("file:") for url in asked)
    page.close()


def test_a_page_fits_a_narrow_screen_without_javascript(made, chromium):
    context = chromium.new_context(viewport={"width": 400, "height": 800}, java_script_enabled=False, color_scheme="dark")
    page = context.new_page()
    largest = sorted(made.rglob("*.html"), key=lambda path: path.stat().st_size)[-30:]
    for path in [made / "index.html", made / "docs" / "index.html", made / "clients" / "index.html", *largest]:
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 400, f"{path.name} is wider than the screen"
    page.goto((made / "docs" / "host-it.html").as_uri())
    assert not page.locator(".search").is_visible() and page.get_by_role("heading", name="Say what is yours").is_visible()
    page.get_by_role("link", name="All pages").click()
    assert page.evaluate("document.querySelector('nav').getBoundingClientRect().top") < 400, "the list of pages is not where the link leads"
    page.locator("nav").get_by_text("You test a sender").click()
    page.locator("nav").get_by_role("link", name="Test your sender in CI").click()
    page.wait_for_url("**/test-your-sender-in-ci.html")
    red = page.evaluate("Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])")
    assert red < 60, "the page is not dark where the reader's system is"
    context.close()


# MARK: Pages with a fault


def test_a_page_with_unicode(small):
    put(small, "docs/größe 🔔.md", "# Größe\n\nZurück zur [Übersicht](größe%20🔔.md#über-uns).\n\n## Über uns 🔔\n\n日本語 und Straße\n")
    put(small, "docs/send.md", "# Send: a page\n\n[Größe](gr%C3%B6%C3%9Fe%20%F0%9F%94%94.md), docs/README.md\n")
    folder = small / ".build" / "docs"
    docs.Site(small).write(folder)
    assert docs.check(folder) == []
    text = (folder / "docs" / "größe 🔔.html").read_text()
    assert 'id="über-uns"' in text and "日本語" in text
    assert '<a href="index.html">docs/README.md</a>' in (folder / "docs" / "send.html").read_text()
    accents, other = search(folder, "uber uns", "日本")
    assert accents[0]["heading"] == "Über uns 🔔" and other[0]["title"] == "Größe"


@pytest.mark.parametrize("name, text, words", [
    ("docs/send.md", "# Send\n\n\n![A bell](bell.png)\n", "docs/send.md:4: the picture bell.png is not there"),
    ("docs/send.md", "# Send\n\n![A bell](https://example.com/bell.png)\n", "another host's"),
    ("docs/send.md", "# Send\n\nSee [nothing](nothing.md).\n", "docs/send.md:3: the link leads to nothing.md, which is not there"),
    ("docs/send.md", "# Send\n\nSee [outside](../../outside.md).\n", "which is not there"),
    ("docs/send.md", "# Send\n\nSee [below](#below).\n", "#below has no such heading"),
    ("docs/send.md", "# Send\n\n<a href=\"x.md\">x</a>\n", "a link in HTML is not followed"),
    ("docs/send.md", "# Send\n\n<details>\n", "does not end"),
    ("docs/send.md", b"# Send\n\n\xff\n", "docs/send.md is not UTF-8: byte 8"),
    ("docs/README.md", "# Which page\n\n[Send](send.md)\n", "docs/README.md has no table of pages"),
    ("Sources/Bell/Bell.docc/Bell.md", "# ``Bell``\n\n<doc:Nothing>\n", "Bell.md:3: no guide is named doc:Nothing"),
])
def test_a_fault_is_told_with_its_place(small, name, text, words):
    put(small, name, text)
    assert words in faults(small)


def test_an_empty_folder_of_pages_is_told_in_one_line(tmp_path):
    (tmp_path / "docs").mkdir()
    run = subprocess.run([sys.executable, ROOT / "scripts" / "docs.py", "--root", tmp_path], capture_output=True, text=True, check=False)
    assert run.returncode == 1 and run.stdout == ""
    assert run.stderr == f"error: {tmp_path}/docs has no pages: a site is made of them\n"


def test_a_folder_with_other_things_is_left_alone(small, tmp_path):
    put(tmp_path, "mine/letter.txt", "Dear Ada")
    with pytest.raises(docs.SiteError, match="other things"):
        docs.Site(small).write(tmp_path / "mine")
    assert (tmp_path / "mine" / "letter.txt").read_text() == "Dear Ada"


def test_a_newer_site_takes_the_place_of_an_older_one(small):
    folder = small / ".build" / "docs"
    put(small, "docs/old.md", "# Old\n")
    docs.Site(small).write(folder)
    (small / "docs" / "old.md").unlink()
    docs.Site(small).write(folder)
    assert not (folder / "docs" / "old.html").exists() and [each.name for each in folder.parent.iterdir()] == ["docs"]


def test_a_search_knows_a_plural_and_words_that_say_nothing(small):
    folder = small / ".build" / "docs"
    docs.Site(small).write(folder)
    plural, question, empty = search(folder, "requests", "What is the request?", "for")
    assert plural[0]["heading"] == question[0]["heading"] == "One request"
    assert empty[0]["address"] == "docs/send.html"


@pytest.mark.parametrize("change, words", [
    (lambda site: (site / "docs" / "send.html").unlink(), "docs/send.html is in the index, and not there"),
    (lambda site: shutil.copy(site / "about.html", site / "other.html"), "other.html is not in the index"),
    (lambda site: (site / docs.INDEX).unlink(), "cannot be read"),
    (lambda site: (site / "site.css").unlink(), "site.css is not there"),
    (lambda site: edit(site / "docs" / "send.html", "id=\"one-request\"", "id=\"two\""), "#one-request, which is not there"),
    (lambda site: edit(site / "index.html", "./search.js", "https://example.com/x.js"), "another host's"),
    (lambda site: edit(site / "index.html", "</h1>", ""), "ends what was not begun"),
])
def test_the_check_tells_what_is_wrong(small, change, words):
    folder = small / ".build" / "docs"
    docs.Site(small).write(folder)
    change(folder)
    assert words in "\n".join(docs.check(folder))
    run = subprocess.run([sys.executable, ROOT / "scripts" / "docs.py", "--check", folder], capture_output=True, text=True, check=False)
    assert run.returncode == 1 and "Traceback" not in run.stderr


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
