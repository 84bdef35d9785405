"""once.py LIBRARY: sends one alert to each token of $APNS_DEVICE_TOKENS through a library, for `carillon check-sender`.

    carillon check-sender -- .venv-senders/bin/python Tests/Senders/matrix/once.py aioapns

It ends well if the library said 200 for each.
"""

import json
import os
import pathlib
import subprocess
import sys

tokens = os.environ["APNS_DEVICE_TOKENS"].split()
names = ["host", "ca", "topic"] + (["key", "key_id", "team_id"] if "APNS_KEY" in os.environ else ["certificate"])
setup = {name: os.environ[f"APNS_{name.upper()}"] for name in names}
setup["payload"] = json.loads(os.environ["APNS_PAYLOAD"])
lines = [{**setup, "port": int(os.environ["APNS_PORT"])}, {"tokens": tokens, "clock": 0}]
sender = subprocess.run(
    [sys.executable, pathlib.Path(__file__).with_name("python_sender.py"), sys.argv[1]], text=True, stdout=subprocess.PIPE,
    input="".join(f"{json.dumps(line)}\n" for line in lines))
print(sender.stdout, end="")
answers = json.loads(sender.stdout.splitlines()[-1]) if sender.stdout else {}
sys.exit(0 if answers == {"200": len(tokens)} else 1)
