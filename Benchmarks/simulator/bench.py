"""Measures the server's CPU seconds per 100,000 pushes, with the same h2load run for each server: the simulator with 100 and
with 100,000 devices and all checks, compared with nginx and a Go server that check nothing. Then a fleet: 100,000 devices
attached over one connection to the admin port, and a push to each of them.

    .venv/bin/python Benchmarks/simulator/bench.py --carillon .build/release/carillon [--json FILE]

Prints a table; --json also writes the figures. `make bench-simulator` does all set-up.
"""

import argparse
import collections
import contextlib
import http.client
import json
import math
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

import jwt

HERE = pathlib.Path(__file__).parent
PAYLOAD = {"aps": {"alert": {"title": "Breaking", "body": "x" * 120}, "sound": "default"}, "link": "https://a.example"}
DEADLINE_SECONDS = 120


def cpu_seconds(pid):
    """User and system time of a process and its children, in seconds."""
    seconds = 0.0
    for number in [pid] + children(pid):
        fields = pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()
        seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return seconds


def children(pid):
    return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def resident_megabytes(pid):
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process):
    end = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        if process.poll() is not None:
            sys.exit(f"error: {process.args[0]} ended with status {process.returncode} before it listened")
        time.sleep(0.05)
    sys.exit(f"error: {process.args[0]} did not listen on port {port}")


@contextlib.contextmanager
def running(arguments, port=None, **options):
    process = subprocess.Popen(arguments, **options)
    try:
        if port:
            wait_for(port, process)
        yield process
    finally:
        process.terminate()
        process.wait()


def certificate(folder):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
        + ["-subj", "/CN=localhost", "-keyout", folder / "key.pem", "-out", folder / "certificate.pem"],
        check=True,
        capture_output=True,
    )


