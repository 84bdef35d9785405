#!/usr/bin/env python3
"""Adds the answers that a file of version1/ does not have yet: record.py version1/NAME.json

It plays all exchanges of the file against a new service, and writes the answers of those that have none. What was recorded once
is never written anew: if an answer differs from it, nothing is written, and the differences are printed.
"""

import json
import pathlib
import sys
import tempfile

from exchanges import Player, recorded
from world import World


def main(path):
    text = pathlib.Path(path).read_text()
    exchanges = json.loads(text)
    with tempfile.TemporaryDirectory() as folder:
        world = World(pathlib.Path(folder))
        try:
            player = Player(world)
            for exchange in exchanges:
                answer, faults = player.play(exchange)
                if faults:
                    print(f"{exchange['request']['method']} {exchange['request']['path']}:", *faults, sep="\n  ")
                    print(json.dumps(answer, indent=1, ensure_ascii=False))
                    return 1
                exchange.setdefault("answer", recorded(answer))
        finally:
            world.end()
    pathlib.Path(path).write_text(json.dumps(exchanges, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
