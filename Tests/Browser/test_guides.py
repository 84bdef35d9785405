"""The guides, as HTML in the page's own style. Nothing sleeps."""

import re

from playwright.sync_api import expect

GUIDES = ("apple-coverage", "audiences", "glossary", "sending", "texts", "the-five-articles", "why-not-shown")


def test_a_guide_is_read_in_the_page_s_style_and_leads_back_to_where_one_was(ui):
    ui.allow_both()
    ui.page.locator(".compose-form [name=title]").fill("Half a thought")
    link = ui.page.get_by_role("link", name="Why a push is not shown")
    link.scroll_into_view_if_needed()
    top = ui.page.evaluate("scrollY")
    link.click()
    title = ui.page.locator(".guide-text h1")
    expect(title).to_have_text("Why was it not shown, or my app not woken?")
    expect(title).to_be_focused()
    expect(ui.page.locator("#page")).to_be_hidden()
    assert ui.page.title() == "Why was it not shown, or my app not woken? · Carillon"
    expect(ui.page.locator(".guide-text table").first).to_contain_text("GET /v1/notifications/{id}/timeline")
    assert not re.search(r"\*\*|\]\(|^#|^\|", ui.page.locator(".guide-text").inner_text(), re.MULTILINE)
    ui.picture("guide")
    ui.page.get_by_role("link", name="Back to the phones").first.click()
    expect(ui.page.locator(".compose-form [name=title]")).to_have_value("Half a thought")
    expect(link).to_be_focused()
    assert abs(ui.page.evaluate("scrollY") - top) < 2
    # The browser's own way back leads there as well.
    ui.page.locator(".first-hint a").click()
    expect(ui.page.locator(".guide-text h1")).to_have_text("Sending")
    ui.page.go_back()
    expect(ui.page.locator("#page")).to_be_visible()


def test_each_guide_is_readable_on_a_small_phone_and_its_links_lead_somewhere(ui):
    for name in GUIDES:
        ui.page.set_viewport_size({"width": 390, "height": 844})
        ui.page.goto(f"{ui.up.url}/#guide={name}")
        expect(ui.page.locator(".guide-text h1")).to_be_visible()
        expect(ui.page.locator(".guide-text .hint")).to_have_count(0)
        for width in (390, 320):
            ui.page.set_viewport_size({"width": width, "height": 844})
            assert ui.page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
        for link in ui.page.locator(".guide-text a").evaluate_all("links => links.map((link) => link.getAttribute('href'))"):
            if link.startswith("https://"):
                continue
            parts = dict(part.split("=") for part in link.removeprefix("#").split("&"))
            assert parts["guide"] in GUIDES, (name, link)
            if parts["guide"] == name and "at" in parts:
                expect(ui.page.locator(f"[id='guide-{parts['at']}']")).to_have_count(1)


def test_a_guide_that_is_not_there_says_so_and_leads_back(ui):
    ui.page.goto(f"{ui.up.url}/#guide=nothing")
    expect(ui.page.locator(".guide-text")).to_contain_text("There is no guide nothing.")
    ui.page.get_by_role("link", name="Back to the phones").first.click()
    expect(ui.page.locator("#page")).to_be_visible()
    # The browser's own line about the answer 404.
    assert all("404" in problem for problem in ui.problems)
    ui.problems.clear()
