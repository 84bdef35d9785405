"""The plainest server there is: nghttpd, which answers each request with an empty file and knows nothing of APNs."""
import secrets
import socket
import subprocess
import sys
import time

# As APNs has been seen to allow.
STREAMS = 1000


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, stderr=subprocess.DEVNULL)


class PlainServer:
    """nghttpd in a folder, with a certificate and a key of its own; it has what the benchmark asks of a simulator."""

    team = "SIMTEAM001"

    def __init__(self, folder):
        folder.mkdir()
        self.folder, self.port = folder, free_port()
        self.ca, self.key, own = folder / "ca.pem", folder / "AuthKey_SIMKEY0001.p8", folder / "key.pem"
        curve = ("-pkeyopt", "ec_paramgen_curve:P-256")
        openssl("req", "-x509", "-newkey", "ec", *curve, "-nodes", "-keyout", own, "-out", self.ca, "-days", 2,
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
        openssl("genpkey", "-algorithm", "EC", *curve, "-out", self.key)
        token = secrets.token_hex(32)
        (folder / "3/device").mkdir(parents=True)
        (folder / "3/device" / token).touch()
        self.tokens, self.urls = folder / "tokens.txt", folder / "urls.txt"
        self.tokens.write_text(token + "\n")
        self.urls.write_text(f"https://127.0.0.1:{self.port}/3/device/{token}\n")
        self.process = subprocess.Popen(
            ["nghttpd", "--address=127.0.0.1", "-m", str(STREAMS), "-d", str(folder), str(self.port), str(own),
             str(self.ca)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait()

    def wait(self):
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        sys.exit("error: nghttpd did not start")

    def stop(self):
        self.process.terminate()
        self.process.wait()
