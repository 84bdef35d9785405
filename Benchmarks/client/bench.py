#!/usr/bin/env python3
"""Compares the APNs client with h2load, against one simulator; docs/performance.md explains the figures.

Everything runs on this machine: the simulator as a process on a free port, the client and h2load as processes that run in
turn. Each figure is the median of several runs. Ends with status 1 when a limit is exceeded.
"""
import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from plain import PlainServer

TOPIC = "com.example.chime"
HERE = Path(__file__).resolve().parent
# Limits of the client: CPU seconds per 100,000, and the ratio to h2load's.
CPU_LIMIT, RATIO_LIMIT = 2.0, 1.6
# Of a batch against the plainest server. The ratio differs by a fifth between machines of the same kind.
PLAIN_RATIO_LIMIT = 1.5
# 40 MB, for a program that has nothing but the client in it; 60 MB for the whole of `carillon`.
MEMORY_LIMIT_MIB, WHOLE_MEMORY_LIMIT_MIB = 38.1, 57.2
# A longer list of device tokens would itself take much of the memory.
TOKENS_OF_A_MILLION = 1_000
# The limit of the CPU time per notification: a run of a million compared with runs of ten thousand.
LENGTH_LIMIT = 1.10


def say(text):
    print(text, file=sys.stderr, flush=True)


class Simulator:
    """`carillon apns-simulator` with one device for each token."""

    def __init__(self, carillon, folder, devices):
        self.folder = folder
        self.process = subprocess.Popen(
            [carillon, "apns-simulator", "--port", "0", "--directory", str(folder), "--topic", TOPIC,
             "--devices", str(devices)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if line.startswith("APNs simulator is ready"):
                break
        else:
            sys.exit("error: the simulator did not start")
        summary = json.loads((folder / "simulator.json").read_text())
        self.port, self.key, self.team = summary["port"], summary["key"], summary["team_id"]
        self.ca = summary["ca"]
        self.tokens = folder / "tokens.txt"
        self.tokens.write_text("\n".join(summary["device_tokens"]) + "\n")
        self.urls = folder / "urls.txt"
        self.urls.write_text("".join(
            f"https://127.0.0.1:{self.port}/3/device/{token}\n" for token in summary["device_tokens"]))

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Bench:
    def __init__(self, carillon, simulator, count):
        self.carillon, self.simulator, self.count = carillon, simulator, count
        self.payload = simulator.folder / "payload.json"

    def client(self, api, connections, streams, count=None, environment=None, **options):
        """One run of `carillon bench client`; returns the JSON object that it prints."""
        command = [
            self.carillon, "bench", "client", "--url", f"https://localhost:{self.simulator.port}",
            "--ca", self.simulator.ca, "--key", self.simulator.key, "--team-id", self.simulator.team,
            "--topic", TOPIC, "--tokens", str(self.simulator.tokens), "-n", str(count or self.count),
            "--connections", str(connections), "--streams", str(streams), "--api", api, "--json",
        ]
        for name, value in options.items():
            command += [f"--{name.replace('_', '-')}", str(value)]
        run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})})
        if run.returncode != 0:
            sys.exit(f"error: {' '.join(command)} ended with {run.returncode}\n{run.stdout}{run.stderr}")
        return json.loads(run.stdout)

    def h2load(self, connections, streams):
        """One run of h2load with the same headers and payload: CPU seconds per 100,000 and rate; None when it fails."""
        token = subprocess.run(
            [self.carillon, "keys", "token", "--key", self.simulator.key, "--team-id", self.simulator.team],
            capture_output=True, text=True, check=True).stdout.strip()
        headers = {
            "authorization": f"bearer {token}", "apns-topic": TOPIC, "apns-push-type": "alert", "apns-priority": "10",
            "apns-expiration": "0", "apns-collapse-id": "bench", "apns-id": "00000000-0000-4000-8000-000000000000",
        }
        command = ["h2load", "-n", str(self.count), "-c", str(connections), "-m", str(streams), "-t", "1",
                   "-d", str(self.payload), "-i", str(self.simulator.urls)]
        for name, value in headers.items():
            command += ["-H", f"{name}: {value}"]
        with tempfile.TemporaryFile("w+") as output:
            start = time.monotonic()
            process = subprocess.Popen(command, stdout=output, stderr=output)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            elapsed = time.monotonic() - start
            output.seek(0)
            if status != 0 or f"{self.count} succeeded" not in output.read():
                return None
        return {
            "cpu_seconds_per_100000": (usage.ru_utime + usage.ru_stime) * 100_000 / self.count,
            "per_second": self.count / elapsed, "peak_memory_bytes": usage.ru_maxrss * 1024,
        }


