#!/usr/bin/env python3
"""make-man.py: makes a program's man pages, and its completions for bash, zsh and fish, from its own description.

    scripts/make-man.py PROGRAM FOLDER

The pages go to FOLDER/usr/share/man/man1: one for the program, and one for each of its commands, such as carillon-messages(1),
with the command's subcommands. The completions go to the folders of Debian's shells.
"""

import gzip
import json
import pathlib
import subprocess
import sys

COMPLETIONS = {
    "bash": "bash-completion/completions/{}",
    "zsh": "zsh/vendor-completions/_{}",
    "fish": "fish/vendor_completions.d/{}.fish",
}


def roff(text):
    """A text as roff shows it, in which no line is a request."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("^", "\\(ha").replace("~", "\\(ti")
    return "\n".join("\\&" + line if line.startswith((".", "\\(aq")) else line for line in lines.split("\n"))


def names(argument):
    """The names of an option, such as -h, --help; None for a value without a name."""
    found = argument.get("names") or []
    return ", ".join(
        ("--" if each["kind"] == "long" else "-") + each["name"] for each in sorted(found, key=lambda each: each["kind"] == "long"))


def synopsis(command, path):
    words = [" ".join(path)]
    for argument in shown(command):
        name = names(argument)
        value = f"<{argument.get('valueName', 'value')}>"
        word = value if argument["kind"] == "positional" else name.split(", ")[-1]
        if argument["kind"] == "option":
            word += f" {value}"
        words.append(f"[{word}]" if argument["isOptional"] else word)
    if commands(command):
        words.append("<command>")
    return " ".join(words)


def shown(command):
    """The arguments of a command, without those that every command has."""
    return [each for each in command.get("arguments") or [] if each["shouldDisplay"] and each["valueName"] not in ("help", "version")]


def commands(command):
    return [each for each in command.get("subcommands") or [] if each["commandName"] != "help" and each.get("shouldDisplay", True)]


def discussion(text):
    """A command's longer text: indented lines, such as examples, stay as they are."""
    lines, verbatim = [], False
    for line in text.rstrip().split("\n"):
        is_verbatim = line.startswith("  ")
        if is_verbatim != verbatim:
            lines.append(".nf" if is_verbatim else ".fi")
            verbatim = is_verbatim
        lines.append(roff(line) if line.strip() else ".PP" if not verbatim else "")
    return lines + ([".fi"] if verbatim else [])


def options(command):
    lines = []
    for argument in shown(command):
        name = names(argument)
        value = f"<{argument.get('valueName', 'value')}>"
        title = value if argument["kind"] == "positional" else f"{name} {value}" if argument["kind"] == "option" else name
        lines += [".TP", f".B {roff(title)}"]
        text = argument.get("abstract", "")
        if argument.get("defaultValue") and "(default" not in text:
            text += f" (default: {argument['defaultValue']})"
        if argument.get("allValues"):
            text += f" One of: {', '.join(argument['allValues'])}."
        lines.append(roff(text.strip()) or "\\&")
    return lines


def section(command, path, is_part):
    """The lines about a command; as a part of its parent's page, under a heading of its own."""
    lines = [f'.SS "{roff(" ".join(path))}"', roff(command.get("abstract", ""))] if is_part else []
    lines += [".PP", f".B {roff(synopsis(command, path))}"] if is_part else []
    if command.get("discussion"):
        lines += [".PP", *discussion(command["discussion"])]
    if is_part:
        return lines + options(command)
    return lines + ([".SH OPTIONS", *options(command)] if shown(command) else [])


def page(command, path, version):
    """The page of a command with all its subcommands."""
    name = "-".join(path)
    lines = [
        f'.TH "{roff(name.upper())}" 1 "" "Carillon {roff(version)}" "Carillon"',
        ".SH NAME", f"{roff(name)} \\- {roff(command.get('abstract', '').rstrip('.'))}",
        ".SH SYNOPSIS", f".B {roff(synopsis(command, path))}", ".SH DESCRIPTION",
        *section(command, path, False),
    ]
    if commands(command):
        lines.append(".SH COMMANDS")
        pending = [(each, path + [each["commandName"]]) for each in commands(command)]
        while pending:
            each, names_of = pending.pop(0)
            if len(path) == 1:
                lines += [".TP", f".BR {roff('-'.join(names_of))} (1)", roff(each.get("abstract", ""))]
                continue
            lines += section(each, names_of, True)
            pending = [(one, names_of + [one["commandName"]]) for one in commands(each)] + pending
    lines += [".SH SEE ALSO", "/usr/share/doc/carillon"]
    return "\n".join(lines) + "\n"


def pages(command, version):
    """The pages of a program, by name."""
    path = [command["commandName"]]
    found = {path[0]: page(command, path, version)}
    for each in commands(command):
        found["-".join(path + [each["commandName"]])] = page(each, path + [each["commandName"]], version)
    return found


def run(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True, timeout=60).stdout


def main(program, folder):
    share = pathlib.Path(folder) / "usr/share"
    description = json.loads(run(program, "--experimental-dump-help"))["command"]
    manual = share / "man/man1"
    manual.mkdir(parents=True, exist_ok=True)
    for name, text in pages(description, run(program, "--version").strip()).items():
        # Without a time, so that the same text gives the same file.
        (manual / f"{name}.1.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    for shell, place in COMPLETIONS.items():
        path = share / place.format(description["commandName"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(run(program, "--generate-completion-script", shell))


if __name__ == "__main__":
    main(*sys.argv[1:])
