"""The pages' decisions, in Node.js and without a browser: the tests of Tests/Page beside the modules of all pages."""

import os
import shutil
import subprocess

from conftest import ROOT

PAGES = (
    "Sources/CarillonPage/Web", "Sources/CarillonServer/Console/Web", "Sources/CarillonPhones/LocalStack/Page/Web",
    "Sources/CarillonSimulator/Inbox/Web")
SCENES = ROOT / "Sources/CarillonPhones/LocalStack/Page/Presets/scenes.json"


def test_the_tests_of_the_page_s_modules_pass(tmp_path):
    for folder in (*PAGES, "Tests/Page"):
        shutil.copytree(ROOT / folder, tmp_path, dirs_exist_ok=True)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    run = subprocess.run(
        ["node", "--test", *sorted(str(file) for file in tmp_path.glob("*.test.mjs"))], capture_output=True, text=True, timeout=120,
        env={**os.environ, "SCENES": str(SCENES), "ROOT": str(ROOT)})
    assert run.returncode == 0, run.stdout[-6000:]