def median(runs, name):
    return statistics.median(run[name] for run in runs)


def compare(bench, runs, connections, streams):
    """Runs client and h2load in turn, so that other load of the machine affects both."""
    results = {"send": [], "batch": [], "h2load": []}
    for _ in range(runs):
        for api in ("send", "batch"):
            results[api].append(bench.client(api, connections, streams))
        other = bench.h2load(connections, streams) or bench.h2load(connections, streams)
        if other:
            results["h2load"].append(other)
    if not results["h2load"]:
        sys.exit("error: h2load did not complete; is nghttp2-client installed?")
    baseline = median(results["h2load"], "cpu_seconds_per_100000")
    rows = []
    for name, measured in results.items():
        cpu = median(measured, "cpu_seconds_per_100000")
        rows.append({
            "program": name, "connections": connections, "streams": streams, "runs": len(measured),
            "cpu_seconds_per_100000": round(cpu, 3), "all_runs": [round(run["cpu_seconds_per_100000"], 3) for run in measured],
            "ratio_to_h2load": round(cpu / baseline, 2), "per_second": round(median(measured, "per_second")),
            "peak_memory_mib": round(median(measured, "peak_memory_bytes") / 2**20, 1),
        })
    return rows


def plain(carillon, folder, payload, runs, count):
    """The same against a server that does hardly anything."""
    server = PlainServer(folder)
    try:
        bench = Bench(carillon, server, count)
        bench.payload = payload
        return [row for streams in (100, 1000) for row in compare(bench, runs, 1, streams)]
    finally:
        server.stop()


def memory(bench, sender, many):
    """The peak of a program that is only the client, while it sends many."""
    simulator = bench.simulator
    # Its own word: what the kernel says of a child begins with the size of this program.
    run = subprocess.run(
        [sender, f"https://localhost:{simulator.port}", simulator.ca, simulator.key, simulator.team, TOPIC,
         str(simulator.tokens), str(many)], capture_output=True, text=True)
    accepted, peak = map(int, (run.stdout or "0 0").split())
    if run.returncode != 0 or accepted != many:
        sys.exit(f"error: {sender}: {accepted} of {many} were accepted, status {run.returncode}\n{run.stderr}")
    return round(peak / 1024, 1)


def latencies(bench, reached):
    rows = []
    for share in (0.1, 0.5, 0.9):
        rate = max(1, int(reached * share))
        run = bench.client("send", 1, 1000, count=min(rate * 8, 200_000), rate=rate)
        rows.append({"share": share, "rate": rate, "per_second": round(run["per_second"]), **run["latency_ms"]})
    return rows


