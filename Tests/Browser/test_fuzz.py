"""A few seconds of `make fuzz-page`: payloads and presses of any kind, over all apps of the page, never end the stack."""

import os
import signal
import subprocess
import sys
import time

from conftest import CARILLON, PATIENCE_MS, ROOT

SCRIPT = ROOT / "scripts" / "fuzz-page.py"
# `.ci/run` sets CARILLON_DRAW, so that each run there has the same seed.
SEED = ["--seed", os.environ["CARILLON_DRAW"]] if "CARILLON_DRAW" in os.environ else []
LIMIT_S = 240


def start(tmp_path, *arguments, program=CARILLON):
    return subprocess.Popen(
        [sys.executable, SCRIPT, "--carillon", program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)})


def test_a_few_seconds_of_any_payloads_and_presses_never_end_the_stack(tmp_path):
    run = start(tmp_path, "--minutes", "0.1", *SEED)
    said, _ = run.communicate(timeout=LIMIT_S)
    assert run.returncode == 0, said
    assert said.startswith("SEED=") and "and still works" in said
    assert list(tmp_path.iterdir()) == [], "it leaves nothing"


def test_a_stack_that_ends_is_noticed_with_the_seed_and_the_last_calls(tmp_path):
    mortal = tmp_path / "mortal"
    mortal.write_text(f'#!/bin/sh\nexec timeout --signal KILL 5 "{CARILLON}" "$@"\n')
    mortal.chmod(0o755)
    run = start(tmp_path, "--minutes", "5", "--seed", "7", program=mortal)
    said, _ = run.communicate(timeout=LIMIT_S)
    assert run.returncode == 1, said
    for part in ("FAILED: ", "The program has ended with", "SEED=7", "The last calls about phone-1:"):
        assert part in said, said
    assert list(tmp_path.iterdir()) == [mortal]


def test_ctrl_c_ends_it_and_leaves_nothing(tmp_path):
    run = start(tmp_path, "--minutes", "5")
    assert run.stdout.readline().startswith("SEED=")
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not list(tmp_path.glob("carillon-fuzz.*/data/api.key")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    said, _ = run.communicate(timeout=LIMIT_S)
    assert run.returncode == 130 and "Interrupted." in said, said
    assert list(tmp_path.iterdir()) == []
