"""The man pages and completions that the Debian package has, as a shell and a reader use them."""

import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CARILLON = os.environ.get("CARILLON", str(ROOT / ".build/debug/carillon"))


def run(*arguments, **options):
    return subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=False, **options)


@pytest.fixture(scope="module")
def share(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    made = run(sys.executable, ROOT / "scripts/make-man.py", CARILLON, folder)
    assert made.returncode == 0, made.stderr
    return folder / "usr/share"


@pytest.fixture(scope="module")
def command():
    return json.loads(run(CARILLON, "--experimental-dump-help").stdout)["command"]


def described(command):
    """All commands below a command, with the words that call them."""
    for each in command.get("subcommands") or []:
        if each["commandName"] != "help":
            yield [each["commandName"]], each
            for words, below in described(each):
                yield [each["commandName"], *words], below


def test_every_command_and_option_is_on_a_page_that_man_takes_without_a_warning(share, command):
    if shutil.which("man") is None:
        pytest.skip("man is not installed")
    texts = {}
    for path in sorted((share / "man/man1").iterdir()):
        plain = path.with_suffix("")
        plain.write_bytes(gzip.decompress(path.read_bytes()))
        shown = run("man", "--warnings", "-E", "UTF-8", "-l", plain, env=os.environ | {"MANWIDTH": "200", "MANOPT": ""})
        plain.unlink()
        assert shown.returncode == 0 and shown.stderr == "", (path, shown.stderr)
        texts[path.name.removesuffix(".1.gz")] = shown.stdout
    assert len(texts) > 15 and "SYNOPSIS" in texts["carillon"]
    for words, each in described(command):
        text = texts["carillon-" + words[0]]
        if len(words) == 1:
            assert f"carillon-{words[0]}(1)" in texts["carillon"]
        assert "carillon " + " ".join(words) in text
        for argument in each.get("arguments") or []:
            for name in argument.get("names") or []:
                if argument["shouldDisplay"] and name["kind"] == "long" and name["name"] not in ("help", "version"):
                    assert f"--{name['name']}" in text, (words, name)


@pytest.mark.parametrize("shell, option", [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")])
def test_the_shell_reads_its_completions(share, shell, option):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    places = {"bash": "bash-completion/completions/carillon", "zsh": "zsh/vendor-completions/_carillon",
              "fish": "fish/vendor_completions.d/carillon.fish"}
    read = run(shell, option, share / places[shell])
    assert read.returncode == 0 and read.stderr == "", read.stderr


@pytest.mark.parametrize("line, expected", [
    ("carillon mess", ["messages"]), ("carillon messages rese", ["resend"]), ("carillon stats --camp", ["--campaign", "--campaigns"]),
])
def test_bash_completes_commands_and_options(share, line, expected):
    script = f"""
        source {share}/bash-completion/completions/carillon
        COMP_LINE={line!r}; COMP_POINT=${{#COMP_LINE}}; COMP_WORDS=($COMP_LINE); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        COMPREPLY=()
        $(complete -p carillon | sed -n 's/.*-F \\([^ ]*\\).*/\\1/p') carillon "${{COMP_WORDS[-1]}}" "${{COMP_WORDS[-2]}}"
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    completed = run("bash", "-c", script)
    assert sorted(word.strip() for word in completed.stdout.split()) == expected, (completed.stdout, completed.stderr)
