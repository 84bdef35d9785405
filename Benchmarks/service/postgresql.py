"""What PostgreSQL costs beside SQLite; bench.py calls it, docs/performance.md explains it.

Starts a PostgreSQL of its own on the disk that is measured, which keeps safe what it acknowledges, and measures in turn on both
engines: a broadcast to a fleet of `carillon apns-simulator`, and single messages accepted by `carillon serve --role api`. Then
the broadcast again with one, two and four processes that send.
"""
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

from broadcast import TOPIC, Backend, Process, disk_bytes, import_devices, run, say

HERE = Path(__file__).resolve().parent
SERVER = HERE.parent.parent / "scripts" / "postgresql-for-tests.sh"
# Limit: the service's CPU for a push of a broadcast, in that on SQLite.
FAN_OUT_LIMIT = 1.3
TICKS = os.sysconf("SC_CLK_TCK")
OPTIONS = [
    "fsync=on", "synchronous_commit=on", "synchronous_standby_names=", "autovacuum=on", "shared_buffers=256MB",
    "max_wal_size=2GB", "max_connections=100",
]


def stat(process):
    return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()


class Server:
    """A PostgreSQL that ends with this program."""

    def __init__(self, folder):
        # It runs as a user of its own, who must get there.
        folder.parent.chmod(0o755)
        self.folder = folder
        run(SERVER, folder, str(os.getpid()), "start", *(word for option in OPTIONS for word in ("-c", option)))
        self.process = int((folder / "data" / "postmaster.pid").read_text().split()[0])
        self.made = 0

    def database(self):
        """The address of a new database."""
        self.made += 1
        name = f"bench_{self.made}"
        self.ask(f"CREATE DATABASE {name}", "postgres")
        return name, f"postgres://carillon@/{name}?host={self.folder}"

    def ask(self, query, database):
        return run("psql", "-h", self.folder, "-U", "carillon", "-d", database, "-Atqc", query).strip()

    def cpu_seconds(self):
        """Of all its processes, also of those that have ended."""
        ticks = sum(map(int, stat(self.process)[11:15]))
        for process in Path("/proc").glob("[0-9]*"):
            try:
                fields = stat(process.name)
            except OSError:
                continue
            if int(fields[1]) == self.process:
                ticks += int(fields[11]) + int(fields[12])
        return ticks / TICKS

    def wal_bytes(self):
        return int(self.ask("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint", "postgres"))

    def syncs(self):
        return int(self.ask("SELECT wal_sync FROM pg_stat_wal", "postgres"))

    def bytes(self, database):
        return int(self.ask(f"SELECT pg_database_size('{database}')", "postgres"))


