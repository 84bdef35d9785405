#!/usr/bin/env python3
"""test-alarms.py CARILLON: tries the alarm rules and the dashboard against a real Prometheus.

promtool makes each alarm fire from made-up series (Tests/Prometheus/carillon.test.yml). Then a Prometheus scrapes a service and
its simulated APNs, after a message has gone to a phone and been reported as shown: every metric that a rule or a panel names
must be there, and every rule and panel must be answered without an error.
"""
import json
import pathlib
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULES = ROOT / "Packaging/prometheus/carillon.rules.yml"
TESTS = ROOT / "Tests/Prometheus/carillon.test.yml"
DASHBOARD = ROOT / "Packaging/grafana/carillon.json"
TOPIC = "com.example.chime"
PATIENCE = 60


def fail(why):
    sys.exit(f"error: {why}")


def step(what):
    print(f"== {what}", flush=True)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def call(url, body=None, key=None, method=None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=10) as answer:
        text = answer.read().decode()
    return json.loads(text) if text.startswith(("{", "[")) else text


def until(what, look):
    """Asks until the answer is true, or until the patience ends."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            found = look()
        except OSError:
            found = None
        if found:
            return found
        time.sleep(0.2)
    fail(f"{what} did not happen within {PATIENCE} s")


def check_rules():
    subprocess.run(["promtool", "check", "rules", RULES], check=True)
    subprocess.run(["promtool", "test", "rules", TESTS.name], cwd=TESTS.parent, check=True)
    alarms = re.findall(r"- alert: (\w+)", RULES.read_text())
    tests = TESTS.read_text()
    for alarm in alarms:
        fired = re.search(rf"- alertname: {alarm}\n +eval_time: \w+\n +exp_alerts:\n +- exp_labels", tests)
        if not fired:
            fail(f"no series makes {alarm} fire in {TESTS.relative_to(ROOT)}")
    print(f"{len(alarms)} alarms, and each fires")


def expressions():
    """The expressions of all panels, with Grafana's variables replaced."""
    board = json.loads(DASHBOARD.read_text())
    found = [target["expr"] for panel in board["panels"] for target in panel.get("targets", [])]
    found += [each["expr"] for each in board["annotations"]["list"] if "expr" in each]
    return [
        each.replace("$__rate_interval", "1m").replace("$instance", ".*").replace("$app", ".*") for each in found
    ]


def names(text):
    """The metrics that a text names, without the endings of a histogram's series."""
    found = set(re.findall(r"\bcarillon_[a-z_]+[a-z]\b", text))
    return {re.sub(r"_seconds_(bucket|sum|count)$", "_seconds", name) for name in found}


def start(programs, command, **options):
    program = subprocess.Popen(command, **options)
    programs.append(program)
    return program


def serve(carillon, folder, programs):
    """Starts the simulated APNs and the service; returns the service's address, an API key and a device token."""
    apns, data, port = folder / "apns", folder / "data", free_port()
    log = open(folder / "log", "w")
    start(programs, [carillon, "apns-simulator", "--port", str(port), "--directory", apns, "--topic", TOPIC],
          stdout=log, stderr=log)
    until("the simulator's start", lambda: (apns / "simulator.json").exists())
    summary = json.loads((apns / "simulator.json").read_text())
    run = lambda *arguments: subprocess.run(
        [carillon, *arguments], check=True, capture_output=True, text=True).stdout.strip()
    run("apps", "add", "--data", data, "--topic", TOPIC, "--key", summary["key"], "--team-id", "SIMTEAM001")
    key = run("api-keys", "create", "--data", data, "--name", "test", "--topic", TOPIC)
    service = free_port()
    start(programs, [carillon, "serve", "--data", data, "--port", str(service), "--apns-url",
                     f"https://localhost:{port}", "--apns-ca", apns / "ca.pem"], stdout=log, stderr=log)
    base = f"http://127.0.0.1:{service}"
    until("the service's start", lambda: call(f"{base}/readyz")["status"] == "ready")
    return base, key, summary["device_tokens"][0]


def send(base, key, token):
    """Sends a message to a phone, and reports it as shown."""
    secret = secrets.token_hex(32)
    call(f"{base}/v1/devices", {
        "installation": "phone-1", "secret": secret, "topic": TOPIC, "environment": "sandbox", "token": token,
        "permission": "authorized"})
    call(f"{base}/v1/notifications", {
        "to": {"devices": ["phone-1"]}, "id": "hello", "payload": {"aps": {"alert": "Hello"}}}, key)
    accepted = lambda: call(f"{base}/v1/notifications/hello", key=key)["counts"]["accepted"] == 1
    until("APNs' acceptance", accepted)
    call(f"{base}/v1/receipts", {"receipts": [
        {"id": "r-1", "message": "hello", "event": "shown", "at": int(time.time() * 1000)}]}, f"phone-1:{secret}")


def scrape(base, folder, programs):
    """Starts Prometheus with the rules; returns a function that asks it."""
    port = free_port()
    config = folder / "prometheus.yml"
    config.write_text(json.dumps({
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "rule_files": [str(RULES)],
        "scrape_configs": [
            {"job_name": "carillon", "static_configs": [{"targets": [base.removeprefix("http://")]}]}]}))
    log = open(folder / "prometheus.log", "w")
    start(programs, ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder / 'tsdb'}",
                     f"--web.listen-address=127.0.0.1:{port}"], stdout=log, stderr=log)

    def ask(path, **query):
        return call(f"http://127.0.0.1:{port}/api/v1/{path}?{urllib.parse.urlencode(query)}")["data"]

    return ask


def look(ask):
    value = lambda expression: ask("query", query=expression)["result"]
    until("a scrape", lambda: value('carillon_push_shown_seconds_count{app="%s"} > 0' % TOPIC))
    known = {each["metric"] for each in ask("targets/metadata")}
    for source, named in [("a rule", names(RULES.read_text())), ("a panel", names(" ".join(expressions())))]:
        missing = sorted(named - known)
        if missing:
            fail(f"{source} names {', '.join(missing)}, which the service does not have")
        print(f"{len(named)} metrics that {source} names are there")
    empty = [each for each in expressions() if not value(each)]
    print(f"{len(expressions())} expressions of panels are answered, {len(empty)} without a series now")
    evaluated = lambda: all(
        rule["health"] == "ok" for group in ask("rules")["groups"] for rule in group["rules"])
    until("an evaluation of each rule", evaluated)
    alerts = [each["labels"]["alertname"] for each in ask("alerts")["alerts"]]
    if alerts:
        fail(f"a service in order raises {', '.join(alerts)}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    step("the rules")
    check_rules()
    programs = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        try:
            step("a service, its simulated APNs and a Prometheus")
            base, key, token = serve(pathlib.Path(sys.argv[1]).resolve(), folder, programs)
            send(base, key, token)
            look(scrape(base, folder, programs))
        finally:
            for program in reversed(programs):
                program.send_signal(signal.SIGTERM)
                program.wait()
    print("passed")


if __name__ == "__main__":
    main()
