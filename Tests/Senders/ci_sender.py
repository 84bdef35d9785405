"""A sender as a project has it: reads where APNs is from $APNS_DIRECTORY/simulator.json and sends one alert to each token.

An argument is the topic to send for, if it is to be another one. The exit status is 0 if everything was answered 200.
"""

import json
import os
import pathlib
import ssl
import sys
import time

import httpx
import jwt

setup = json.loads((pathlib.Path(os.environ["APNS_DIRECTORY"]) / "simulator.json").read_text())
token = jwt.encode(
    {"iss": setup["team_id"], "iat": int(time.time())},
    pathlib.Path(setup["key"]).read_text(),
    algorithm="ES256",
    headers={"kid": setup["key_id"]},
)
headers = {
    "authorization": f"bearer {token}",
    "apns-topic": sys.argv[1] if len(sys.argv) > 1 else setup["topic"],
    "apns-push-type": "alert",
}
with httpx.Client(http1=False, http2=True, verify=ssl.create_default_context(cafile=setup["ca"])) as client:
    statuses = [
        client.post(
            f"https://{setup['host']}:{setup['port']}/3/device/{device}",
            headers=headers,
            content=b'{"aps":{"alert":"Hello"}}',
        ).status_code
        for device in setup["device_tokens"]
    ]
print(*statuses)
sys.exit(0 if set(statuses) == {200} else 1)
