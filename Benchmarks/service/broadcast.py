"""What a broadcast to very many devices costs, beside the bare APNs client; bench.py calls it, docs/performance.md explains it.

Imports devices whose tokens `carillon apns-simulator --fleet` has issued, starts `carillon serve` with both roles, and sends to
everyone: once as fast as it goes, once at half that rate with single messages beside it; then it takes the first one back.
"""
import http.client
import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import receipts

TOPIC = "com.example.chime"
# Limits: the CPU of the service for a push, in that of the bare client; memory in MiB; bytes on disk for a device and
# broadcast; single messages beside a broadcast against an idle service; many broadcasts against one to as many devices,
# where the devices of each lie side by side and where each lies apart from the next.
CPU_LIMIT, MEMORY_LIMIT, BYTES_LIMIT, BESIDE_LIMIT, MANY_LIMIT, SCATTERED_LIMIT = 2.0, 200, 4, 3, 1.2, 2.0
ACCEPT_MS_LIMIT = 50
# So many that eight are slower than the p99: one slow sync of the disk is not the figure.
SINGLES, PARTS = 800, 100


def say(text):
    print(text, file=sys.stderr, flush=True)


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"error: {' '.join(map(str, command[:3]))}: {result.stderr or result.stdout}")
    return result.stdout