class LockWatch:
    """Looks ten times a second how many sessions wait for the lock of those who write, and how many work."""

    def __init__(self, server):
        query = "SELECT count(*) FILTER (WHERE wait_event = 'advisory'), count(*) FILTER (WHERE state = 'active') - 1"
        self.process = subprocess.Popen(
            ["psql", "-h", server.folder, "-U", "carillon", "-d", "postgres", "-Atq", "-F", " "],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(f"{query} FROM pg_stat_activity WHERE backend_type = 'client backend' \\watch 0.1\n")
        self.process.stdin.flush()
        self.samples = []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            numbers = line.split()
            if len(numbers) == 2:
                self.samples.append(tuple(map(int, numbers)))

    def stop(self):
        """How many sessions waited and worked on average."""
        self.process.terminate()
        self.process.wait()
        samples = self.samples or [(0, 0)]
        return [round(statistics.mean(sample[column] for sample in samples), 3) for column in (0, 1)]


class System:
    """A fleet of phones, and services on fresh databases."""

    def __init__(self, carillon, folder, devices):
        self.carillon, self.folder, self.devices = carillon, folder, devices
        apns = folder / "apns"
        say(f"a fleet of {devices} devices")
        self.simulator = Process(carillon, "apns-simulator", "--port", "0", "--directory", apns, "--topic", TOPIC,
                                 "--fleet", str(devices), "--journal", "0")
        port = json.loads((apns / "simulator.json").read_text())["port"]
        self.apns = ["--apns-url", f"https://localhost:{port}", "--apns-ca", apns / "ca.pem", "--key",
                     next(apns.glob("AuthKey_*.p8")), "--key-id", "SIMKEY0001", "--team-id", "SIMTEAM001", "--topic", TOPIC]
        self.tokens = (apns / "device_tokens.txt").read_text().split()
        self.server = Server(folder / "pg")
        self.secret = folder / "secret"
        self.secret.write_text("5e" * 32)

    def place(self, engine):
        """A fresh database: its options, and its name or file."""
        if engine == "sqlite":
            data = self.folder / f"sqlite-{len(list(self.folder.glob('sqlite-*')))}"
            return ["--data", data], data / "carillon.sqlite"
        name, address = self.server.database()
        return ["--database", address], name

    def size(self, engine, name):
        return disk_bytes(name) if engine == "sqlite" else self.server.bytes(name)

    def prepare(self, place):
        run(self.carillon, "apps", "add", *place, "--topic", TOPIC)
        key = run(self.carillon, "api-keys", "create", *place, "--name", "bench", "--topic", TOPIC, "--scope", "admin")
        say("importing devices")
        import_devices(self.carillon, place, self.folder, self.tokens)
        return key.strip()

    def services(self, place, senders):
        """One process that does both, or one that takes requests beside some that send."""
        common = [self.carillon, "serve", *place, *self.apns]
        if senders == 0:
            return [Process(*common, "--port", "0")]
        return [Process(*common, "--role", "api", "--port", "0")] + [
            Process(*common, "--role", "sender", ready="") for _ in range(senders)]

    def fan_out(self, engine, senders=0):
        """A broadcast to all; with `senders` 0, by one process that does everything."""
        place, name = self.place(engine)
        key = self.prepare(place)
        before, wal = self.size(engine, name), self.server.wal_bytes()
        services = self.services(place, senders)
        watch = LockWatch(self.server)
        try:
            backend = Backend(int(services[0].line.rsplit(":", 1)[1].strip().rstrip("/")), key)
            backend.send({"user": "u-1"}, "warm")
            backend.wait("warm")
            say(f"to everyone, {engine}, {senders or 'both roles in one'} process(es)")
            cpu, server = [service.cpu_seconds() for service in services], self.server.cpu_seconds()
            backend.send({"everyone": True}, "all")
            told = backend.wait("all")
            used = [service.cpu_seconds() - was for service, was in zip(services, cpu)]
            server = self.server.cpu_seconds() - server
        finally:
            waiting, working = watch.stop()
            for service in services:
                service.stop()
        if told["counts"]["accepted"] != self.devices:
            sys.exit(f"error: {told['counts']} of {self.devices} devices")
        scale = 100_000 / self.devices
        return {
            "engine": engine, "senders": senders, "cpu_seconds_per_100000": round(sum(used) * scale, 3),
            "of_processes": [round(seconds * scale, 3) for seconds in used],
            "server_cpu_seconds_per_100000": round(server * scale, 3) if engine != "sqlite" else None,
            "second_sends": told["counts"].get("second_sends", 0), "sessions_waiting": waiting, "sessions_working": working,
            "wal_bytes_per_device": round((self.server.wal_bytes() - wal) / self.devices, 1),
            "bytes_per_device": round((self.size(engine, name) - before) / self.devices, 2),
        }

    def stop(self):
        self.simulator.stop()


def accepted(system, engine, options, Service):
    """Single messages, acknowledged when they are on the disk; then one process sends them."""
    place, name = system.place(engine)
    system.prepare(place)
    folder = system.folder / f"accept-{engine}"
    folder.mkdir()
    service = Service(options.carillon, folder, place, system.secret if engine != "sqlite" else None)
    server = engine != "sqlite"
    try:
        service.load("accept", 2, options.connections, 100)
        before = system.size(engine, name), system.server.wal_bytes(), system.server.cpu_seconds(), system.server.syncs()
        say(f"accepting, {engine}")
        load = service.load("accept", options.seconds, options.connections, 100)
        after = system.size(engine, name), system.server.wal_bytes(), system.server.cpu_seconds(), system.server.syncs()
    finally:
        service.stop()
    size, wal, cpu, syncs = (now - was for now, was in zip(after, before))
    calls = load["calls"]
    return {
        "engine": engine, "per_second": load["per_second"], "p99_ms": load["p99_ms"],
        "cpu_seconds_per_100000": load["cpu_seconds_per_100000"],
        "server_cpu_seconds_per_100000": round(cpu * 100_000 / calls, 3) if server else None,
        "per_sync": round(calls / (syncs if server else load["syncs"]), 1),
        "wal_bytes_per_message": round(wal / calls) if server else None, "bytes_per_message": round(size / calls),
        "sending": drained(system, engine, place, name),
    }


def drained(system, engine, place, name):
    """What it costs to send what waits, single messages all."""
    def waiting():
        query = "SELECT count(*) FROM deliveries WHERE purpose = 'show' AND state <> 'accepted'"
        if engine != "sqlite":
            return int(system.server.ask(query, name))
        with sqlite3.connect(name, timeout=60) as connection:
            return connection.execute(query).fetchone()[0]

    count, wal, server = waiting(), system.server.wal_bytes(), system.server.cpu_seconds()
    say(f"sending {count} single messages, {engine}")
    started = time.monotonic()
    sender = Process(system.carillon, "serve", *place, *system.apns, "--role", "sender", ready="")
    try:
        while waiting():
            time.sleep(1)
        seconds, used = time.monotonic() - started, sender.cpu_seconds()
    finally:
        sender.stop()
    return {
        "per_second": round(count / seconds), "cpu_seconds_per_100000": round(used * 100_000 / count, 3),
        "server_cpu_seconds_per_100000":
            round((system.server.cpu_seconds() - server) * 100_000 / count, 3) if engine != "sqlite" else None,
        "wal_bytes_per_push": round((system.server.wal_bytes() - wal) / count) if engine != "sqlite" else None,
    }


def measure(options, folder, Service):
    system = System(options.carillon, folder, options.postgresql)
    try:
        report = {"devices": options.postgresql, "fan_out": [], "accepting": []}
        for _ in range(options.runs):
            for engine in ("sqlite", "postgresql"):
                report["fan_out"].append(system.fan_out(engine))
        for senders in (1, 2, 4):
            report["fan_out"].append(system.fan_out("postgresql", senders))
        for engine in ("sqlite", "postgresql"):
            report["accepting"].append(accepted(system, engine, options, Service))
    finally:
        system.stop()
    costs = {engine: statistics.median(
        part["cpu_seconds_per_100000"] for part in report["fan_out"] if part["engine"] == engine and part["senders"] == 0)
        for engine in ("sqlite", "postgresql")}
    report["fan_out_ratio"] = round(costs["postgresql"] / costs["sqlite"], 2)
    return report


def exceeded(report):
    """A sentence for each exceeded limit."""
    if report["fan_out_ratio"] > FAN_OUT_LIMIT:
        yield (f"a push of a broadcast costs {report['fan_out_ratio']} times the service's CPU on SQLite, "
               f"more than {FAN_OUT_LIMIT}")
