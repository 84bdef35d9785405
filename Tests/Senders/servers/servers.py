"""Carillon's client against other people's HTTP/2 servers, with the faults that each can be made to show.

    .venv-senders/bin/python Tests/Senders/servers/servers.py .build/debug/carillon [SERVER …]

Every server writes down the apns-id of what it has processed. Held: each send has one outcome; where nothing is lost on the way
all of them are accepted; where it is, what failed is `unknown`, never `notSent`; nothing is processed twice.
"""

import collections
import contextlib
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
JARS = pathlib.Path("/usr/share/java")
COUNT, STREAMS = 500, 50
# One to connect, four times the streams before it measures; the report's failures are those of all.
SENDS = 1 + 4 * STREAMS + COUNT
# Answers are lost on the way in these.
LOSSY = {"half", "cut"}
SERVERS = {
    "h2": ["plain", "goaway", "refuse", "shut", "shrink", "half", "cut", "dribble"],
    "go": ["plain", "goaway", "half", "cut"],
    "jetty": ["plain", "streams", "window", "half", "cut"],
}


def command(server, port, mode, folder):
    if server == "h2":
        return [sys.executable, HERE / "h2_server.py", port, mode, folder / "ca.pem", folder / "key.pem", folder / "ids"]
    if server == "go":
        return [folder / "server", port, mode, folder / "ca.pem", folder / "key.pem", folder / "ids"]
    path = ":".join([str(folder), *map(str, JARS.glob("jetty9-*[a-z].jar")), str(JARS / "servlet-api.jar")])
    return ["java", "-Dorg.eclipse.jetty.LEVEL=OFF", "-cp", path, "JettyServer", port, mode, folder / "ca.p12", "x", folder / "ids"]


def prepare(server, folder):
    """Returns why it cannot be run, if it cannot."""
    if server == "go":
        if not shutil.which("go"):
            return "Go is not installed"
        subprocess.run(["go", "build", "-o", folder / "server", HERE / "server.go"], check=True, timeout=120)
    if server == "jetty":
        if not shutil.which("javac") or not (JARS / "jetty9-http2-server.jar").exists():
            return "Jetty is not installed"
        path = ":".join([*map(str, JARS.glob("jetty9-*[a-z].jar")), str(JARS / "servlet-api.jar")])
        subprocess.run(["javac", "-d", folder, "-cp", path, HERE / "JettyServer.java"], check=True, timeout=120)
    return None


def make_identity(folder):
    def run(*arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=folder, timeout=60)

    run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "key.pem", "-out",
        "ca.pem", "-days", "30", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    run("pkcs12", "-export", "-in", "ca.pem", "-inkey", "key.pem", "-out", "ca.p12", "-passout", "pass:x")
    run("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "AuthKey_SIMKEY0001.p8")
    (folder / "tokens.txt").write_text("ab" * 32 + "\n")


@contextlib.contextmanager
def running(arguments, port):
    process = subprocess.Popen([str(argument) for argument in arguments], stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("localhost", int(port)), 1):
                break
            time.sleep(0.1)
        yield
    finally:
        process.kill()
        process.wait()


def bench(carillon, port, folder):
    arguments = ["bench", "client", "--url", f"https://localhost:{port}", "--ca", folder / "ca.pem"]
    arguments += ["--tokens", folder / "tokens.txt", "--key", folder / "AuthKey_SIMKEY0001.p8", "--team-id", "SIMTEAM001"]
    arguments += ["--topic", "com.example.app", "-n", str(COUNT), "--streams", str(STREAMS), "--warm-up", "0", "--json"]
    run = subprocess.run([carillon, *arguments], capture_output=True, text=True, timeout=90)
    if not run.stdout:
        return {"accepted": 0, "failed": {run.stderr.strip()[-300:]: 1}, "rejected": {}}
    return json.loads(run.stdout)


def problem(report, mode, ids):
    """What is wrong with a run, if anything is."""
    accepted, failed = report["accepted"], report["failed"]
    if set(failed) - {"unknown"} or report["rejected"]:
        return "an error that is not the truth"
    if mode not in LOSSY and (accepted != COUNT or failed):
        return "not all were accepted"
    if mode in LOSSY and not accepted < COUNT <= accepted + sum(failed.values()) <= SENDS:
        return "a send has no outcome, or two"
    # What is unknown may have been processed or not; everything else was, and once. It warms up with the same notifications
    # that it begins with, again where no connection was open at the end of that.
    times = collections.Counter(ids)
    repeated = [count for count in times.values() if count > 1]
    if len(ids) < SENDS - sum(failed.values()) or len(repeated) > 4 * STREAMS:
        return f"{len(ids)} were processed, {len(repeated)} of them more than once"
    if mode not in LOSSY and len(set(repeated)) > 1:
        return "some were processed more often than others"
    return None


def main():
    carillon, *chosen = sys.argv[1:]
    failed = passed = 0
    for server in chosen or SERVERS:
        with tempfile.TemporaryDirectory() as text:
            folder = pathlib.Path(text)
            make_identity(folder)
            if reason := prepare(server, folder):
                print(f"{server}: {reason}")
                continue
            for mode in SERVERS[server]:
                with socket.socket() as free:
                    free.bind(("127.0.0.1", 0))
                    port = str(free.getsockname()[1])
                (folder / "ids").write_text("")
                with running(command(server, port, mode, folder), port):
                    report = bench(carillon, port, folder)
                what = problem(report, mode, (folder / "ids").read_text().split())
                passed, failed = passed + (not what), failed + bool(what)
                print(f"{'FAILED' if what else 'ok    '} {server}, {mode}: {report['accepted']} accepted, "
                      f"{report['failed']} failed {what or ''}", flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
