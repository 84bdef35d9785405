"""The pages about coming from another service: each has the calls beside ours, what is won and lost, and where its words are from."""

import json
import re
import subprocess
import urllib.request

import pytest

from markdown import ROOT, Page
from reader import CARILLON, PATIENCE

PAGES = {path.stem: Page(path) for path in sorted((ROOT / "docs/import").glob("*.md"))}
SERVICES = ("airship", "expo", "firebase", "gorush", "infobip", "onesignal", "pushwoosh", "rpush")


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    """The service's own OpenAPI document."""
    service = subprocess.Popen(
        [CARILLON, "serve", "--data", tmp_path_factory.mktemp("data"), "--topic", "com.example.app", "--role", "api", "--port", "0",
         "--until-stdin-closes"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        ready = "Carillon is ready at "
        url = next(line.strip().removeprefix(ready) for line in service.stdout if line.startswith(ready))
        with urllib.request.urlopen(f"{url.rstrip('/')}/openapi.json", timeout=PATIENCE) as answer:
            return json.load(answer)
    finally:
        service.terminate()
        service.wait(timeout=PATIENCE)


def rows(page):
    """The table of calls: their side and ours."""
    found = []
    for number, line in page.prose:
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] if line.startswith("|") else []
        if len(cells) == 2:
            found.append((number, *cells))
    return found


def members(cell):
    """The members of a send that a cell names: those at the beginning of a code span, such as `"to": …` or `"until"`."""
    for span in re.findall(r"`([^`]+)`", cell):
        if found := re.match(r'"([a-z_]+)"(?::|$|,)', span):
            yield found.group(1)


def test_there_is_a_page_for_each_service_and_the_import_names_it():
    assert tuple(PAGES) == SERVICES
    listed = (ROOT / "docs/import.md").read_text()
    for name in SERVICES:
        assert f"(import/{name}.md)" in listed, name


@pytest.mark.parametrize("name", SERVICES)
def test_a_page_tells_calls_gains_losses_and_sources(name):
    page = PAGES[name]
    assert len(rows(page)) > 5, "the calls beside ours are missing"
    for words in ("**Won**:", "**Lost**:"):
        assert words in page.text, words
    assert len(page.text.split()) < 700, "the page is too long"
    if name != "gorush":  # docs/doors.md has its sources.
        assert re.search(r"\]\(https://", page.text.split("**Lost**")[1]), "the page names no source"


@pytest.mark.parametrize("name", SERVICES)
def test_our_side_of_a_call_is_in_the_openapi_document(document, name):
    send = document["paths"]["/v1/notifications"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    while "$ref" in send:
        send = document["components"]["schemas"][send["$ref"].rsplit("/", 1)[1]]
    known = set(send["properties"])
    faults = [f"{page}: {member}" for page, _, ours in rows(PAGES[name]) for member in members(ours) if member not in known]
    assert not faults, f"a send has no {faults}"
    assert sum(1 for _, _, ours in rows(PAGES[name]) for _ in members(ours)) > 4
    for method, path in re.findall(r"`(GET|POST|DELETE|PATCH) (/v1/[^`\s?]*)", PAGES[name].text):
        assert method.lower() in document["paths"].get(path, {}), f"{method} {path}"
