#!/usr/bin/env python3
"""test-alarms.py CARILLON: tries the alarm rules and the dashboard against a real Prometheus.

promtool makes each alarm fire from made-up series (Tests/Prometheus/carillon.test.yml). Then a Prometheus scrapes a service with
its simulated APNs, after a message has gone to a phone and been reported as shown: every metric that a rule or a panel names
must be there, and every rule and panel must be answered without an error. In the end real failures make the alarms fire, by a
copy of the rules in which time passes 20 times as fast.
"""
import contextlib
import json
import pathlib
import re
import secrets
import signal
import socket
import sqlite3
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
# A push waits 100 s for a connection before its app counts as stopped.
PATIENCE = 180
HURRY = 20


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
    """Starts the simulated APNs and the service; returns its address, an API key, a device token and both programs."""
    apns, data, port = folder / "apns", folder / "data", free_port()
    log = open(folder / "log", "w")
    simulator = start(programs, [carillon, "apns-simulator", "--port", str(port), "--directory", apns, "--topic", TOPIC],
                      stdout=log, stderr=log)
    until("the simulator's start", lambda: (apns / "simulator.json").exists())
    summary = json.loads((apns / "simulator.json").read_text())

    def run(*arguments):
        done = subprocess.run([carillon, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            fail(f"carillon {' '.join(map(str, arguments))}: {done.stderr.strip()}")
        return done.stdout.strip()

    # The key's file is replaced later. The service refuses a key that every user can read.
    signing_key = folder / pathlib.Path(summary["key"]).name
    signing_key.write_bytes(pathlib.Path(summary["key"]).read_bytes())
    signing_key.chmod(0o600)
    run("apps", "add", "--data", data, "--topic", TOPIC, "--key", signing_key, "--team-id", "SIMTEAM001")
    key = run("api-keys", "create", "--data", data, "--name", "test", "--topic", TOPIC)
    service = free_port()
    process = start(programs, [carillon, "serve", "--data", data, "--port", str(service), "--connections", "40",
                               "--lease", "10", "--apns-url", f"https://localhost:{port}", "--apns-ca",
                               apns / "ca.pem"], stdout=log, stderr=log)
    base = f"http://127.0.0.1:{service}"
    until("the service's start", lambda: call(f"{base}/readyz")["status"] == "ready")
    return base, key, summary["device_tokens"][0], simulator, process


def push(base, key, message):
    call(f"{base}/v1/notifications", {
        "to": {"devices": ["phone-1"]}, "id": message, "payload": {"aps": {"alert": "Hello"}}}, key)


def send(base, key, token):
    """Sends a message to a phone, and reports it as shown."""
    secret = secrets.token_hex(32)
    call(f"{base}/v1/devices", {
        "installation": "phone-1", "secret": secret, "topic": TOPIC, "environment": "sandbox", "token": token,
        "permission": "authorized"})
    push(base, key, "hello")
    accepted = lambda: call(f"{base}/v1/notifications/hello", key=key)["counts"]["accepted"] == 1
    until("APNs' acceptance", accepted)
    call(f"{base}/v1/receipts", {"receipts": [
        {"id": "r-1", "message": "hello", "event": "shown", "at": int(time.time() * 1000)}]}, f"phone-1:{secret}")


def hurried():
    """The rules, with durations and the ages of queues divided."""
    rules = re.sub(r"(for: |\[)(\d+)m\b", lambda found: f"{found[1]}{int(found[2]) * 60 // HURRY}s", RULES.read_text())
    return re.sub(r"(_oldest_seconds.*|_stopped_seconds) > (\d+)$",
                  lambda found: f"{found[1]} > {int(found[2]) // HURRY}", rules, flags=re.MULTILINE)


def scrape(base, folder, programs):
    """Starts Prometheus with the rules and their hurried copy; returns a function that asks it."""
    port = free_port()
    config, copy = folder / "prometheus.yml", folder / "hurried.rules.yml"
    copy.write_text(hurried().replace("name: carillon", "name: hurried"))
    config.write_text(json.dumps({
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "rule_files": [str(RULES), str(copy)],
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
    # An alarm about something absent is pending until the first scrape.
    raised = lambda: [each["labels"]["alertname"] for each in ask("alerts")["alerts"]]
    until("a service in order that raises no alarm", lambda: not raised())


def failures(ask, base, key, data, simulator, service):
    """Makes real failures, one after the other, and waits for their alarms."""
    seen = set()

    def firing():
        seen.update(each["labels"]["alertname"] for each in ask("alerts")["alerts"] if each["state"] == "firing")
        return seen

    def expect(*alarms):
        for alarm in alarms:
            until(f"the alarm {alarm}", lambda: alarm in firing())
            print(f"{alarm} fires", flush=True)

    step("a wrong key in the place of the right one")
    signing_key = next(data.parent.glob("AuthKey_*.p8"))
    subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", signing_key],
                   check=True)
    count = iter(range(1000))

    def refused():
        push(base, key, f"refused-{next(count)}")
        return call(f"{base}/healthz")["warnings"]

    until("a refused credential", refused)
    expect("CarillonCredentialRefused")
    step("a row that cannot be read")
    with contextlib.closing(sqlite3.connect(data / "carillon.sqlite", timeout=PATIENCE)) as database, database:
        database.execute("UPDATE deliveries SET state = 'set-aside' WHERE number = (SELECT max(number) FROM deliveries)")
    expect("CarillonSetAside")
    step("more connections than may be open")
    sockets = []

    def crowd():
        for _ in range(60):
            with contextlib.suppress(OSError):
                sockets.append(socket.create_connection(("127.0.0.1", int(base.rsplit(":", 1)[1])), timeout=1))
        return "CarillonConnectionsRefused" in firing()

    until("the alarm CarillonConnectionsRefused", crowd)
    print("CarillonConnectionsRefused fires", flush=True)
    for each in sockets:
        each.close()
    step("an APNs that has gone")
    simulator.kill()
    until("a message for it", lambda: push(base, key, "waits") or True)
    expect("CarillonAppCannotSend", "CarillonAPNsErrors")
    step("another program that holds the database")
    with contextlib.closing(sqlite3.connect(data / "carillon.sqlite", timeout=PATIENCE, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        expect("CarillonDatabaseFails", "CarillonDatabaseWaits", "CarillonSenderMissing")
    step("a service that has gone")
    service.kill()
    expect("CarillonDown")
    rest = set(re.findall(r"- alert: (\w+)", RULES.read_text())) - seen
    print(f"only made-up series make {', '.join(sorted(rest))} fire")


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
            base, key, token, simulator, service = serve(pathlib.Path(sys.argv[1]).resolve(), folder, programs)
            send(base, key, token)
            ask = scrape(base, folder, programs)
            look(ask)
            failures(ask, base, key, folder / "data", simulator, service)
        finally:
            for program in reversed(programs):
                program.send_signal(signal.SIGTERM)
                program.wait()
    print("passed")


if __name__ == "__main__":
    main()
