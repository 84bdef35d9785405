#!/usr/bin/env python3
"""in_debian.py ROOT PACKAGE NEWER SIMULATOR: plays the commands of docs/host-it.md on a machine of its own.

ROOT is the folder of a Debian as debootstrap makes it. systemd-nspawn boots it, with a network of its own. On the other side of
that network are the APNs simulator under Apple's names, a phone and a backend. PACKAGE is the package that the page installs,
NEWER the one to which it updates, and SIMULATOR the program in Apple's place. Needs root.
"""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from page import Failure, Shell, blocks, play

ROUTER, MACHINE, APPLE = "192.0.2.1", "192.0.2.10", "192.0.2.20"
PHONE, BACKEND = "203.0.113.9", "198.51.100.7"
NAME, TOPIC, TEAM, KEY_ID = "push.example.com", "com.example.app", "TEAM123456", "ABC123DEFG"
SECRET = "5e" * 32
PATIENCE = 90


def step(text):
    print(f"== the page: {text}", flush=True)


def check(holds, why):
    if not holds:
        raise Failure(why)


def until(what, look):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.2)
    raise Failure(f"{what} did not happen within {PATIENCE} s")


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, text=True, **options)


class Outside:
    """The world beyond the machine's network card: a namespace with the addresses of Apple, of a phone and of a backend."""

    def __init__(self, folder):
        self.folder = folder
        self.holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        until("a namespace", lambda: self.namespace() != os.readlink("/proc/self/ns/net"))
        self.simulator = self.summary = None
        run(*self.command("ip", "link", "set", "lo", "up"))
        for address in (APPLE, PHONE, BACKEND):
            run(*self.command("ip", "address", "add", f"{address}/32", "dev", "lo"))

    def namespace(self):
        return os.readlink(f"/proc/{self.holder.pid}/ns/net")

    def command(self, *words):
        return ["nsenter", f"--net=/proc/{self.holder.pid}/ns/net", *map(str, words)]

    def connect(self, machine):
        inside = ["nsenter", f"--net=/proc/{machine}/ns/net", "ip"]
        run(*self.command("ip", "link", "add", "o0", "type", "veth", "peer", "name", "m0", "netns", machine))
        run(*self.command("ip", "address", "add", f"{ROUTER}/24", "dev", "o0"))
        run(*self.command("ip", "link", "set", "o0", "up"))
        run(*inside, "address", "add", f"{MACHINE}/24", "dev", "m0")
        run(*inside, "link", "set", "m0", "up")
        run(*inside, "route", "add", "default", "via", ROUTER)

    def start_apple(self, program):
        self.simulator = subprocess.Popen(
            self.command(
                program, "--host", APPLE, "--port", "443", "--directory", self.folder, "--topic", TOPIC, "--team-id", TEAM,
                "--key-id", KEY_ID, "--set", "environment=production",
                "--set", 'host_names=["api.push.apple.com", "api.sandbox.push.apple.com"]'),
            stdout=subprocess.PIPE, text=True)
        check("is ready" in self.simulator.stdout.readline(), "the simulator did not start")
        self.summary = json.loads((self.folder / "simulator.json").read_text())

    def pushes(self):
        """The alerts that Apple has taken for the phone."""
        url = f"{self.summary['admin_url']}/requests"
        journal = json.loads(run(*self.command("curl", "-sSf", url), stdout=subprocess.PIPE).stdout)
        return [
            request for request in (entry["request"] for entry in journal)
            if request.get("token") == self.summary["device_tokens"][0] and request["status"] == 200
            and ["apns-push-type", "alert"] in request["headers"]]

    def call(self, address, url, *more, body=None):
        """Calls the machine from an address. Returns the status, 0 if nothing answers, and the answer's text."""
        host, port = re.match(r"https?://([^:/]+):?(\d*)", url).groups()
        words = ["curl", "-sS", "--max-time", "3", "--interface", address, "--resolve", f"{host}:{port or 443}:{MACHINE}",
                 "--cacert", self.folder / "proxy-ca.pem", "--write-out", "\n%{http_code}", *more]
        if body is not None:
            words += ["--header", "Content-Type: application/json", "--data", json.dumps(body)]
        done = subprocess.run(self.command(*words, url), text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        text, _, status = done.stdout.rpartition("\n")
        return int(status or 0), text

    def end(self):
        for process in (self.simulator, self.holder):
            if process:
                process.terminate()
                process.wait()


class Debian:
    """A Debian that boots from a folder."""

    def __init__(self, root):
        self.root = root
        self.log = open(root.parent / "boot.log", "w")
        # The simulator locks the password of a .p12 into memory, which a machine allows and systemd-nspawn does not by itself.
        self.process = subprocess.Popen(
            ["systemd-nspawn", f"--directory={root}", "--boot", "--private-network", "--register=no", "--keep-unit",
             "--resolv-conf=off", "--console=read-only", "--machine=push", "--system-call-filter=@memlock"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT,
            env=os.environ | {"SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"})
        self.first = until("the start of Debian", self.first_process)
        # A unit that has failed makes it `degraded`; the steps find out which ones matter.
        until("the end of its start", lambda: self.output("systemctl is-system-running || true") in ("running", "degraded"))

    def first_process(self):
        """The process that is number 1 inside."""
        check(self.process.poll() is None, f"it cannot be booted:\n{self.log_text()}")
        waiting = [self.process.pid]
        while waiting:
            number = waiting.pop()
            try:
                if re.search(r"^NSpid:\t\d+\t1$", pathlib.Path(f"/proc/{number}/status").read_text(), re.MULTILINE):
                    return number
                waiting += pathlib.Path(f"/proc/{number}/task/{number}/children").read_text().split()
            except OSError:
                pass
        return None

    def log_text(self):
        return pathlib.Path(self.log.name).read_text()[-2000:]

    def inside(self, *command):
        return [
            "nsenter", f"--target={self.first}", "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--",
            "/usr/bin/env", "-i", "HOME=/root", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive",
            "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", *command]

    def output(self, command):
        done = subprocess.run(
            self.inside("sh", "-c", command), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return done.stdout.strip()

    def end(self):
        # SIGRTMIN+4 is systemd's power-off.
        subprocess.run(["kill", "-RTMIN+4", str(self.first)], check=False)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class World:
    """Plays the events beside the page's commands, such as a phone that registers, and checks their outcome."""

    def __init__(self, debian, outside, shell, newer):
        self.debian, self.outside, self.shell, self.newer = debian, outside, shell, newer

    def certificate(self):
        """Makes the files that certbot would, signed by an authority that only the callers trust."""
        folder = self.debian.root / "etc/letsencrypt/live" / NAME
        folder.mkdir(parents=True)
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
            "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", folder / "privkey.pem",
            "-out", folder / "fullchain.pem", stderr=subprocess.DEVNULL)
        (self.outside.folder / "proxy-ca.pem").write_text((folder / "fullchain.pem").read_text())

    def phone_registers(self):
        for port in (8080, 8081):
            check(self.outside.call(PHONE, f"http://{NAME}:{port}/livez")[0] == 0, f"port {port} is open to everybody")
        check(self.outside.call(PHONE, f"https://{NAME}:8443/livez")[0] == 0, "port 8443 is open to everybody")
        check(self.outside.call(PHONE, f"https://{NAME}/metrics")[0] == 404, "phones are served what is for operators")
        status, text = self.outside.call(PHONE, f"https://{NAME}/v1/devices", body={
            "installation": "phone-1", "secret": SECRET, "topic": TOPIC, "environment": "production",
            "token": self.outside.summary["device_tokens"][0], "permission": "authorized"})
        check(status == 200, f"the phone cannot register: {status} {text}")

    def is_lost(self):
        """Another machine takes its place, with nothing but the package and the folder of copies."""
        self.receipt()
        self.shell.run("lost", """
            systemctl disable --now carillon
            rm -rf /var/lib/carillon /etc/carillon
            install -d --owner carillon --group carillon --mode 0700 /var/lib/carillon
            install -d /etc/carillon
            dpkg-deb --fsys-tarfile /root/carillon_*.deb | tar -x -C / ./etc/carillon
            """)

    def receipt(self):
        """The phone reports the push, and a backend reads it from its own address."""
        check(len(self.outside.pushes()) == 1, f"Apple has the pushes {self.outside.pushes()}")
        status, text = self.outside.call(
            PHONE, f"https://{NAME}/v1/receipts", "--header", f"Authorization: Bearer phone-1:{SECRET}",
            body={"receipts": [{"id": "r-1", "message": "first", "event": "shown", "at": int(time.time() * 1000)}]})
        check(status == 200, f"the receipt is refused: {status} {text}")
        check(self.events() == ["queued", "sent", "accepted", "shown"], f"the timeline is {self.events()}")

    def events(self):
        key = self.shell.run("print-key", 'echo "$CARILLON_API_KEY"\n').split()[-1]
        status, text = self.outside.call(
            BACKEND, f"https://{NAME}:8443/v1/notifications/first/timeline", "--header", f"Authorization: Bearer {key}")
        check(status == 200, f"a backend is refused: {status} {text}")
        return [event["event"] for device in json.loads(text)["devices"] for event in device["events"]]

    def newer_package(self):
        # The copy was made before the receipt came.
        until("the restored service", lambda: self.debian.output("curl -sS http://127.0.0.1:8081/readyz | grep ready"))
        check(self.events() == ["queued", "sent", "accepted"], f"the restored timeline is {self.events()}")
        check(len(self.outside.pushes()) == 1, "the restored service has sent the push again")
        [package] = (self.debian.root / "root").glob("carillon_*.deb")
        package.unlink()
        (package.parent / "carillon_9.0.0_test.deb").write_bytes(self.newer.read_bytes())

    def is_updated(self):
        version = self.debian.output("dpkg-query --show --showformat '${Version}' carillon")
        check(version == "9.0.0", f"the package has the version {version}")
        until("the updated service", lambda: self.debian.output("curl -sS http://127.0.0.1:8081/readyz | grep ready"))
        check(self.events() == ["queued", "sent", "accepted"], f"the updated timeline is {self.events()}")

    def simulator_starts(self):
        """The package's other unit, which the page does not need, works under its restrictions too."""
        self.shell.run("simulator", "systemctl start carillon-apns-simulator\n")
        written = "grep device_tokens /var/lib/carillon-apns-simulator/simulator.json"
        until("the simulator's start", lambda: self.debian.output(written))


def prepare(root, package, authority, key):
    """Prepares the Debian: systemd, the files that the reader copies by hand, and the simulator under Apple's names."""
    log = open(root.parent / "prepare.log", "a")

    def inside(*command):
        run("chroot", root, "/usr/bin/env", "-i", "HOME=/root", "DEBIAN_FRONTEND=noninteractive",
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin", *command, stdout=log, stderr=subprocess.STDOUT)

    (root / "root" / package.name).write_bytes(package.read_bytes())
    (root / "root" / key.name).write_bytes(key.read_bytes())
    folder = root / "usr/local/share/ca-certificates"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "apple.crt").write_text(authority.read_text())
    (root / "etc/hosts").write_text(
        f"127.0.0.1 localhost\n{APPLE} api.push.apple.com api.sandbox.push.apple.com\n{MACHINE} {NAME}\n")
    # The machine's own network reaches no archive, so the packages of the page are fetched before.
    (root / "var/cache/fetched/partial").mkdir(parents=True)
    (root / "etc/apt/apt.conf.d/zz-fetched").write_text('Dir::Cache::archives "/var/cache/fetched/";\n')
    # Nobody needs this disk after a power failure.
    (root / "etc/dpkg/dpkg.cfg.d/unsafe-io").write_text("force-unsafe-io\n")
    inside("apt-get", "update", "-qq")
    inside("apt-get", "install", "--yes", "-qq", "--no-install-recommends", "systemd", "systemd-sysv")
    [install] = [block for block in blocks() if block.name == "install"]
    fetching = re.sub(r"apt-get install", "apt-get install --download-only -qq", install.text)
    check(fetching != install.text, "the page installs nothing")
    inside("bash", "-c", f"set -e\n{fetching}")
    # A name that is not in /etc/hosts is unknown at once.
    (root / "etc/resolv.conf").write_text("nameserver 127.0.0.1\n")
    (root / "blocks").mkdir()


def main():
    root, package, newer, program = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as at_the_end:
        start = time.monotonic()
        step("an empty Debian, and the world around it")
        outside = Outside(pathlib.Path(folder))
        at_the_end.callback(outside.end)
        outside.start_apple(program)
        prepare(root, package, pathlib.Path(outside.summary["ca"]), pathlib.Path(outside.summary["key"]))
        debian = Debian(root)
        at_the_end.callback(debian.end)
        outside.connect(debian.first)
        shell = Shell(debian.inside("bash"), folder=root / "blocks", seen_as="/blocks")
        world = World(debian, outside, shell, newer)
        before = {"push": world.phone_registers, "restore": world.is_lost, "update": world.newer_package}
        steps = [block for block in blocks() if not block.is_alone]
        for block in steps:
            step(f"{block.name}, at {time.monotonic() - start:.0f} s" + (f" (by hand: {block.by_hand})" if block.by_hand else ""))
            try:
                # The socket takes the place of the proxy's address, which the steps after it need; a test of its own plays it.
                play([block], shell, before, {"certificate": world.certificate, "socket": lambda: None})
            except Failure as failure:
                log = debian.output("journalctl --no-pager --quiet --lines 20")
                raise Failure(f"{failure}\nThe journal ends with:\n{log}") from None
        world.is_updated()
        world.simulator_starts()
        for unit in ("carillon", "carillon-apns-simulator"):
            state = debian.output(f"systemctl show {unit} --property NRestarts,ActiveState | sort | paste -sd' '")
            check(state == "ActiveState=active NRestarts=0", f"the unit {unit}: {state}")
        shell.end()
        step(f"played, in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    # Its context managers end all that it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main()
    except (Failure, subprocess.CalledProcessError) as error:
        sys.exit(f"error: {error}")
