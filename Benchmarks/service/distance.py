"""What a PostgreSQL costs that is further away; bench.py calls it, docs/capacity.md explains it.

Starts a PostgreSQL of its own and, before it, a program that holds everything back for a stated round trip. Then one, two and
four processes of the service accept single messages from 16 callers each, and send them to `carillon apns-simulator`.
"""
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

from broadcast import Process, say
from postgresql import LockWatch, System

HERE = Path(__file__).resolve().parent
CALLERS = 16
# So many of the phones have a user (import_devices).
PHONES, USERS = 1000, 100


class FarAway:
    """The program between the service and the database."""

    def __init__(self, folder, socket, milliseconds):
        program = folder / "far-away"
        if not program.exists():
            compiler = shutil.which("clang") or shutil.which("cc") or sys.exit("error: no C compiler found")
            subprocess.run([compiler, "-O2", "-pthread", "-o", program, HERE / "far-away.c"], check=True)
        self.process = subprocess.Popen([program, socket, str(round(milliseconds * 1000))], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def address(self, database):
        return f"postgres://carillon@127.0.0.1:{self.port}/{database}?sslmode=disable"

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def together(works):
    """The results of functions that run at the same time."""
    results = [None] * len(works)

    def run(index, work):
        results[index] = work()

    threads = [threading.Thread(target=run, args=item) for item in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if None in results:
        sys.exit("error: a caller failed")
    return results


def accepting(system, options, Service, address, processes, folder):
    """What so many processes accept, each called by 16 callers."""
    services = []
    for number in range(processes):
        place = folder / str(number)
        place.mkdir(parents=True)
        services.append(Service(options.carillon, place, ["--database", address], system.secret))
    try:
        together([lambda service=service: service.load("accept", 2, CALLERS, USERS) for service in services])
        watch, server = LockWatch(system.server), system.server.cpu_seconds()
        loads = together(
            [lambda service=service: service.load("accept", options.seconds, CALLERS, USERS) for service in services])
        waiting, _ = watch.stop()
        server = system.server.cpu_seconds() - server
    finally:
        for service in services:
            service.stop()
    calls = sum(load["calls"] for load in loads)
    return {
        "per_second": round(calls / options.seconds), "p99_ms": max(load["p99_ms"] for load in loads),
        "cpu_seconds_per_100000": round(
            sum(load["cpu_seconds_per_100000"] * load["calls"] for load in loads) / calls, 2),
        "server_cpu_seconds_per_100000": round(server * 100_000 / calls, 2), "sessions_waiting": waiting,
    }


def sending(system, options, address, name, processes):
    """How quickly so many processes send what waits."""
    def left():
        return int(system.server.ask(
            "SELECT count(*) FROM deliveries WHERE purpose = 'show' AND state = 'queued'", name))

    count = left()
    senders = [Process(options.carillon, "serve", "--database", address, *system.apns, "--role", "sender", ready="")
               for _ in range(processes)]
    try:
        time.sleep(2)
        before, started = left(), time.monotonic()
        cpu = sum(sender.cpu_seconds() for sender in senders)
        time.sleep(min(options.seconds, 10))
        after, seconds = left(), time.monotonic() - started
        cpu = sum(sender.cpu_seconds() for sender in senders) - cpu
    finally:
        for sender in senders:
            sender.stop()
    sent = before - after
    return {"waited": count, "per_second": round(sent / seconds), "cpu_seconds_per_100000":
            round(cpu * 100_000 / max(1, sent), 2), "is_all": after == 0}


def measure(options, folder, Service):
    system = System(options.carillon, folder, PHONES)
    socket = system.server.folder / ".s.PGSQL.5432"
    report = {"callers": CALLERS, "seconds": options.seconds, "distances": []}
    try:
        for milliseconds in options.distance:
            way = FarAway(folder, socket, milliseconds)
            name, direct = system.server.database()
            address = way.address(name)
            system.prepare(["--database", direct])
            for processes in options.processes:
                say(f"{milliseconds} ms away, {processes} process(es)")
                part = folder / f"distance-{milliseconds}-{processes}"
                report["distances"].append({
                    "round_trip_ms": milliseconds, "processes": processes,
                    "accepting": accepting(system, options, Service, address, processes, part),
                    "sending": sending(system, options, address, name, processes),
                })
                print(report["distances"][-1], flush=True)
            way.stop()
    finally:
        system.stop()
    return report