class Load:
    """One h2load run, the same for every server except for the address."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.payload = folder / "payload.json"
        self.payload.write_text(json.dumps(PAYLOAD))

    def run(self, port, tokens, authorization, count=None):
        urls = self.folder / "urls.txt"
        urls.write_text("".join(f"https://127.0.0.1:{port}/3/device/{token}\n" for token in tokens))
        headers = {
            "authorization": authorization,
            "apns-topic": "com.example.chime",
            "apns-push-type": "alert",
            "apns-priority": "10",
            "apns-expiration": "0",
        }
        arguments = ["h2load", "-n", str(count or self.options.n), "-c", str(self.options.connections)]
        arguments += ["-m", str(self.options.streams), "-d", self.payload, "-i", urls]
        for name, value in headers.items():
            arguments += ["-H", f"{name}: {value}"]
        output = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
        accepted = int(re.search(r"status codes: (\d+) 2xx", output)[1])
        if accepted != (count or self.options.n):
            sys.exit(f"error: only {accepted} requests got the response 200:\n{output}")
        return float(re.search(r"finished in [^,]+, ([\d.]+) req/s", output)[1])


def measure(name, pid, load, port, tokens, authorization):
    """Warm-up, then the best of several runs, since other load of the machine can only increase a figure."""
    load.run(port, tokens, authorization, count=len(tokens))
    used, rate = math.inf, 0
    for _ in range(load.options.rounds):
        before = cpu_seconds(pid)
        rate = max(rate, load.run(port, tokens, authorization))
        used = min(used, (cpu_seconds(pid) - before) * 100_000 / load.options.n)
    result = {
        "server": name,
        "cpu_seconds_per_100000": round(used, 2),
        "requests_per_second": round(rate),
        "resident_megabytes": round(resident_megabytes(pid)),
    }
    print(f"{name:<56}{used:>8.2f}{rate:>12.0f}{result['resident_megabytes']:>10}", flush=True)
    return result


def fleet_census(admin_url):
    with urllib.request.urlopen(f"{admin_url}/fleet") as answer:
        return json.load(answer)


def measure_simulator(options, load, folder, count, reached, journal):
    """The simulator has `count` devices, and the first `reached` of them get all pushes."""
    directory = folder / f"apns-{count}-{reached}-{journal}"
    port = free_port()
    arguments = [options.carillon, "apns-simulator", "--port", str(port), "--directory", directory]
    arguments += ["--topic", "com.example.chime", "--devices", "0", "--fleet", str(count), "--journal", str(journal)]
    with running(arguments + ["--streams-before-proof", "200"], stdout=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        attached = resident_megabytes(process.pid)
        setup = json.loads((directory / "simulator.json").read_text())
        tokens = (directory / "device_tokens.txt").read_text().split()[:reached]
        name = f"apns-simulator, {count} devices, {reached} get pushes" + (", journal" if journal else "")
        result = measure(name, process.pid, load, port, tokens, authorization(setup))
        census = fleet_census(setup["admin_url"])
        if census["reached"] != reached or census["delivered"] != reached + options.n * options.rounds:
            sys.exit(f"error: some devices did not get their pushes: {census}")
        return {**result, "devices": count, "reached": reached, "journal": journal, "resident_megabytes_attached": round(attached)}


class Reader(threading.Thread):
    """Attaches devices over one connection to the admin port and counts the pushes of each."""

    def __init__(self, admin_url, count):
        super().__init__(daemon=True)
        url = urllib.parse.urlparse(admin_url)
        self.count, self.devices = count, collections.Counter()
        connection = http.client.HTTPConnection(url.hostname, url.port)
        connection.request("POST", "/fleet/pushes", json.dumps({"prefix": "phone-", "count": count}))
        self.stream = connection.getresponse()
        while self.stream.readline() != b": attached\n":
            pass

    def run(self):
        left = self.count
        while left > 0:
            line = self.stream.readline()
            if line.startswith(b"data: "):
                self.devices[json.loads(line[6:])["device"]] += 1
                left -= 1


def measure_fleet(options, load, folder, count):
    directory = folder / "apns-fleet"
    port = free_port()
    arguments = [options.carillon, "apns-simulator", "--port", str(port), "--directory", directory, "--journal", "0"]
    arguments += ["--topic", "com.example.chime", "--devices", "0", "--streams-before-proof", "200"]
    with running(arguments, stdout=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        setup = json.loads((directory / "simulator.json").read_text())
        order = json.dumps({"prefix": "phone-", "count": count}).encode()
        with urllib.request.urlopen(f"{setup['admin_url']}/fleet/tokens", order) as answer:
            tokens = json.load(answer)["tokens"]
        start = time.monotonic()
        reader = Reader(setup["admin_url"], count)
        attached = time.monotonic() - start
        memory = resident_megabytes(process.pid)
        before = cpu_seconds(process.pid)
        reader.start()
        start = time.monotonic()
        load.run(port, tokens, authorization(setup), count=count)
        reader.join(DEADLINE_SECONDS)
        result = {
            "server": f"fleet of {count} over one admin connection",
            "cpu_seconds_per_100000": round((cpu_seconds(process.pid) - before) * 100_000 / count, 2),
            "seconds_to_attach": round(attached, 1),
            "seconds_to_deliver_to_all": round(time.monotonic() - start, 1),
            "resident_megabytes_attached": round(memory),
            "resident_megabytes": round(resident_megabytes(process.pid)),
            "devices_reached": len(reader.devices),
            "pushes": sum(reader.devices.values()),
        }
        print(json.dumps(result, indent=2))
        if result["devices_reached"] != count or result["pushes"] != count:
            sys.exit("error: some devices did not get exactly one push")
        return result


def measure_followers(options, folder, count):
    """One broadcast to all the devices that follow a channel, attached over one connection to the admin port."""
    directory = folder / "apns-followers"
    port = free_port()
    arguments = [options.carillon, "apns-simulator", "--port", str(port), "--directory", directory, "--journal", "0"]
    with running(arguments + ["--topic", "com.example.chime", "--devices", "0"], stdout=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        setup = json.loads((directory / "simulator.json").read_text())
        sender = ["--topic", "com.example.chime", "--key", setup["key"], "--team-id", setup["team_id"]]
        sender += ["--url", f"https://localhost:{port}", "--ca", setup["ca"]]
        channel = subprocess.run(
            [options.carillon, "channels", "create", *sender], check=True, capture_output=True, text=True
        ).stdout.strip()
        order = json.dumps({"prefix": "phone-", "count": count, "channels": [channel]}).encode()
        request = urllib.request.Request(f"{setup['admin_url']}/fleet/channels", order, method="PUT")
        urllib.request.urlopen(request).read()
        reader = Reader(setup["admin_url"], count)
        memory, before, start = resident_megabytes(process.pid), cpu_seconds(process.pid), time.monotonic()
        reader.start()
        push = [options.carillon, "push", "--channel", channel, "--payload", "-", *sender]
        subprocess.run(push, check=True, capture_output=True, input=json.dumps(PAYLOAD), text=True)
        reader.join(DEADLINE_SECONDS)
        result = {
            "server": f"a broadcast to {count} followers over one admin connection",
            "cpu_seconds_per_100000": round((cpu_seconds(process.pid) - before) * 100_000 / count, 2),
            "seconds_to_deliver_to_all": round(time.monotonic() - start, 1),
            "resident_megabytes_attached": round(memory),
            "devices_reached": len(reader.devices),
        }
        print(json.dumps(result, indent=2))
        if result["devices_reached"] != count:
            sys.exit("error: some followers did not get the broadcast")
        return result


def authorization(setup):
    return "bearer " + jwt.encode(
        {"iss": setup["team_id"], "iat": int(time.time())},
        pathlib.Path(setup["key"]).read_text(),
        algorithm="ES256",
        headers={"kid": setup["key_id"]},
    )


def measure_nginx(load, folder):
    port = free_port()
    text = (HERE / "nginx.conf").read_text().replace("FOLDER", str(folder)).replace("PORT", str(port))
    (folder / "nginx.conf").write_text(text)
    with running(["nginx", "-e", "stderr", "-c", folder / "nginx.conf"], port) as process:
        return measure("nginx, return 200", process.pid, load, port, tokens_of_nobody(), "bearer " + "x" * 200)


def measure_go(load, folder):
    port = free_port()
    environment = {**os.environ, "GOCACHE": str(folder / "go-cache"), "GO111MODULE": "off", "GOFLAGS": ""}
    subprocess.run(["go", "build", "-o", folder / "server", HERE / "server.go"], check=True, env=environment)
    arguments = [folder / "server", "-address", f"127.0.0.1:{port}"]
    arguments += ["-certificate", folder / "certificate.pem", "-key", folder / "key.pem"]
    with running(arguments, port) as process:
        return measure("Go net/http, 200", process.pid, load, port, tokens_of_nobody(), "bearer " + "x" * 200)


def tokens_of_nobody():
    return [f"{number:064x}" for number in range(100)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--carillon", required=True, help="the release build of carillon")
    parser.add_argument("-n", type=int, default=100_000, help="requests per run (default 100000)")
    parser.add_argument("--rounds", type=int, default=3, help="runs per server; the best counts (default 3)")
    parser.add_argument("--connections", type=int, default=1)
    parser.add_argument("--streams", type=int, default=250, help="streams per connection (default 250, Go's own limit)")
    parser.add_argument("--only", choices=["simulator", "nginx", "go", "fleet"])
    parser.add_argument("--json", type=pathlib.Path, help="the file for the figures")
    options = parser.parse_args()
    print(f"{'':<56}{'CPU s':>8}{'requests':>12}{'RSS':>10}")
    print(f"{'server':<56}{'/100,000':>8}{'/s':>12}{'MB':>10}")
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        certificate(folder)
        load = Load(options, folder)
        if options.only in (None, "simulator"):
            for count, reached, journal in [
                (100, 100, 0),
                (100_000, 100, 0),
                (100_000, 100_000, 0),
                (100, 100, 10_000),
            ]:
                results.append(measure_simulator(options, load, folder, count, reached, journal))
        if options.only in (None, "nginx"):
            results.append(measure_nginx(load, folder))
        if options.only in (None, "go"):
            results.append(measure_go(load, folder))
        if options.only in (None, "fleet"):
            results.append(measure_fleet(options, load, folder, 100_000))
            results.append(measure_followers(options, folder, 100_000))
    if options.json:
        options.json.write_text(json.dumps({"requests": options.n, "results": results}, indent=2) + "\n")


main()
