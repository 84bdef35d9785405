"""The commands of docs/host-it.md on this machine, in a folder, with the APNs simulator in Apple's place.

`make test-package` plays all of the page, with apt-get, nginx, the firewall and systemd, in a Debian of its own: in_debian.py.
Here the folders /etc and /var are in the test's folder, the ports are free ones, and small scripts stand in for commands that only
root can use. The page's text decides all else.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time

import pytest

from page import Shell, blocks, play

ROOT = pathlib.Path(__file__).resolve().parents[2]
CARILLON = os.environ.get("CARILLON", str(ROOT / ".build/debug/carillon"))

# Seconds for what takes one on an idle machine.
PATIENCE = 30

# Each stands in for a command that only root can use, and refuses a call that the real one would not take.
COMMANDS = {
    "runuser": """
[ "$1 $2 $3" = '-u carillon --' ] || { echo "runuser: $*"; exit 1; }
shift 3
exec "$@"
""",
    "install": """
words=()
while [ $# -gt 0 ]; do
    case $1 in
    --owner | --group)
        case $2 in carillon | root) ;; *) echo "install: no user $2"; exit 1 ;; esac
        shift 2 ;;
    *) words+=("$1"); shift ;;
    esac
done
exec /usr/bin/install "${words[@]}"
""",
    "carillon": """
case "$1 $2" in
'keys check') exec "$CARILLON" "$@" --url "$APNS_URL" --ca "$APNS_CA" ;;
*) exec "$CARILLON" "$@" ;;
esac
""",
    "systemctl": """
folder=$(dirname "$0")
case "$*" in
'enable --now carillon')
    "$CARILLON" serve --config "$MACHINE/etc/carillon/carillon.yaml" >"$folder/serve.out" 2>"$folder/serve.log" </dev/null &
    echo $! >"$folder/serve.pid"
    until grep -q 'is ready' "$folder/serve.out"; do
        kill -0 $! || { cat "$folder/serve.log"; exit 1; }
        sleep 0.1
    done ;;
'stop carillon')
    if kill "$(cat "$folder/serve.pid")" 2>/dev/null; then
        while kill -0 "$(cat "$folder/serve.pid")" 2>/dev/null; do sleep 0.1; done
    fi ;;
*) echo "systemctl: $*"; exit 1 ;;
esac
""",
}


def is_open(port):
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Machine:
    """A folder in the place of the machine, and the simulator in Apple's."""

    def __init__(self, folder):
        self.folder = folder
        self.phones_port, self.operators_port = free_ports(2)
        self.home = folder / "root"
        for name in ("root", "etc/carillon", "etc/cron.daily", "var/lib/carillon", "var/backups", "blocks", "bin"):
            (folder / name).mkdir(parents=True)
        for name, text in COMMANDS.items():
            command = folder / "bin" / name
            command.write_text(f"#!/bin/bash{text}")
            command.chmod(0o755)
        (folder / "var/lib/carillon").chmod(0o700)
        self.write_settings()
        apns = folder / "apns"
        self.simulator = subprocess.Popen(
            [CARILLON, "apns-simulator", "--port", "0", "--directory", apns, "--topic", "com.example.app",
             "--team-id", "TEAM123456", "--key-id", "ABC123DEFG"],
            stdout=subprocess.PIPE, text=True)
        assert "is ready" in self.simulator.stdout.readline()
        self.apns = json.loads((apns / "simulator.json").read_text())
        # By hand: Apple's key is copied to root's home.
        (self.home / "AuthKey_ABC123DEFG.p8").write_bytes((apns / "AuthKey_ABC123DEFG.p8").read_bytes())
        url = f"https://localhost:{self.apns['port']}"
        environment = {
            "PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": str(self.home), "LC_ALL": "C.UTF-8",
            "CARILLON": CARILLON, "MACHINE": str(folder), "APNS_URL": url, "APNS_CA": self.apns["ca"],
            "CARILLON_SERVE_APNS_URL": url, "CARILLON_SERVE_APNS_CA": self.apns["ca"],
        }
        self.shell = Shell(["bash"], environment, folder / "blocks")
        self.shell.run("home", f"cd '{self.home}'")

    def write_settings(self):
        """The settings of a package that was just installed."""
        settings = (ROOT / "Packaging/deb/carillon.yaml").read_text()
        (self.folder / "etc/carillon/carillon.yaml").write_text(self.prepared(settings))

    def is_lost(self):
        """Another machine takes the place of this one, and has nothing but the package and the folder of copies."""
        self.shell.run("lost", "systemctl stop carillon\n")
        for folder in ("var/lib/carillon", "etc/carillon"):
            shutil.rmtree(self.folder / folder)
            (self.folder / folder).mkdir(mode=0o700)
        self.write_settings()

    def prepared(self, text):
        for path in ("/etc/", "/var/"):
            text = re.sub(rf"(?<![\w.*]){path}", f"{self.folder}{path}", text)
        return text.replace("8080", str(self.phones_port)).replace("8081", str(self.operators_port))

    def registers(self):
        """The phone that the page's reader has in the hand."""
        call(f"http://127.0.0.1:{self.phones_port}/v1/devices", {
            "installation": "phone-1", "secret": "5e" * 32, "topic": "com.example.app", "environment": "sandbox",
            "token": self.apns["device_tokens"][0], "permission": "authorized"})

    def play(self):
        steps = [block for block in blocks() if not (block.needs_debian or block.is_alone or block.by_hand)]
        before = {"push": self.registers, "restore": self.is_lost}
        return play(steps, self.shell, before, prepared=self.prepared)

    def end(self):
        service = self.folder / "bin/serve.pid"
        self.shell.end()
        if service.exists():
            try:
                os.kill(int(service.read_text()), signal.SIGTERM)
            except ProcessLookupError:
                pass
        self.simulator.terminate()
        self.simulator.wait()