class Process:
    """A program that is ready when it has printed so many `lines` with `ready`: an address."""

    def __init__(self, *command, ready="://", lines=1):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.lines = []
        for line in self.process.stdout:
            if ready in line:
                self.lines.append(line)
            if len(self.lines) == lines:
                break
        else:
            sys.exit(f"error: {command[1]} did not start")
        self.line = self.lines[0]
        # It must not wait for somebody to read what else it says.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def port(self, line=0):
        """The port of the address in a line."""
        return int(self.lines[line].rsplit(":", 1)[1].strip().rstrip("/"))

    def cpu_seconds(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mib(self):
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Backend:
    """Calls of the service's API."""

    def __init__(self, port, key):
        self.port = port
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.key = key

    def call(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        self.connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        if answer.status >= 300:
            sys.exit(f"error: {method} {path} answered {answer.status}: {text}")
        return json.loads(text) if text else None

    def send(self, to, name):
        started = time.monotonic()
        self.call("POST", "/v1/notifications", {"to": to, "id": name, "payload": {"aps": {"alert": f"Hello from {name}"}}})
        return (time.monotonic() - started) * 1000

    def report(self, name):
        return self.call("GET", f"/v1/notifications/{name}")

    def wait(self, name, pause=0.2, watch=lambda: None):
        """Waits until all of a message has gone out."""
        while (report := self.report(name))["state"] != "sent":
            watch()
            time.sleep(pause)
        return report


def disk_bytes(database):
    """The size after a checkpoint."""
    with sqlite3.connect(database, timeout=60) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        pages = connection.execute("PRAGMA page_count").fetchone()[0] - connection.execute("PRAGMA freelist_count").fetchone()[0]
        return pages * connection.execute("PRAGMA page_size").fetchone()[0]


def p99(times):
    return sorted(times)[int(len(times) * 0.99) - 1]


def singles(backend, label):
    """How long single messages take until APNs has accepted them, ms."""
    times = []
    for number in range(SINGLES):
        started = time.monotonic()
        backend.send({"user": f"u-{number % 100}"}, f"{label}-{number}")
        backend.wait(f"{label}-{number}", pause=0.002)
        times.append((time.monotonic() - started) * 1000)
    return round(p99(times), 1)


def import_devices(carillon, place, folder, tokens):
    """Into the database that the options `place` name; `folder` is for the file."""
    records = folder / "devices.csv"
    with records.open("w") as file:
        file.write("token,topic,environment,user,tags\n")
        for number, token in enumerate(tokens):
            user = f"u-{number}" if number < 100 else ""
            file.write(f"{token},{TOPIC},sandbox,{user},part-{number % PARTS};block-{number * PARTS // len(tokens)}\n")
    run(carillon, "devices", "import", *place, records)


def measure(carillon, folder, devices):
    apns, data = folder / "apns", folder / "broadcast"
    say(f"a fleet of {devices} devices")
    simulator = Process(carillon, "apns-simulator", "--port", "0", "--directory", apns, "--topic", TOPIC,
                        "--fleet", str(devices), "--journal", "0")
    url = json.loads((apns / "simulator.json").read_text())
    url = f"https://localhost:{url['port']}"
    credential = ["--key", next(apns.glob("AuthKey_*.p8")), "--key-id", "SIMKEY0001", "--team-id", "SIMTEAM001"]
    run(carillon, "apps", "add", "--data", data, "--topic", TOPIC)
    say("importing them")
    import_devices(carillon, ["--data", data], folder, (apns / "device_tokens.txt").read_text().split())
    key = run(carillon, "api-keys", "create", "--data", data, "--name", "bench", "--topic", TOPIC, "--scope", "admin").strip()
    count = min(devices, 100_000)

    def bare():
        say("the bare client")
        report = run(carillon, "bench", "client", "--url", url, "--ca", apns / "ca.pem", *credential, "--topic", TOPIC,
                     "--tokens", apns / "device_tokens.txt", "-n", str(count), "--warm-up", "1000", "--json")
        return json.loads(report)["cpu_seconds_per_100000"]

    service = Process(carillon, "serve", "--data", data, "--port", "0", "--apns-url", url, "--apns-ca", apns / "ca.pem",
                      *credential, "--topic", TOPIC, "--registrations-per-address", "0", "--registrations-per-app", "0",
                      "--calls-per-installation", "0", "--calls-per-key", "0")
    try:
        backend = Backend(int(service.line.rsplit(":", 1)[1].strip().rstrip("/")), key)
        receipts.register(backend.port, TOPIC, (apns / "device_tokens.txt").read_text().split())
        return figures(backend, service, data, devices, bare)
    finally:
        service.stop()
        simulator.stop()


def figures(backend, service, data, devices, bare):
    report = {"devices": devices, "idle_p99_ms": singles(backend, "idle")}
    # Those have rows, which are not what is measured.
    before = disk_bytes(data / "carillon.sqlite")
    # How fast the machine is changes from one minute to the next: before and after.
    alone = [bare(), bare()]
    say("to everyone")
    memory, cpu, started = [], service.cpu_seconds(), time.monotonic()
    report["accept_ms"] = round(backend.send({"everyone": True}, "all"), 1)
    # Each look reads all chunks, which is not what is measured.
    told = backend.wait("all", pause=1, watch=lambda: memory.append(service.memory_mib()))
    seconds, used = time.monotonic() - started, service.cpu_seconds() - cpu
    if told["counts"]["accepted"] != devices:
        sys.exit(f"error: {told['counts']} of {devices} devices")
    alone += [bare(), bare()]
    report["bare_cpu_seconds_per_100000"] = round(sum(alone) / len(alone), 3)
    report["per_second"] = round(devices / seconds)
    report["cpu_seconds_per_100000"] = round(used * 100_000 / devices, 3)
    report["ratio"] = round(report["cpu_seconds_per_100000"] / report["bare_cpu_seconds_per_100000"], 2)
    report["peak_mib"], report["growth_mib"] = round(max(memory), 1), round(memory[-1] - memory[len(memory) // 4], 1)
    report["bytes_per_device"] = round((disk_bytes(data / "carillon.sqlite") - before) / devices, 2)
    say("receipts of it")
    report["receipts"] = receipts.measure(
        backend, service, backend.port, lambda name: backend.report(name)["counts"]["accepted"])
    # One to all once more between the two: how fast the machine is changes, and the phones' answers are in the database now.
    parts = {}
    for kind, name in [("block", "neighbours"), (None, "all"), ("part", "scattered")]:
        say("to everyone again" if kind is None else f"to everyone in parts, of {name}")
        cpu, before = service.cpu_seconds(), disk_bytes(data / "carillon.sqlite")
        messages = {"again": {"everyone": True}}
        if kind:
            messages = {f"{kind}-{part}": {"where": f"tag:{kind}-{part}"} for part in range(PARTS)}
        for message, to in messages.items():
            backend.send(to, message)
        for message in messages:
            backend.wait(message, pause=1)
        parts[name] = service.cpu_seconds() - cpu
        report[f"{name}_bytes_per_device"] = round((disk_bytes(data / "carillon.sqlite") - before) / devices, 2)
    for name in ["neighbours", "scattered"]:
        report[f"{name}_ratio"] = round(parts[name] / parts["all"], 2)
    say("at half the rate, with single messages")
    backend.call("PATCH", "/v1/app", {"sends_per_second": max(10, report["per_second"] // 2)})
    backend.send({"everyone": True}, "beside")
    # At first a second's worth goes out at once.
    time.sleep(2)
    report["beside_p99_ms"] = singles(backend, "beside-single")
    backend.call("POST", "/v1/notifications/beside/cancel")
    backend.call("PATCH", "/v1/app", {"sends_per_second": 0})
    say("recalling it")
    cpu, started = service.cpu_seconds(), time.monotonic()
    backend.call("DELETE", "/v1/notifications/all")
    report["recall_ms"] = round((time.monotonic() - started) * 1000)
    with sqlite3.connect(data / "carillon.sqlite", timeout=60) as connection:
        query = "SELECT (SELECT count(*) FROM chunks WHERE removing = 1) + (SELECT count(*) FROM deliveries WHERE state = 'queued')"
        while connection.execute(query).fetchone()[0]:
            time.sleep(0.2)
    report["recall_seconds"] = round(time.monotonic() - started, 1)
    report["recall_cpu_seconds_per_100000"] = round((service.cpu_seconds() - cpu) * 100_000 / devices, 3)
    return report


def exceeded(report):
    """A sentence for each exceeded limit."""
    for name, value, limit, what in [
        ("ratio", report["ratio"], CPU_LIMIT, "a push of a broadcast costs so many times one of the bare client"),
        ("accept_ms", report["accept_ms"], ACCEPT_MS_LIMIT, "accepting a broadcast takes so many ms"),
        ("peak_mib", report["peak_mib"], MEMORY_LIMIT, "so many MiB are resident while a broadcast goes out"),
        ("bytes_per_device", report["bytes_per_device"], BYTES_LIMIT, "so many bytes are kept of each device"),
        ("beside_p99_ms", report["beside_p99_ms"] / report["idle_p99_ms"], BESIDE_LIMIT,
         "single messages beside a broadcast take so many times those of an idle service"),
        ("neighbours_bytes_per_device", report["neighbours_bytes_per_device"], BYTES_LIMIT,
         "so many bytes are kept of each device, in many broadcasts to neighbours"),
        ("scattered_bytes_per_device", report["scattered_bytes_per_device"], BYTES_LIMIT,
         "so many bytes are kept of each device, in many broadcasts to devices apart"),
        ("neighbours_ratio", report["neighbours_ratio"], MANY_LIMIT,
         "many broadcasts to neighbours cost so many times one to as many devices"),
        ("scattered_ratio", report["scattered_ratio"], SCATTERED_LIMIT,
         "many broadcasts to devices that lie apart cost so many times one to as many devices"),
    ]:
        if value > limit:
            yield f"{what}: {round(value, 2)}, more than {limit} ({name})"
