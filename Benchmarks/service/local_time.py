"""What a broadcast in local time costs the service, beside one at once to as many devices; docs/performance.md has the figures.

    python3 Benchmarks/service/local_time.py .build/release/carillon 200000

The devices are in 30 zones of 24 offsets. Nobody waits a day: when the chunks are planned, the moments are moved together in
the database, a second apart in place of an hour. Each broadcast goes out twice, in turns, since a machine's pace changes.
"""
import datetime
import json
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

from broadcast import TOPIC, Backend, Process, run, say

LIMIT = 1.2
ZONES = """Asia/Tokyo Asia/Shanghai Asia/Kolkata Asia/Kathmandu Asia/Karachi Asia/Dubai Europe/Moscow Africa/Cairo Europe/Berlin
    Europe/Paris Europe/Madrid Europe/Rome Europe/London Africa/Lagos Atlantic/Azores America/Noronha America/Sao_Paulo
    America/Argentina/Buenos_Aires America/St_Johns America/Halifax America/New_York America/Toronto America/Chicago
    America/Mexico_City America/Denver America/Los_Angeles America/Anchorage Pacific/Honolulu Pacific/Auckland Australia/Sydney""".split()


def import_devices(carillon, data, folder, tokens):
    records = folder / "devices.csv"
    with records.open("w") as file:
        file.write("token,topic,environment,time_zone\n")
        for number, token in enumerate(tokens):
            # Neighbours are in any zones, and some zones have more devices than others.
            file.write(f"{token},{TOPIC},sandbox,{ZONES[number * 7919 % 997 % len(ZONES)]}\n")
    run(carillon, "devices", "import", "--data", data, records)


def gather_moments(database):
    """Moves the moments for which chunks wait to the next seconds."""
    with sqlite3.connect(database, timeout=60) as connection:
        moments = [due for due, in connection.execute("SELECT DISTINCT due FROM chunks WHERE open = 1 AND due > 0 ORDER BY due")]
        for number, due in enumerate(moments):
            soon = int(time.time() * 1000) + 1000 * (number + 1)
            connection.execute("UPDATE chunks SET due = ? WHERE open = 1 AND due = ?", (soon, due))
    return len(moments)


def main():
    carillon, devices = Path(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        apns, data = folder / "apns", folder / "data"
        say(f"a fleet of {devices} devices")
        simulator = Process(carillon, "apns-simulator", "--port", "0", "--directory", apns, "--topic", TOPIC,
                            "--fleet", str(devices), "--journal", "0")
        url = f"https://localhost:{json.loads((apns / 'simulator.json').read_text())['port']}"
        credential = ["--key", next(apns.glob("AuthKey_*.p8")), "--key-id", "SIMKEY0001", "--team-id", "SIMTEAM001"]
        run(carillon, "apps", "add", "--data", data, "--topic", TOPIC)
        import_devices(carillon, data, folder, (apns / "device_tokens.txt").read_text().split())
        key = run(carillon, "api-keys", "create", "--data", data, "--name", "bench", "--topic", TOPIC, "--scope", "admin").strip()
        service = Process(carillon, "serve", "--data", data, "--port", "0", "--apns-url", url, "--apns-ca", apns / "ca.pem",
                          *credential, "--topic", TOPIC)
        used = {"at once": [], "local time": []}
        try:
            backend = Backend(service.port(), key)
            for turn in range(2):
                for kind in used:
                    say(kind)
                    cpu, name = service.cpu_seconds(), f"{kind.replace(' ', '-')}-{turn}"
                    body = {"to": {"everyone": True}, "id": name, "payload": {"aps": {"alert": "Hello"}}}
                    if kind == "local time":
                        # Sending has started, and nobody's moment has come: it is ahead in Auckland, which is the first.
                        ahead = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=13, minutes=50)
                        body["send_at"] = {"local": ahead.strftime("%Y-%m-%dT%H:%M:%S")}
                    backend.call("POST", "/v1/notifications", body)
                    if kind == "local time":
                        while (progress := backend.report(name).get("progress", {}))["decided"] < devices:
                            time.sleep(0.5)
                        say(f"{progress}; {gather_moments(data / 'carillon.sqlite')} moments")
                        # The sender has been told the moment that was the next one before.
                        backend.call("POST", f"/v1/notifications/{name}/pause")
                        backend.call("POST", f"/v1/notifications/{name}/resume")
                    report = backend.wait(name, pause=2)
                    if report["counts"]["accepted"] != devices:
                        sys.exit(f"error: {report['counts']}")
                    used[kind].append(service.cpu_seconds() - cpu)
        finally:
            service.stop()
            simulator.stop()
        figures = {kind: [round(each * 100_000 / devices, 3) for each in seconds] for kind, seconds in used.items()}
        ratio = round(sum(used["local time"]) / sum(used["at once"]), 3)
        print(json.dumps({"devices": devices, "cpu_seconds_per_100000": figures, "ratio": ratio}))
        if ratio > LIMIT:
            sys.exit(f"error: a broadcast in local time costs {ratio} times one at once, more than {LIMIT}")


if __name__ == "__main__":
    main()
