"""checked.py [FAULT]: a sender of one alert to each token of $APNS_DEVICE_TOKENS, for `carillon check-sender`.

Without FAULT it does what APNs asks of a sender. Each FAULT is a mistake that real senders have made; with "key-only" and
"own-payload" it cannot be put into all situations.
"""

import json
import os
import ssl
import sys
import time
import uuid

import httpx
import jwt
from cryptography import x509

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
TRIES, PAUSE = 4, 0.1
PASSING = {429, 500, 502, 503, 504}
KEY = os.environ["APNS_KEY"] if FAULT == "key-only" else os.environ.get("APNS_KEY")
PAYLOAD = os.environ["APNS_PAYLOAD"]
if FAULT == "adds-blanks":
    PAYLOAD = json.dumps(json.loads(PAYLOAD))
elif FAULT == "own-payload":
    PAYLOAD = '{"aps":{"alert":"Hello"}}'


def ends_soon(certificate):
    with open(certificate, "rb") as file:
        end = x509.load_pem_x509_certificate(file.read()).not_valid_after_utc
    return end.timestamp() < time.time() + 86_400


class Sender:
    def __init__(self):
        self.connect()
        self.sign()

    def connect(self):
        trust = ssl.create_default_context(cafile=os.environ["APNS_CA"])
        if FAULT == "tls13":
            trust.minimum_version = ssl.TLSVersion.TLSv1_3
        if not KEY and "APNS_CERTIFICATE" in os.environ:
            trust.load_cert_chain(os.environ["APNS_CERTIFICATE"])
        network = httpx.HTTPTransport(
            http2=True, http1=False, verify=trust, local_address="0.0.0.0" if FAULT == "ipv4" else None)
        self.client = httpx.Client(transport=network, timeout=60 if FAULT == "waits-for-ever" else 8)

    def sign(self):
        if not KEY:
            return
        with open(KEY) as file:
            key = file.read()
        self.issued = time.time()
        self.token = jwt.encode(
            {"iss": os.environ["APNS_TEAM_ID"], "iat": int(self.issued)}, key, algorithm="ES256",
            headers={"kid": os.environ["APNS_KEY_ID"]})

    def attempt(self, token, apns_id):
        if FAULT == "signs-each":
            self.sign()
        if FAULT == "connection-each":
            self.client.close()
            self.connect()
        headers = {"apns-topic": os.environ["APNS_TOPIC"], "apns-push-type": "alert"}
        if KEY:
            headers["authorization"] = f"bearer {self.token}"
        if FAULT == "no-push-type":
            del headers["apns-push-type"]
        if FAULT != "new-id":
            headers["apns-id"] = apns_id
        return self.client.post(
            f"{os.environ['APNS_URL']}/3/device/{token}", headers=headers, content=PAYLOAD)

    def send(self, token):
        """Whether APNs has taken the push."""
        apns_id = "b5e1f0a4-96f3-4d1c-8a40-0f7d6f1f2c11" if FAULT == "one-id" else str(uuid.uuid4())
        asked = 0
        for number in range(200 if FAULT == "storm" else TRIES):
            if number and FAULT != "storm":
                time.sleep(max(PAUSE * 2**number, 0 if FAULT == "hasty" else asked))
            try:
                answer = self.attempt(token, apns_id)
            except httpx.TransportError:
                if FAULT == "gives-up":
                    return False
                self.client.close()
                self.connect()
                continue
            if answer.status_code == 200:
                return True
            asked = float(answer.headers.get("retry-after", 0))
            reason = answer.json().get("reason") if answer.headers.get("content-type", "").startswith("application/json") or answer.text.startswith("{") else ""
            if reason == "ExpiredProviderToken" and FAULT != "keeps-token":
                self.sign()
            elif answer.status_code not in PASSING and FAULT not in ("sends-again", "keeps-token"):
                return False
            elif FAULT == "no-retry":
                return False
        return False


def main():
    if FAULT == "fears-end" and not KEY and ends_soon(os.environ["APNS_CERTIFICATE"]):
        sys.exit(1)
    sender = Sender()
    results = [sender.send(token) for token in os.environ["APNS_DEVICE_TOKENS"].split()]
    sys.exit(0 if all(results) or FAULT == "claims-success" else 1)


main()