def length(bench, sender, many, few):
    """Compares the CPU time per notification of a long run with short runs, and measures the memory."""
    lines = bench.simulator.tokens.read_text().splitlines()[:TOKENS_OF_A_MILLION]
    bench.simulator.tokens.write_text("\n".join(lines) + "\n")
    short = [bench.client("batch", 1, 1000, count=few) for _ in range(9)]
    long = bench.client("batch", 1, 1000, count=many)
    ratio = long["cpu_seconds_per_100000"] / median(short, "cpu_seconds_per_100000")
    return {
        "notifications": many, "compared_with": few, "cpu_ratio": round(ratio, 3),
        "rate_ratio": round(median(short, "per_second") / long["per_second"], 3),
        "peak_memory_mib": round(long["peak_memory_bytes"] / 2**20, 1),
        "peak_memory_mib_short": round(median(short, "peak_memory_bytes") / 2**20, 1),
        "peak_memory_mib_client_alone": memory(bench, sender, many),
    }


def allocations(bench, folder):
    """Allocations per notification: the difference of two lengths, so that the start does not count."""
    compiler = shutil.which("clang") or shutil.which("cc")
    if not compiler:
        say("no C compiler found: allocations are not counted")
        return None
    library = folder / "count-allocations.so"
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, HERE / "count-allocations.c"], check=True)
    counted = {}
    for api in ("send", "batch"):
        sums = []
        for count in (20_000, 120_000):
            file = folder / "allocations"
            bench.client(api, 1, 1000, count=count, environment={
                "LD_PRELOAD": str(library), "COUNT_ALLOCATIONS_FILE": str(file)})
            sums.append(int(file.read_text()))
        counted[api] = round((sums[1] - sums[0]) / 100_000, 2)
    return counted


def table(header, rows):
    widths = [max(len(str(cell)) for cell in column) for column in zip(header, *rows)]
    for row in (header, *rows):
        print("  ".join(str(cell).rjust(width) for cell, width in zip(row, widths)))
    print()


def show(report):
    table(("program", "connections", "streams", "CPU s/100,000", "x h2load", "per second", "MiB"), [
        (row["program"], row["connections"], row["streams"], f"{row['cpu_seconds_per_100000']:.2f}",
         f"{row['ratio_to_h2load']:.2f}", row["per_second"], row["peak_memory_mib"]) for row in report["cpu"]])
    if report.get("plain"):
        table(("against nghttpd", "streams", "CPU s/100,000", "x h2load", "per second"), [
            (row["program"], row["streams"], f"{row['cpu_seconds_per_100000']:.3f}", f"{row['ratio_to_h2load']:.2f}",
             row["per_second"]) for row in report["plain"]])
    if report.get("latency"):
        table(("load", "per second", "p50 ms", "p99 ms", "p99.9 ms"), [
            (f"{row['share']:.0%}", row["per_second"], *(f"{row[name]:.2f}" for name in ("p50", "p99", "p99_9")))
            for row in report["latency"]])
    if report.get("allocations_per_send"):
        table(("allocations", "per notification", "limit"), [
            (api, number, report["allocation_limits"][api]) for api, number in report["allocations_per_send"].items()])
    if report.get("length"):
        run = report["length"]
        print(f"{run['notifications']} in one run: {run['cpu_ratio']:.2f} times the CPU per notification of runs of "
              f"{run['compared_with']}, at most {run['peak_memory_mib']} MiB, "
              f"{run['peak_memory_mib_client_alone']} in a program that is only the client\n")