def call(url, body):
    subprocess.run(
        ["curl", "-sSf", url, "--header", "Content-Type: application/json", "--data", json.dumps(body)], check=True, stdout=subprocess.DEVNULL)


@pytest.fixture
def machine(tmp_path):
    machine = Machine(tmp_path)
    yield machine
    machine.end()


def test_the_steps_bring_a_push_to_a_phone_and_a_copy_back(machine):
    printed = machine.play()
    assert "com.example.app" in printed["key"]
    assert printed["push"].count('{"devices":1,') == 2
    assert "first: sent, 1 of 1 accepted" in printed["push"]
    data = machine.folder / "var/lib/carillon/carillon.sqlite"
    [copy] = (machine.folder / "var/backups/carillon").iterdir()
    assert (copy / "data/carillon.sqlite").read_bytes()[:16] == data.read_bytes()[:16]
    assert (copy / "etc/AuthKey_ABC123DEFG.p8").stat().st_mode & 0o077 == 0
    # The copy has the message, for the backend's key of before.
    shown = machine.shell.run("after", machine.prepared("carillon messages show --url http://127.0.0.1:8081 first\n"))
    assert '"accepted":1,' in shown
    # A link with the name of any copy of the next two minutes, as the service could plant it in a folder of its own.
    elsewhere = machine.folder / "elsewhere"
    elsewhere.mkdir()
    now = time.time()
    for second in range(120):
        name = time.strftime("%Y-%m-%d.%H%M%S", time.localtime(now + second))
        (machine.folder / "var/backups/carillon" / name).symlink_to(elsewhere)
    again = machine.shell.run("again", machine.prepared("/etc/cron.daily/carillon || echo refused\n"))
    assert again.endswith("refused") and not list(elsewhere.iterdir()), again


def test_the_block_without_apple_follows_a_push_to_the_screen(tmp_path):
    [block] = [block for block in blocks() if block.is_alone]
    text, ports = block.text, free_ports(2)
    for known, free in zip(("2197", "8080"), ports):
        assert known in text
        text = text.replace(known, str(free))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/carillon").symlink_to(CARILLON)
    shell = Shell(["bash"], os.environ | {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}, tmp_path)
    shell.run("folder", f"cd '{tmp_path}'")
    printed = shell.run(block.name, text)
    shell.end()
    end = time.monotonic() + PATIENCE
    while any(is_open(port) for port in ports):
        assert time.monotonic() < end, "a program of the block still runs"
        time.sleep(0.1)
    assert re.findall(r'\["(\w+)",', printed) == ["queued", "sent", "accepted", "shown"]


def test_each_block_has_a_name_and_what_is_by_hand_a_reason():
    names = [block.name for block in blocks()]
    assert names[:2] == ["yours", "install"] and len(names) > 10
    assert [block.name for block in blocks() if block.by_hand] == ["certificate", "socket"]
