#!/usr/bin/env python3
"""How the page with the phones keeps up with a flood of notifications; docs/performance.md explains the figures.

Starts `carillon up` in a folder of its own and opens its page in Chromium. First 200 messages come in ten seconds, then
2,000 as fast as the service accepts them, each for both phones. Ends with status 1 when a limit is exceeded.
"""
import argparse
import http.client
import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

# With the second flood, every list of the phones is full.
PACED, PACED_SECONDS, FLOOD = 200, 10, 2000
# Limits: elements on the page at any time; frames a second while 20 messages a second come; the longest task in that time.
ELEMENT_LIMIT, FRAME_LIMIT, TASK_LIMIT_MS = 2500, 24, 500
DRAIN_LIMIT_S = 300

METER = """() => {
  const meter = window.meter = { frames: 0, tasks: [], elements: 0, started: performance.now() };
  new PerformanceObserver((list) => meter.tasks.push(...list.getEntries().map((entry) => entry.duration)))
    .observe({ type: "longtask" });
  const frame = () => { meter.frames += 1; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  setInterval(() => { meter.elements = Math.max(meter.elements, document.querySelectorAll("*").length); }, 250);
}"""
RESET = "() => Object.assign(meter, { frames: 0, tasks: [], elements: 0, started: performance.now() })"
READ = """() => ({
  seconds: (performance.now() - meter.started) / 1000, frames: meter.frames, tasks: meter.tasks,
  elements: Math.max(meter.elements, document.querySelectorAll("*").length),
})"""
TOP_TITLE = """(title) => [...document.querySelectorAll(".lock-notes")].some((list) => list.checkVisibility()
  && list.querySelector(".note-title")?.textContent === title)"""


def say(text):
    print(text, file=sys.stderr, flush=True)


class Up:
    """A running `carillon up`."""

    def __init__(self, carillon, folder):
        self.folder = folder
        self.process = subprocess.Popen(
            [carillon, "up", "--port", "0", "--data", str(folder)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True)
        ready = re.search(r"http://(127\.0\.0\.1):(\d+)", self.process.stdout.readline())
        if not ready:
            sys.exit("error: carillon up did not start")
        self.url, self.host, self.port = ready.group(0), ready.group(1), int(ready.group(2))
        self.key = (folder / "api.key").read_text().strip()

    def send(self, count, name, seconds=0):
        """Sends `count` messages, evenly over `seconds`, over one connection; how long it took."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        connection.connect()
        # Head and body go out at once: else each call waits 40 ms for the service's system to acknowledge the head.
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        begin = time.monotonic()
        for number in range(1, count + 1):
            wait = begin + number * seconds / count - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            alert = {"title": f"{name} {number}", "body": "One of many."}
            body = {"to": {"user": "ada"}, "payload": {"aps": {"alert": alert, "sound": "default"}}}
            connection.request("POST", "/v1/notifications", json.dumps(body), headers)
            answer = connection.getresponse()
            answer.read()
            if answer.status != 202:
                sys.exit(f"error: the service answered {answer.status}")
        return time.monotonic() - begin

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


def measured(page, up, count, name, seconds=0):
    """One flood, from its first message until the phones show its last."""
    page.evaluate(RESET)
    took = []
    begin = time.monotonic()
    sender = threading.Thread(target=lambda: took.append(up.send(count, name, seconds)))
    sender.start()
    page.wait_for_function(TOP_TITLE, arg=f"{name} {count}", timeout=600_000, polling=100)
    drained = time.monotonic() - begin
    sender.join()
    meter = page.evaluate(READ)
    return {
        "messages": count, "accepted_s": round(took[0], 2), "drained_s": round(drained, 2),
        "frames_per_second": round(meter["frames"] / meter["seconds"], 1), "long_tasks": len(meter["tasks"]),
        "long_task_share": round(sum(meter["tasks"]) / 1000 / meter["seconds"], 3),
        "longest_task_ms": round(max(meter["tasks"], default=0)), "elements": meter["elements"],
    }


def pressed(page):
    """How long it takes to unlock the first phone and lock it again, by its own button."""
    control = page.locator("[data-phone=phone-1] [data-control=lock]")
    display = page.locator("[data-phone=phone-1] .display")
    begin = time.monotonic()
    control.click(timeout=120_000)
    display.and_(page.locator("[data-screen=app], [data-screen=home]")).wait_for(timeout=120_000)
    control.click(timeout=120_000)
    display.and_(page.locator("[data-screen=lock]")).wait_for(timeout=120_000)
    return round(time.monotonic() - begin, 2)


def run(carillon, folder):
    up = Up(carillon, folder)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(up.url)
            for number in (1, 2):
                phone = page.locator(f"[data-phone=phone-{number}]")
                phone.get_by_role("button", name="Allow", exact=True).click()
                phone.locator("[data-control=lock]").click()
            page.evaluate(METER)
            paced = measured(page, up, PACED, "Paced", PACED_SECONDS)
            say(f"paced: {paced}")
            flood = measured(page, up, FLOOD, "Flood")
            say(f"flood: {flood}")
            flood["unlock_and_lock_s"] = pressed(page)
            browser.close()
    finally:
        up.stop()
    return {"paced": paced, "flood": flood}


def problems(figures):
    found = []
    for name, part in figures.items():
        if part["elements"] > ELEMENT_LIMIT:
            found.append(f"{name}: {part['elements']} elements, the limit is {ELEMENT_LIMIT}")
    paced, flood = figures["paced"], figures["flood"]
    if paced["frames_per_second"] < FRAME_LIMIT:
        found.append(f"paced: {paced['frames_per_second']} frames a second, the limit is {FRAME_LIMIT}")
    if paced["longest_task_ms"] > TASK_LIMIT_MS:
        found.append(f"paced: a task of {paced['longest_task_ms']} ms, the limit is {TASK_LIMIT_MS}")
    if flood["drained_s"] > DRAIN_LIMIT_S:
        found.append(f"flood: drained in {flood['drained_s']} s, the limit is {DRAIN_LIMIT_S}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--carillon", required=True, help="the program")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = run(arguments.carillon, Path(folder) / "data")
    rows = list(figures["flood"])
    print(f"{'':20} {'paced':>10} {'flood':>10}")
    for row in rows:
        print(f"{row:20} {figures['paced'].get(row, ''):>10} {figures['flood'][row]:>10}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")
    found = problems(figures)
    for problem in found:
        say(f"error: {problem}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
