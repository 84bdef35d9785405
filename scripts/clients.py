#!/usr/bin/env python3
"""Makes the types and calls of the client libraries in clients/ from the OpenAPI document of a running service.

  scripts/clients.py URL           writes the files; URL is a service's address, or the path of a saved document
  scripts/clients.py URL --check   says which files would change, and ends with 1 if any would

How a request is made, repeated and read is written by hand in each language; clients/README.md tells what is where.
"""

import argparse
import pathlib
import sys
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from clientmodel import go, java, python, typescript  # noqa: E402
from clientmodel.model import Model, load  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]


def document(place):
    if place.startswith(("http://", "https://")):
        with urllib.request.urlopen(place.rstrip("/") + "/openapi.json", timeout=20) as answer:
            return load(answer.read())
    return load(pathlib.Path(place).read_bytes())


def files(model):
    """The generated files by their path in clients/."""
    made = {}
    for language in (python, typescript, go, java):
        made |= language.files(model)
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("place", metavar="URL")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "clients")
    arguments = parser.parse_args()
    stale = []
    for name, text in files(Model(document(arguments.place))).items():
        path = arguments.folder / name
        if path.exists() and path.read_text() == text:
            continue
        stale.append(str(path))
        if not arguments.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    verb = "is not what the document says; scripts/clients.py writes it:" if arguments.check else "written:"
    for path in stale:
        print(verb, path)
    return 1 if stale and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
