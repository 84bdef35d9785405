"""The files of Packaging/compose and Packaging/kubernetes, and the commands of their containers as processes of this machine."""

import collections
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
CARILLON = os.environ.get("CARILLON", str(ROOT / ".build/debug/carillon"))
KUBERNETES = ROOT / "Packaging/kubernetes"
COMPOSE = yaml.safe_load((ROOT / "Packaging/compose/compose.yaml").read_text())
# Seconds for what takes one on an idle machine.
PATIENCE = 30


def manifests():
    """All objects of Packaging/kubernetes, by kind and name."""
    found = collections.defaultdict(dict)
    for file in sorted(KUBERNETES.glob("*.yaml")):
        for each in yaml.safe_load_all(file.read_text()):
            if "kind" in each:
                assert each["apiVersion"], file
                assert each["metadata"]["name"] not in found[each["kind"]], file
                found[each["kind"]][each["metadata"]["name"]] = each
    return dict(found)


MANIFESTS = manifests()


def deployments():
    return {name: each["spec"]["template"]["spec"] for name, each in MANIFESTS["Deployment"].items()}


def options_of(words):
    """The options of a container's words, each with its value."""
    return [tuple(word.removeprefix("--").split("=", 1)) for word in words if "=" in word]


def option(words, name):
    [value] = [value for option, value in options_of(words) if option == name]
    return value


def call(method, url, body=None, bearer=None):
    request = urllib.request.Request(url, method=method, data=None if body is None else json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if bearer:
        request.add_header("Authorization", f"Bearer {bearer}")
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.loads(answer.read() or b"null")


def until(what, look):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.02)
    raise AssertionError(f"{what} did not happen within {PATIENCE} s")


class Process:
    """A container's command that runs, with the ports that it has in the place of its own."""

    def __init__(self, words, environment):
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [CARILLON, *words], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.phones = self.operators = None
        self.lines = []
        # Reads until the end, so that nothing the program prints can stop it.
        threading.Thread(target=self.reads, daemon=True).start()

    def reads(self):
        for line in self.process.stdout:
            self.lines.append(line)

    def said(self):
        self.log.seek(0)
        return self.log.read()

    def is_ready(self):
        """What a probe of Kubernetes asks, at the port that the program says."""
        assert self.process.poll() is None, self.said()
        said = "".join(self.lines)
        if "Carillon is ready" not in said:
            return False
        self.operators = re.search(r"Operators are served at http://127\.0\.0\.1:(\d+)", said).group(1)
        if phones := re.search(r"ready at http://127\.0\.0\.1:(\d+)", said):
            self.phones = phones.group(1)
        try:
            return call("GET", f"http://127.0.0.1:{self.operators}/readyz")["status"] == "ready"
        except (OSError, urllib.error.HTTPError):
            return False

    def ends(self):
        """Ends it as Kubernetes does. Returns its status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=PATIENCE)


class Service:
    """What the containers find in their cluster: a database, secrets, and the APNs simulator in Apple's place."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []
        self.secrets = folder / "secrets"
        self.secrets.mkdir()
        self.simulator = subprocess.Popen(
            [CARILLON, "apns-simulator", "--port", "0", "--admin-port", "0", "--directory", folder / "apns", "--topic", "com.example.app",
             "--team-id", "TEAM123456", "--key-id", "ABC123DEFG", "--journal", "100000"],
            stdout=subprocess.PIPE, text=True)
        assert "is ready" in self.simulator.stdout.readline()
        self.apns = json.loads((folder / "apns/simulator.json").read_text())
        shutil.copy(self.apns["key"], self.secrets / "AuthKey_ABC123DEFG.p8")
        self.write("sign-in-secret", "5e" * 32)

    def write(self, name, text):
        (self.secrets / name).write_text(text)
        (self.secrets / name).chmod(0o600)

    def runs_postgresql(self):
        # Its user is another one, and cannot look into pytest's folders.
        server = pathlib.Path(tempfile.mkdtemp())
        server.chmod(0o755)
        subprocess.run([ROOT / "scripts/postgresql-for-tests.sh", server, str(os.getpid())], check=True, timeout=4 * PATIENCE,
                       stdout=subprocess.DEVNULL)
        subprocess.run(["createdb", "--host", server, "--username", "carillon", "carillon"], check=True, timeout=PATIENCE)
        self.write("database-url", f"postgres://carillon@/carillon?host={server}")

    def here(self, text):
        """A container's text, with the paths and the APNs of this machine, and its loopback for all addresses."""
        ours = {"/etc/carillon/secrets": str(self.secrets), "/etc/carillon/settings": str(self.folder)}
        for theirs, our in ours.items():
            text = text.replace(theirs, our)
        text = re.sub(r"(?<![\d.])0\.0\.0\.0(?![\d./])", "127.0.0.1", text)
        for name, value in (("TOPIC", "com.example.app"), ("TEAM", "TEAM123456"), ("KEY", "AuthKey_ABC123DEFG.p8")):
            text = re.sub(rf"\$\{{{name}:[^}}]*\}}", value, text)
        return text

    def starts(self, words, data=None):
        """Runs a container's command, and waits until it is ready."""
        words = [self.here(word) for word in words]
        words = [re.sub(r"^(--(?:operator-)?port)=\d+$", r"\1=0", word) for word in words]
        words = [word for word in words if not word.startswith("--apns=")]
        words += ["--apns-url", f"https://localhost:{self.apns['port']}", "--apns-ca", self.apns["ca"]]
        if data:
            words = [word for word in words if not word.startswith(("--database-file=", "--sign-in-secret="))] + ["--data", str(data)]
        process = Process(words, os.environ)
        self.processes.append(process)
        until("the start", process.is_ready)
        return process

    def runs(self, *words):
        """Runs a command of `carillon`, and returns what it prints."""
        return subprocess.run([CARILLON, *words], capture_output=True, text=True, timeout=PATIENCE, check=True).stdout

    def end(self):
        for process in self.processes:
            process.ends()
        self.simulator.terminate()
        self.simulator.wait(timeout=PATIENCE)
