#!/usr/bin/env python3
"""Films the picture of README.md: a message on two phones, and its recall, also on the phone that was offline.

    make film                     writes docs/screenshots/recall.gif
    scripts/film.py --output F    writes another file; --carillon names the program
"""

import argparse
import io
import pathlib
import shutil
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))

FRAME_MS = 100
SCALE = 0.45
CAPTION_HEIGHT = 76
COLOURS = 96


class Film:
    """Pictures of both phones, each with the caption that stands below it and how long it stays."""

    def __init__(self, page, box):
        self.page, self.box = page, box
        self.frames = []
        self.caption = ("", "")

    def shoot(self, stays_ms=FRAME_MS):
        from PIL import Image

        picture = Image.open(io.BytesIO(self.page.screenshot(clip=self.box))).convert("RGB")
        size = (round(picture.width * SCALE), round(picture.height * SCALE))
        self.add(picture.resize(size, Image.LANCZOS), stays_ms)

    def add(self, picture, stays_ms):
        from PIL import Image, ImageDraw

        frame = Image.new("RGB", (picture.width, picture.height + CAPTION_HEIGHT), picture.getpixel((0, 0)))
        frame.paste(picture, (0, 0))
        pen = ImageDraw.Draw(frame)
        what, why = self.caption
        middle = picture.width / 2
        pen.text((middle, picture.height + 18), what, font=font("Bold", 22), fill="#17181c", anchor="mm")
        pen.text((middle, picture.height + 50), why, font=font("Regular", 18), fill="#54565f", anchor="mm")
        if self.frames and self.frames[-1][0].tobytes() == frame.tobytes():
            self.frames[-1] = (self.frames[-1][0], self.frames[-1][1] + stays_ms)
        else:
            self.frames.append((frame, stays_ms))

    def roll(self, seconds):
        """Films what moves for a while."""
        for _ in range(round(seconds * 1000 / FRAME_MS)):
            self.shoot()
            self.page.wait_for_timeout(FRAME_MS)

    def save(self, path):
        from PIL import Image

        # One palette for all frames, so that what stands still does not flicker.
        strip = Image.new("RGB", (self.frames[0][0].width, sum(frame.height for frame, _ in self.frames)))
        top = 0
        for frame, _ in self.frames:
            strip.paste(frame, (0, top))
            top += frame.height
        palette = strip.quantize(COLOURS, method=Image.Quantize.MEDIANCUT)
        pictures = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame, _ in self.frames]
        pictures[0].save(
            path, save_all=True, append_images=pictures[1:], loop=0, optimize=True, disposal=1,
            duration=[stays for _, stays in self.frames])


def font(weight, size):
    from PIL import ImageFont

    found = next(pathlib.Path("/usr/share/fonts").rglob(f"Inter-{weight}.otf"), None)
    assert found, "the typeface Inter is missing: apt-get install fonts-inter"
    return ImageFont.truetype(str(found), size)


def around(page):
    """The rectangle with both phones, as the page shows them now."""
    boxes = [page.locator(f"[data-phone=phone-{number}] .display").bounding_box() for number in (1, 2)]
    left, top = min(box["x"] for box in boxes) - 24, min(box["y"] for box in boxes) - 24
    right = max(box["x"] + box["width"] for box in boxes) + 24
    bottom = max(box["y"] + box["height"] for box in boxes) + 24
    return {"x": left, "y": top, "width": right - left, "height": bottom - top}


def play(ui, film, up):
    from playwright.sync_api import expect

    one, two = ui.phone(1), ui.phone(2)
    film.caption = ("Two phones of one person", "both locked")
    film.roll(1.0)
    identifier = up.send({
        "id": "gate-12", "payload": {"aps": {"alert": {"title": "Flight CA 12", "body": "Boarding at gate B7."}}}})
    film.caption = ("POST /v1/notifications", "one message, to the person")
    film.roll(0.6)
    expect(one.locked).to_have_count(1)
    expect(two.locked).to_have_count(1)
    film.roll(1.4)
    ui.command(2, "aeroplane", on=True)
    film.caption = ("The right phone goes offline", "aeroplane mode")
    film.roll(1.4)
    status, _ = up.call(
        "DELETE", f"/v1/notifications/{identifier}", headers={"Authorization": f"Bearer {up.key()}"})
    assert status == 202, status
    film.caption = ("DELETE /v1/notifications/gate-12", "gone from every phone that APNs reaches")
    film.roll(0.4)
    expect(one.locked).to_have_count(0)
    film.roll(1.8)
    ui.command(2, "aeroplane", on=False)
    film.caption = ("The right phone is online again", "gone there too, before anybody reads it")
    expect(two.locked).to_have_count(0)
    film.roll(2.2)


def main():
    from conftest import PhonesUI, Up, at_rest
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs/screenshots/recall.gif")
    options = parser.parse_args()
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        up = Up(pathlib.Path(folder) / "data").start()
        try:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(viewport={"width": 1440, "height": 1000}, device_scale_factor=2)
            ui = PhonesUI(page, up).open().allow_both()
            for number in (1, 2):
                ui.phone(number).lock()
                at_rest(ui.phone(number).display)
            film = Film(page, around(page))
            play(ui, film, up)
            film.save(options.output)
            browser.close()
        finally:
            up.stop()
    seconds = sum(stays for _, stays in film.frames) / 1000
    print(f"{options.output}: {len(film.frames)} pictures, {seconds:.0f} s, {options.output.stat().st_size // 1024} KiB")


main()