def exceeded(report):
    """A sentence for each exceeded limit."""
    for row in report["cpu"]:
        if row["program"] == "h2load":
            continue
        where = f"{row['program']}, {row['connections']} connection(s), {row['streams']} streams"
        if row["cpu_seconds_per_100000"] > CPU_LIMIT:
            yield f"{where}: {row['cpu_seconds_per_100000']} CPU s per 100,000, more than {CPU_LIMIT}"
        if row["ratio_to_h2load"] > RATIO_LIMIT:
            yield f"{where}: {row['ratio_to_h2load']} times h2load, more than {RATIO_LIMIT}"
    for row in report.get("plain") or []:
        if row["program"] == "batch" and row["ratio_to_h2load"] > PLAIN_RATIO_LIMIT:
            yield (f"batch, {row['streams']} streams, against nghttpd: {row['ratio_to_h2load']} times h2load, "
                   f"more than {PLAIN_RATIO_LIMIT}")
    for api, number in (report.get("allocations_per_send") or {}).items():
        if number > report["allocation_limits"][api]:
            yield f"{api}: {number} allocations per notification, more than {report['allocation_limits'][api]}"
    run = report.get("length")
    if run and run["cpu_ratio"] > LENGTH_LIMIT:
        yield (f"{run['notifications']} notifications take {run['cpu_ratio']} times the CPU per notification of runs of "
               f"{run['compared_with']}, more than {LENGTH_LIMIT}")
    for name, limit in (("peak_memory_mib", WHOLE_MEMORY_LIMIT_MIB), ("peak_memory_mib_client_alone", MEMORY_LIMIT_MIB)):
        if run and run[name] >= limit:
            yield f"{name}: {run[name]} resident, {limit} or more"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--carillon", required=True, help="the release build of carillon")
    parser.add_argument("--sender", help="the release build of Sender (default: beside carillon)")
    parser.add_argument("--output", type=Path, help="the file for the JSON")
    parser.add_argument("--runs", type=int, default=3, help="runs of each program; the median counts (default: 3)")
    parser.add_argument("-n", "--count", type=int, default=100_000, help="notifications per run (default: 100000)")
    parser.add_argument("--connections", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--streams", type=int, nargs="+", default=[100, 500, 1000])
    parts = ["cpu", "plain", "latency", "allocations", "length"]
    parser.add_argument("--parts", nargs="+", default=parts, choices=parts, help="what to measure (default: all)")
    options = parser.parse_args()
    options.sender = options.sender or str(Path(options.carillon).parent / "Sender")
    return options


def measure(options, bench, folder):
    probe = bench.client("send", 1, 100, count=1000)
    bench.payload.write_text('{"aps":{"alert":"' + "x" * (probe["payload_bytes"] - 20) + '"}}')
    report = {
        "machine": {"cores": os.cpu_count(), "system": platform.platform(), "load_average": os.getloadavg()[0]},
        "payload_bytes": probe["payload_bytes"], "count": options.count, "cpu": [],
        "allocation_limits": json.loads((HERE / "limits.json").read_text())["allocations_per_notification"],
    }
    if "cpu" in options.parts:
        for connections in options.connections:
            for streams in options.streams:
                say(f"CPU: {connections} connection(s), {streams} streams")
                report["cpu"] += compare(bench, options.runs, connections, streams)
    if "plain" in options.parts:
        say("CPU against nghttpd, which does hardly anything")
        report["plain"] = plain(options.carillon, folder / "plain", bench.payload, max(3, options.runs), options.count)
    if "latency" in options.parts:
        say("latency at 10 %, 50 % and 90 % of the highest rate")
        reached = bench.client("send", 1, 1000)["per_second"]
        report["latency"] = latencies(bench, reached)
    if "allocations" in options.parts:
        say("allocations")
        report["allocations_per_send"] = allocations(bench, folder)
    if "length" in options.parts:
        say("one long run")
        report["length"] = length(bench, options.sender, 10 * options.count, options.count // 10)
    return report


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="carillon-bench-") as name:
        folder = Path(name)
        say("starting the simulator")
        simulator = Simulator(options.carillon, folder, min(options.count, 100_000))
        try:
            report = measure(options, Bench(options.carillon, simulator, options.count), folder)
        except KeyboardInterrupt:
            sys.exit(130)
        finally:
            simulator.stop()
    show(report)
    report["exceeded"] = list(exceeded(report))
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(json.dumps(report, indent=2) + "\n")
        print(f"written to {options.output}")
    for sentence in report["exceeded"]:
        print(f"limit exceeded: {sentence}", file=sys.stderr)
    sys.exit(1 if report["exceeded"] else 0)


if __name__ == "__main__":
    main()
