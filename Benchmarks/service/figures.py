"""What a question for a month of figures costs; bench.py calls it, docs/performance.md has the bound.

The figures of a month in which a million devices got a hundred messages a day are written into the table as the service counts them:
some 25 names a day for the app, for each of twenty campaigns and for each message. `carillon serve` then answers 200 questions of each
kind, one after the other.
"""
import http.client
import json
import random
import sqlite3
import statistics
import sys
import time

from broadcast import p99, say
from postgresql import Server

# Limit: the p99 of a question for a month, in milliseconds.
ANSWER_LIMIT = 50
DAYS, MESSAGES, CAMPAIGNS, QUESTIONS = 30, 100, 20, 200
NAMES = ["accepted", "received", "shown", "opened", "acted", "dismissed", "opt_out", "unregistered"] + [
    f"within:{seconds}" for seconds in (1, 5, 15, 60, 300, 900, 3600, 21600, 86400)] + ["within:more"] + [
    f"failed:{reason}" for reason in ("Unregistered", "BadDeviceToken", "PayloadTooLarge", "TooManyRequests", "unanswered")]


def rows(app, message):
    """The rows of the table, as (message, app, campaign, day, name, count)."""
    drawn, today = random.Random(1), int(time.time()) // 86400
    for day in range(today - DAYS + 1, today + 1):
        scopes = [(0, "")] + [(0, f"campaign-{number:02}") for number in range(CAMPAIGNS)]
        scopes += [(message + (today - day) * MESSAGES + number, "") for number in range(MESSAGES)]
        for number, campaign in scopes:
            for name in NAMES:
                yield number, app, campaign, day, name, drawn.randint(1, 1_000_000)


def ask(service, path):
    """The milliseconds of each of the questions."""
    connection, times = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60), []
    for _ in range(QUESTIONS):
        started = time.monotonic()
        connection.request("GET", path, headers={"Authorization": f"Bearer {service.key}"})
        answer = connection.getresponse()
        body = json.loads(answer.read())
        times.append((time.monotonic() - started) * 1000)
        if answer.status != 200 or not (body.get("days") or body.get("campaigns")):
            sys.exit(f"error: {path} answered {answer.status}: {body}")
    return times


def measured(service, fill):
    service.register(1)
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    connection.request("POST", "/v1/notifications", json.dumps(
        {"id": "first", "to": {"user": "u-0"}, "payload": {"aps": {"alert": "First"}}}),
        {"Authorization": f"Bearer {service.key}", "Content-Type": "application/json"})
    connection.getresponse().read()
    count = fill()
    report = {"rows": count}
    for name, path in [("month_of_app", "/v1/figures"), ("month_of_campaign", "/v1/figures?campaign=campaign-07"),
                       ("month_of_message", "/v1/figures?message=first"), ("campaigns", "/v1/figures/campaigns?limit=20")]:
        times = ask(service, path)
        report[name] = {"median_ms": round(statistics.median(times), 2), "p99_ms": round(p99(times), 2)}
        say(f"  {name}: {report[name]}")
    return report


def sqlite(options, folder, make):
    service = make(options.carillon, folder)
    try:
        def fill():
            with sqlite3.connect(folder / "data" / "carillon.sqlite", timeout=60) as database:
                message = database.execute("SELECT number FROM messages WHERE id = 'first'").fetchone()[0]
                all_rows = list(rows(1, message))
                database.executemany("INSERT OR REPLACE INTO figures (message, app, campaign, day, name, count) "
                                     "VALUES (?, ?, ?, ?, ?, ?)", all_rows)
                return len(all_rows)
        return measured(service, fill)
    finally:
        service.stop()


def postgresql(options, folder, make):
    server = Server(folder / "server")
    name, address = server.database()
    secret = folder / "secret"
    secret.write_text("5e" * 32 + "\n")
    secret.chmod(0o600)
    service = make(options.carillon, folder, ["--database", address], secret)
    try:
        def fill():
            message = int(server.ask("SELECT number FROM messages WHERE id = 'first'", name))
            all_rows = list(rows(1, message))
            for start in range(0, len(all_rows), 1000):
                values = ", ".join(f"({number}, {app}, '{campaign}', {day}, '{figure}', {count})"
                                   for number, app, campaign, day, figure, count in all_rows[start:start + 1000])
                server.ask(f"INSERT INTO figures (message, app, campaign, day, name, count) VALUES {values} "
                           "ON CONFLICT DO NOTHING", name)
            server.ask("ANALYZE figures", name)
            return len(all_rows)
        return measured(service, fill)
    finally:
        service.stop()


def measure(options, folder, make):
    """`make` starts a service."""
    report = {}
    for engine in options.engines.split(","):
        say(f"figures on {engine}")
        (folder / engine).mkdir(mode=0o755)
        report[engine] = {"sqlite": sqlite, "postgresql": postgresql}[engine](options, folder / engine, make)
    return report


def exceeded(report):
    for engine, figures in report.items():
        for name, figure in figures.items():
            if name != "rows" and figure["p99_ms"] > ANSWER_LIMIT:
                yield f"{name} on {engine} takes {figure['p99_ms']} ms at p99, more than {ANSWER_LIMIT}"
