#!/usr/bin/env python3
"""What accepting messages costs; docs/performance.md explains the figures.

Starts `carillon serve --role api` in a folder of its own, with some users who have a phone each, and calls it with wrk
(https://github.com/wg/wrk) over 256 connections that are kept: in turn GET /healthz and POST /v1/notifications. Ends with
status 1 when a limit is exceeded.
"""
import argparse
import base64
import hashlib
import hmac
import http.client
import json
import os
import platform
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import broadcast
import distance
import feed
import figures
import neighbours
import postgresql

TOPIC = "com.example.chime"
HERE = Path(__file__).resolve().parent
# Limits: the CPU time of an accepted message, in calls to /healthz; messages per fsync.
RATIO_LIMIT, PER_SYNC_LIMIT = 3.0, 50


def say(text):
    print(text, file=sys.stderr, flush=True)


def part(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def sign_in_token(user, secret):
    now = int(time.time())
    claims = {"sub": user, "aud": TOPIC, "iat": now, "exp": now + 600}
    signed = ".".join(part(json.dumps(value).encode()) for value in ({"alg": "HS256", "typ": "JWT"}, claims))
    return f"{signed}.{part(hmac.digest(secret, signed.encode(), hashlib.sha256))}"


class Service:
    """`carillon serve --role api`, whose calls of fsync are counted."""

    def __init__(self, carillon, folder, place=None, secret=None):
        """`place`: the options that name its database; the default is one in the folder. `secret`: the file with the secret of
        sign-in tokens, of a PostgreSQL."""
        self.folder = folder
        self.syncs_file = folder / "syncs"
        library = folder / "count-syncs.so"
        compiler = shutil.which("clang") or shutil.which("cc") or sys.exit("error: no C compiler found")
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, HERE / "count-syncs.c", "-ldl"], check=True)
        place = place or ["--data", folder / "data"]
        self.process = subprocess.Popen(
            [carillon, "serve", *place, *(["--sign-in-secret", secret] if secret else []), "--topic", TOPIC, "--role", "api", "--port", "0",
             "--registrations-per-address", "0", "--registrations-per-app", "0",
                      "--calls-per-installation", "0", "--calls-per-key", "0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, "LD_PRELOAD": str(library), "COUNT_SYNCS_FILE": str(self.syncs_file)})
        for line in self.process.stdout:
            if "http://" in line:
                self.port = int(line.rsplit(":", 1)[1].strip().rstrip("/"))
                break
        else:
            sys.exit("error: the service did not start")
        run = subprocess.run(
            [carillon, "api-keys", "create", *place, "--name", "bench", "--topic", TOPIC],
            capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"error: {run.stderr}")
        self.key = run.stdout.strip()
        self.secret = secret or folder / "data" / "sign-in.secret"

    def register(self, users):
        secret = bytes.fromhex(self.secret.read_text().strip())
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        for number in range(users):
            body = {
                "installation": f"phone-{number}", "secret": "5e" * 32, "topic": TOPIC, "environment": "sandbox",
                "permission": "authorized", "token": f"{number:064x}",
                "sign_in_token": sign_in_token(f"u-{number}", secret),
            }
            connection.request("POST", "/v1/devices", json.dumps(body))
            answer = connection.getresponse()
            text = answer.read()
            if answer.status not in (200, 201):
                sys.exit(f"error: registering answered {answer.status}: {text.decode()}")

    def cpu_seconds(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def syncs(self):
        return struct.unpack("q", self.syncs_file.read_bytes()[:8])[0]

    def peak_mib(self):
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return round(int(line.split()[1]) / 1024, 1)

    def load(self, kind, seconds, connections, users):
        """One run of wrk: what it and the service's process have measured."""
        path = "/healthz" if kind == "healthz" else "/v1/notifications"
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s", str(HERE / "report.lua")]
        if kind == "accept":
            script = self.folder / "accept.lua"
            script.write_text((HERE / "accept.lua").read_text() + (HERE / "report.lua").read_text())
            command[-1] = str(script)
        cpu, syncs = self.cpu_seconds(), self.syncs()
        run = subprocess.run(
            [*command, f"http://127.0.0.1:{self.port}{path}"], capture_output=True, text=True,
            env={**os.environ, "KEY": self.key, "USERS": str(users)})
        if run.returncode != 0:
            sys.exit(f"error: wrk ended with {run.returncode}\n{run.stdout}{run.stderr}")
        measured = json.loads(run.stdout.splitlines()[-1])
        if measured["failed"]:
            sys.exit(f"error: {measured['failed']} of {measured['calls']} calls of {path} failed")
        syncs = self.syncs() - syncs
        return {
            **measured, "kind": kind, "per_second": round(measured["calls"] / measured["seconds"]), "syncs": syncs,
            "cpu_seconds_per_100000": round((self.cpu_seconds() - cpu) * 100_000 / measured["calls"], 3),
            "per_sync": round(measured["calls"] / syncs, 1) if syncs else None,
        }

    def stop(self):
        self.process.terminate()
        self.process.wait()


def bare_syncs(folder, seconds=3):
    """How often a second one program alone can append a page to a file and sync it, and how long 99 of 100 take."""
    times = []
    with open(folder / "bare", "ab", buffering=0) as file:
        end = time.monotonic() + seconds
        while (start := time.monotonic()) < end:
            file.write(b"\0" * 4096)
            os.fdatasync(file.fileno())
            times.append(time.monotonic() - start)
    return {"per_second": round(len(times) / seconds), "p99_ms": round(statistics.quantiles(times, n=100)[98] * 1000, 2)}


def measure(options, folder):
    report = {
        "machine": {"cores": os.cpu_count(), "system": platform.platform(), "load_average": os.getloadavg()[0]},
        "connections": options.connections, "users": options.users, "bare_syncs": bare_syncs(folder), "runs": [],
    }
    service = Service(options.carillon, folder)
    try:
        say(f"registering {options.users} phones")
        service.register(options.users)
        say("warming up")
        for kind in ("healthz", "accept"):
            service.load(kind, 2, options.connections, options.users)
        for number in range(options.runs):
            for kind in ("healthz", "accept"):
                say(f"{kind}, run {number + 1} of {options.runs}")
                report["runs"].append(service.load(kind, options.seconds, options.connections, options.users))
        say("one call at a time")
        report["alone"] = service.load("accept", 2, 1, options.users)
        report["peak_mib"] = service.peak_mib()
    finally:
        service.stop()
    costs = {kind: statistics.median(run["cpu_seconds_per_100000"] for run in report["runs"] if run["kind"] == kind)
             for kind in ("healthz", "accept")}
    report["ratio"] = round(costs["accept"] / costs["healthz"], 2)
    return report


def show(report):
    print(f"{'calls':>16}  CPU s/100,000  per second  p50 ms  p99 ms   max ms  per fsync")
    for run in [*report["runs"], {**report["alone"], "kind": "accept, alone"}]:
        print(f"{run['kind']:>16}  {run['cpu_seconds_per_100000']:13.2f}  {run['per_second']:10}  {run['p50_ms']:6.1f}"
              f"  {run['p99_ms']:6.1f}  {run['max_ms']:7.1f}  {run['per_sync'] or '-':>9}")
    bare = report["bare_syncs"]
    print(f"\na message costs {report['ratio']} times a call to /healthz; at most {report['peak_mib']} MiB resident")
    print(f"the disk alone: {bare['per_second']} fsyncs a second, p99 {bare['p99_ms']} ms\n")


def exceeded(report):
    """A sentence for each exceeded limit."""
    if report["ratio"] > RATIO_LIMIT:
        yield f"a message costs {report['ratio']} times a call to /healthz, more than {RATIO_LIMIT}"
    per_sync = statistics.median(run["per_sync"] for run in report["runs"] if run["kind"] == "accept")
    if per_sync < PER_SYNC_LIMIT:
        yield f"{per_sync} messages per fsync, fewer than {PER_SYNC_LIMIT}"
    if report["alone"]["per_sync"] > 1:
        yield f"one call at a time: {report['alone']['per_sync']} messages per fsync; each needs one before its answer"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--carillon", required=True, help="the release build of carillon")
    parser.add_argument("--json", type=Path, help="the file for the figures")
    parser.add_argument("--folder", type=Path, help="where to put the database, on the disk to measure")
    parser.add_argument("--runs", type=int, default=3, help="runs of each kind; the median counts (default: 3)")
    parser.add_argument("--seconds", type=int, default=10, help="the length of a run (default: 10)")
    parser.add_argument("--connections", type=int, default=256, help="calls in flight (default: 256)")
    parser.add_argument("--users", type=int, default=1000, help="users with a phone each (default: 1000)")
    parser.add_argument("--broadcast", type=int, default=0, metavar="DEVICES",
                        help="measure broadcasts to so many devices in their place (more than 1,000)")
    parser.add_argument("--postgresql", type=int, default=0, metavar="DEVICES",
                        help="measure PostgreSQL beside SQLite in their place, with broadcasts to so many devices")
    parser.add_argument("--neighbours", action="store_true",
                        help="measure what a bad neighbour costs another app in their place")
    parser.add_argument("--distance", type=float, nargs="+", metavar="MILLISECONDS",
                        help="measure PostgreSQL behind such round trips in their place")
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4],
                        help="with --distance, how many processes serve (default: 1 2 4)")
    parser.add_argument("--feed", action="store_true", help="measure readers of the feed and webhooks in their place")
    parser.add_argument("--figures", action="store_true", help="measure questions for a month of figures in their place")
    parser.add_argument("--engines", default="sqlite,postgresql",
                        help="the engines of --feed and --figures (default: sqlite,postgresql)")
    options = parser.parse_args()
    if options.distance is not None:
        return finish(options, *measured_distances(options))
    if options.feed:
        return finish(options, *measured(options, feed))
    if options.figures:
        return finish(options, *measured_figures(options))
    if options.neighbours:
        return finish(options, *measured(options, neighbours))
    if options.broadcast:
        return finish(options, *measured_broadcasts(options))
    if options.postgresql:
        return finish(options, *measured_postgresql(options))
    with tempfile.TemporaryDirectory(prefix="carillon-bench-", dir=options.folder) as name:
        report = measure(options, Path(name))
    show(report)
    finish(options, report, exceeded(report))


def measured_broadcasts(options):
    with tempfile.TemporaryDirectory(prefix="carillon-bench-", dir=options.folder) as name:
        report = broadcast.measure(options.carillon, Path(name), options.broadcast)
    print(json.dumps(report, indent=2))
    return report, broadcast.exceeded(report)


def measured_postgresql(options):
    with tempfile.TemporaryDirectory(prefix="carillon-bench-", dir=options.folder and options.folder.resolve()) as name:
        report = postgresql.measure(options, Path(name), Service)
    print(json.dumps(report, indent=2))
    return report, postgresql.exceeded(report)


def measured_distances(options):
    with tempfile.TemporaryDirectory(prefix="carillon-bench-", dir=options.folder and options.folder.resolve()) as name:
        report = distance.measure(options, Path(name), Service)
    print(json.dumps(report, indent=2))
    return report, []


def measured_figures(options):
    with tempfile.TemporaryDirectory(prefix="carillon-bench-", dir=options.folder and options.folder.resolve()) as name:
        report = figures.measure(options, Path(name), Service)
    print(json.dumps(report, indent=2))
    return report, list(figures.exceeded(report))


def measured(options, part):
    with tempfile.TemporaryDirectory(prefix="carillon-bench-", dir=options.folder and options.folder.resolve()) as name:
        report = part.measure(options, Path(name))
    print(json.dumps(report, indent=2))
    return report, part.exceeded(report)


def finish(options, report, sentences):
    sentences = list(sentences)
    report["exceeded"] = sentences
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(report, indent=2) + "\n")
        print(f"written to {options.json}")
    for sentence in report["exceeded"]:
        print(f"limit exceeded: {sentence}", file=sys.stderr)
    sys.exit(1 if report["exceeded"] else 0)


if __name__ == "__main__":
    main()
