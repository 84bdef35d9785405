"""How fast the receipts of a broadcast are taken in, alone and while the next broadcast goes out; broadcast.py calls it."""
import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SECRET = "5e" * 32
# Phones that can say something; those of the fleet that are only imported can not.
PHONES, CONNECTIONS, SECONDS = 2000, 256, 10


def register(port, topic, tokens):
    """Makes installations of devices that were imported."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for number, token in enumerate(tokens[:PHONES]):
        body = {"installation": f"phone-{number}", "secret": SECRET, "topic": topic, "environment": "sandbox",
                "permission": "authorized", "token": token}
        connection.request("POST", "/v1/devices", json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status not in (200, 201):
            sys.exit(f"error: registering answered {answer.status}: {text.decode()}")


def load(service, port, message, beside=lambda: None):
    """Phones that send receipts of a message for some seconds, each call with two."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        # wrk reads it once for each of its threads.
        script.write((HERE / "receipts.lua").read_text() + (HERE / "report.lua").read_text())
        script.flush()
        return run(service, port, message, script.name, beside)


def run(service, port, message, script, beside):
    cpu = service.cpu_seconds()
    wrk = subprocess.Popen(
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--timeout", "30s", "-s", script,
         f"http://127.0.0.1:{port}/v1/receipts"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PHONES": str(PHONES), "MESSAGE": message, "SECRET": SECRET})
    beside()
    output = wrk.stdout.read()
    if wrk.wait() != 0:
        sys.exit(f"error: wrk ended with {wrk.returncode}\n{output}{wrk.stderr.read()}")
    measured = json.loads(output.splitlines()[-1])
    if measured["failed"]:
        sys.exit(f"error: {measured['failed']} of {measured['calls']} calls with receipts failed")
    return {
        "per_second": round(2 * measured["calls"] / measured["seconds"]), "p99_ms": round(measured["p99_ms"], 1),
        "cpu_seconds_per_100000": round((service.cpu_seconds() - cpu) * 100_000 / (2 * measured["calls"]), 2),
    }


def measure(backend, service, port, accepted):
    """Receipts of the broadcast `all`, alone; then while another goes out, whose pushes wait in the same queue."""
    alone = load(service, port, "all")
    progress = []

    def another():
        backend.send({"everyone": True}, "another")
        time.sleep(SECONDS / 2)
        progress.append(accepted("another"))
        time.sleep(SECONDS / 4)
        progress.append(accepted("another"))

    beside = load(service, port, "all", beside=another)
    beside["pushes_per_second"] = round((progress[1] - progress[0]) / (SECONDS / 4))
    backend.call("POST", "/v1/notifications/another/cancel")
    return {"alone": alone, "beside": beside}
