"""What a client of version 1 has once been answered, it is answered for ever: version1/README.md."""

import json
import pathlib
import re

import pytest

from exchanges import Player, differences, recorded
from world import World, call

FILES = sorted((pathlib.Path(__file__).parent / "version1").glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_client_of_version_1_is_answered_as_ever(file, tmp_path):
    world = World(tmp_path)
    try:
        player = Player(world)
        for number, exchange in enumerate(json.loads(file.read_text())):
            answer, faults = player.play(exchange)
            place = f"{file.name}, exchange {number}: {exchange['request']['method']} {exchange['request']['path']}"
            assert "answer" in exchange, f"{place} has no answer: Tests/Clients/record.py adds it"
            assert not faults, f"{place}\n  " + "\n  ".join(faults) + "\n" + json.dumps(answer, indent=1)
    finally:
        world.end()


def test_every_documented_call_is_recorded_with_a_success(tmp_path):
    played = {
        (each["request"]["method"], each["request"]["path"].split("?")[0])
        for file in FILES for each in json.loads(file.read_text()) if each["answer"]["status"] < 300}
    world = World(tmp_path)
    try:
        document = call("GET", f"{world.url}/openapi.json")
    finally:
        world.end()
    for path, operations in document["paths"].items():
        pattern = re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)))
        for method in operations:
            assert any(each == method.upper() and pattern.fullmatch(place) for each, place in played), f"{method} {path}"


@pytest.mark.parametrize("change", [
    {"state": "sent"}, {"counts": {"accepted": "1"}}, {"counts": {}}, {"at": "yesterday"}, {"list": [1]}, {"flag": 1}, {"status": True}])
def test_a_change_that_breaks_a_client_is_a_difference(change):
    answer = {"state": "accepted", "counts": {"accepted": 1}, "at": "2027-01-31T12:00:00.000Z", "list": [1, 2], "flag": True, "status": 1}
    kept = recorded(answer)
    assert list(differences(kept, answer | {"new": 1})) == []
    assert list(differences(kept, answer | change))
    for member in answer:
        assert list(differences(kept, {name: value for name, value in answer.items() if name != member}))
