#!/usr/bin/env python3
"""What a Live Activity for very many phones costs: its start, and updates by its broadcast channel.

Imports devices whose tokens `carillon apns-simulator --fleet` has issued, gives each a token that starts Live Activities, and
starts one for everyone. Then it updates it, one by one and many at once, and looks at the service's memory and at the number of
requests to APNs. Ends with status 1 when a limit is exceeded. docs/performance.md has the figures.
"""
import argparse
import concurrent.futures
import json
import os
import platform
import sqlite3
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from broadcast import TOPIC, Backend, Process, import_devices, run, say

TYPE, NAME, UPDATES, CALLERS = "MatchAttributes", "match-7", 20, 8
# Limits: the growth of the service's memory by updates in MiB; the time from an update's call to APNs' answer in ms.
GROWTH_LIMIT, UPDATE_MS_LIMIT = 10, 1000
# For one update, whatever the number of phones.
REQUESTS_LIMIT = 1


def wait(backend, wanted, pause):
    """Waits until the report fulfils a condition, and returns it."""
    while not wanted(report := backend.call("GET", f"/v1/live-activities/{NAME}")):
        time.sleep(pause)
    return report


def channel(backend):
    return wait(backend, lambda report: all(one["state"] == "open" for one in report["channels"]), 0.05)


def requests(backend):
    """The number of the service's requests to APNs: pushes, and broadcasts."""
    with urllib.request.urlopen(f"http://127.0.0.1:{backend.port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("carillon_pushes_total{")
               or line.startswith("carillon_channel_requests_total{") and 'request="broadcast"' in line)


def update(backend, goals):
    backend.call("PATCH", f"/v1/live-activities/{NAME}", {"content-state": {"goals": goals}})


def until_sent(backend):
    while backend.call("GET", f"/v1/live-activities/{NAME}/timeline?limit=1")["phones"][0]["state"] != "current":
        time.sleep(0.005)


def measure(carillon, folder, devices, burst):
    apns, data = folder / "apns", folder / "live"
    say(f"a fleet of {devices} devices")
    simulator = Process(carillon, "apns-simulator", "--port", "0", "--directory", apns, "--topic", TOPIC,
                        "--fleet", str(devices), "--journal", "0")
    url = f"https://localhost:{json.loads((apns / 'simulator.json').read_text())['port']}"
    credential = ["--key", next(apns.glob("AuthKey_*.p8")), "--key-id", "SIMKEY0001", "--team-id", "SIMTEAM001"]
    run(carillon, "apps", "add", "--data", data, "--topic", TOPIC)
    say("importing them")
    import_devices(carillon, ["--data", data], folder, (apns / "device_tokens.txt").read_text().split())
    # 200,000 registrations would take longer than all else, and are measured elsewhere.
    with sqlite3.connect(data / "carillon.sqlite", timeout=60) as database:
        database.execute("INSERT INTO activity_tokens (app, device, type, id, token, registered) "
                         "SELECT app, id, ?, '', token, 0 FROM devices", (TYPE,))
    key = run(carillon, "api-keys", "create", "--data", data, "--name", "bench", "--topic", TOPIC, "--scope", "admin").strip()
    service = Process(carillon, "serve", "--data", data, "--port", "0", "--apns-url", url, "--apns-ca", apns / "ca.pem",
                      *credential, "--topic", TOPIC, "--calls-per-key", "0")
    try:
        return figures(Backend(service.port(), key), service, devices, burst)
    finally:
        service.stop()
        simulator.stop()


def figures(backend, service, devices, burst):
    figures = {"devices": devices, "memory_before_mib": round(service.memory_mib())}
    say("starting it on all of them")
    began, cpu = time.monotonic(), service.cpu_seconds()
    backend.call("POST", "/v1/live-activities", {
        "id": NAME, "to": {"everyone": True}, "attributes-type": TYPE, "attributes": {"match": NAME},
        "content-state": {"goals": 0}, "alert": {"title": "It begins"}})
    channel(backend)
    wait(backend, lambda report: report["phones"].get("current", 0) == devices, 2)
    figures["start_seconds"] = round(time.monotonic() - began, 1)
    figures["start_cpu_seconds_per_100000"] = round((service.cpu_seconds() - cpu) * 100_000 / devices, 1)
    # A phone that was started a moment ago may follow the channel late, so the first update would go out twice.
    time.sleep(25)
    say(f"{UPDATES} updates")
    figures["memory_started_mib"] = round(service.memory_mib())
    accepts, sends, most, before = [], [], 0, requests(backend)
    for goals in range(1, UPDATES + 1):
        called = time.monotonic()
        update(backend, goals)
        accepts.append((time.monotonic() - called) * 1000)
        until_sent(backend)
        sends.append((time.monotonic() - called) * 1000)
        most = max(most, service.memory_mib())
    figures["requests_of_an_update"] = (requests(backend) - before) / UPDATES
    figures["accept_ms"], figures["update_ms"] = round(max(accepts), 1), round(max(sends), 1)

    say(f"{burst} updates at once")
    before, cpu, began = requests(backend), service.cpu_seconds(), time.monotonic()
    last = UPDATES + burst + 1

    def call(caller):
        own, most = Backend(backend.port, backend.key), 0
        for goals in range(UPDATES + 1 + caller, last, CALLERS):
            update(own, goals)
            most = max(most, service.memory_mib())
        return most

    with concurrent.futures.ThreadPoolExecutor(CALLERS) as pool:
        most = max(most, *pool.map(call, range(CALLERS)))
    until_sent(backend)
    figures["burst_updates_a_second"] = round(burst / (time.monotonic() - began))
    figures["burst_cpu_ms_an_update"] = round((service.cpu_seconds() - cpu) * 1000 / burst, 2)
    figures["burst_requests"] = requests(backend) - before
    figures["memory_growth_mib"] = round(most - figures["memory_started_mib"], 1)
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--carillon", required=True, help="the build of carillon")
    parser.add_argument("--devices", type=int, default=200_000)
    parser.add_argument("--burst", type=int, default=20_000, help="the number of updates at once")
    parser.add_argument("--json", help="where to write the figures")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = measure(options.carillon, Path(folder), options.devices, options.burst)
    report["machine"] = {"cores": os.cpu_count(), "system": platform.platform()}
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=2))
    print(json.dumps(report, indent=2))
    failures = [f"{name} is {report[name]}, more than {limit}" for name, limit in
                (("memory_growth_mib", GROWTH_LIMIT), ("update_ms", UPDATE_MS_LIMIT),
                 ("requests_of_an_update", REQUESTS_LIMIT)) if report[name] > limit]
    for failure in failures:
        say(f"error: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
