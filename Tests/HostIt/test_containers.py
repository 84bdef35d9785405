"""Packaging/compose and Packaging/kubernetes: what they name exists, and fits together.

No engine of containers is asked: the commands of the containers run as processes, and test_rolling_update.py replaces them.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import urllib.request

import pytest
import yaml

from containers import COMPOSE, KUBERNETES, MANIFESTS, Service, deployments, option, options_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
CARILLON = os.environ.get("CARILLON", str(ROOT / ".build/debug/carillon"))
PODS = deployments()
# Settings that stand nowhere in a file: each is an option of the command line only.
ONLY_OPTIONS = {"config"}


@pytest.fixture(scope="module")
def serve():
    """The options of `carillon serve`, each with whether it has a value."""
    run = subprocess.run([CARILLON, "--experimental-dump-help"], capture_output=True, text=True, timeout=30, check=True)
    [command] = [each for each in json.loads(run.stdout)["command"]["subcommands"] if each["commandName"] == "serve"]
    return {name["name"]: argument["kind"] == "option" for argument in command["arguments"] for name in argument.get("names") or []}


def commands():
    """The words of each container that runs `carillon serve`."""
    yield "compose", COMPOSE["services"]["carillon"]["command"]
    for name, pod in PODS.items():
        yield name, pod["containers"][0]["args"]


@pytest.mark.parametrize("name, words", list(commands()))
def test_every_option_exists_and_has_a_value_where_it_needs_one(serve, name, words):
    assert words[0] == "serve"
    for word in words[1:]:
        found = re.fullmatch(r"--([a-z-]+)(?:=(.+))?", word)
        assert found and found.group(1) in serve, f"{name}: {word}"
        assert serve[found.group(1)] == bool(found.group(2)), f"{name}: {word}"


def test_every_setting_of_the_config_map_is_on_the_page_of_settings(serve):
    settings = yaml.safe_load(MANIFESTS["ConfigMap"]["carillon"]["data"]["carillon.yaml"])
    page = (ROOT / "docs/configuration.md").read_text()
    known = set(re.findall(r"^\| `([a-z-]+)`", page, re.MULTILINE))
    assert len(known) > 30 and set(settings) <= known and set(settings) <= set(serve)
    for name, words in commands():
        assert {option for option, _ in options_of(words)} <= known | ONLY_OPTIONS, name


def test_the_image_is_of_this_version_and_the_others_are_pinned():
    version = re.search(r'text = "([\d.]+)', (ROOT / "Sources/CommandSupport/CommandVersion.swift").read_text()).group(1)
    images = [service["image"] for service in COMPOSE["services"].values()] + [pod["containers"][0]["image"] for pod in PODS.values()]
    assert images.count(f"carillon:{version}") == 3
    for image in images:
        assert image == f"carillon:{version}" or re.fullmatch(r"docker\.io/library/[a-z]+:\d+", image), image
    page = (ROOT / "docs/host-it-in-containers.md").read_text()
    assert set(re.findall(r"\bcarillon:\d[\d.]*\b", page)) == {f"carillon:{version}"}


def test_ports_and_probes_meet_what_listens():
    for name, pod in PODS.items():
        [container] = pod["containers"]
        words = container["args"]
        ports = {port["name"]: port["containerPort"] for port in container["ports"]}
        listens = {"operators": int(option(words, "operator-port"))}
        if "--role=api" in words:
            listens["phones"] = int(option(words, "port"))
            assert option(words, "host") == "0.0.0.0"
        assert ports == listens, name
        assert option(words, "operator-host") == "0.0.0.0"
        for probe, path in (("startupProbe", "/livez"), ("readinessProbe", "/readyz"), ("livenessProbe", "/livez")):
            assert container[probe]["httpGet"] == {"path": path, "port": "operators"}, f"{name}: {probe}"
        # It listens only with its database: a restart while that is away would help nobody.
        assert container["startupProbe"]["periodSeconds"] * container["startupProbe"]["failureThreshold"] >= 600
    [service] = MANIFESTS["Service"].values()
    api = PODS["carillon-api"]["containers"][0]
    for port in service["spec"]["ports"]:
        assert {"name": port["targetPort"], "containerPort": port["port"]} in api["ports"]
    assert service["spec"]["selector"].items() <= MANIFESTS["Deployment"]["carillon-api"]["spec"]["template"]["metadata"]["labels"].items()
    [ingress] = MANIFESTS["Ingress"].values()
    for rule in ingress["spec"]["rules"]:
        for path in rule["http"]["paths"]:
            backend = path["backend"]["service"]
            # Operators' calls are for the cluster alone.
            assert backend == {"name": service["metadata"]["name"], "port": {"name": "phones"}}


def test_a_rolling_update_ends_nothing_before_its_successor_is_ready():
    for name, deployment in MANIFESTS["Deployment"].items():
        spec = deployment["spec"]
        assert spec["strategy"] == {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}, name
        assert spec["replicas"] >= 2 and spec["selector"]["matchLabels"].items() <= spec["template"]["metadata"]["labels"].items()
        pause = spec["template"]["spec"]["containers"][0].get("lifecycle", {}).get("preStop", {}).get("exec", {}).get("command", ["", "0"])
        # docs/what-happens-when.md: it ends within ten seconds.
        assert spec["template"]["spec"]["terminationGracePeriodSeconds"] >= int(pause[1]) + 15, name
        budget = MANIFESTS["PodDisruptionBudget"][name]["spec"]
        assert budget["selector"] == spec["selector"] and budget["minAvailable"] < spec["replicas"]
    assert set(yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())["resources"]) | {"kustomization.yaml"} == {
        file.name for file in KUBERNETES.glob("*.yaml")}


def test_secrets_are_files_that_nobody_else_reads_and_no_manifest_has_one():
    assert "Secret" not in MANIFESTS
    for name, pod in PODS.items():
        context, [container] = pod["securityContext"], pod["containers"]
        # A number, since Kubernetes does not look a name up.
        assert context["runAsNonRoot"] and context["fsGroup"] == context["runAsGroup"] == context["runAsUser"] == 10001, name
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
        volumes = {volume["name"]: volume for volume in pod["volumes"]}
        mounts = {mount["mountPath"]: volumes[mount["name"]] for mount in container["volumeMounts"]}
        assert mounts["/etc/carillon/secrets"]["secret"] == {"secretName": "carillon", "defaultMode": 0o440}
        assert mounts["/etc/carillon/settings"]["configMap"]["name"] == "carillon"
        assert option(container["args"], "config") == "/etc/carillon/settings/carillon.yaml"
    settings = yaml.safe_load(MANIFESTS["ConfigMap"]["carillon"]["data"]["carillon.yaml"])
    words = dict(options_of(COMPOSE["services"]["carillon"]["command"]))
    assert "./secrets:/etc/carillon/secrets:ro" in COMPOSE["services"]["carillon"]["volumes"]
    page = (ROOT / "docs/host-it-in-containers.md").read_text()
    for setting in ("database-file", "sign-in-secret", "key"):
        for path in (settings[setting], words[setting]):
            assert path.startswith("/etc/carillon/secrets/"), path
        # Both blocks of the page make it.
        assert page.count(pathlib.PurePath(settings[setting]).name.replace("AuthKey_ABC123DEFG.p8", "$KEY")) >= 2, setting


def test_the_variables_of_compose_are_those_of_its_example():
    example = dict(re.findall(r"^(\w+)=(.*)$", (COMPOSE_FOLDER / "env.example").read_text(), re.MULTILINE))
    text = (COMPOSE_FOLDER / "compose.yaml").read_text()
    assert set(re.findall(r"\$\{(\w+)", text)) == set(example)
    proxy = COMPOSE["services"]["proxy"]
    assert set(re.findall(r"\{\$(\w+)\}", (COMPOSE_FOLDER / "Caddyfile").read_text())) == set(proxy["environment"])
    for service in COMPOSE["services"].values():
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert source in COMPOSE["volumes"] or source.startswith("./secrets") or (COMPOSE_FOLDER / source).exists(), volume


def test_the_proxy_of_compose_reaches_the_ports_of_the_service():
    words = COMPOSE["services"]["carillon"]["command"]
    text = (COMPOSE_FOLDER / "Caddyfile").read_text()
    assert re.findall(r"reverse_proxy (\S+)", text) == [f"carillon:{option(words, 'port')}", f"carillon:{option(words, 'operator-port')}"]
    published = {port.split(":")[0] for port in COMPOSE["services"]["proxy"]["ports"]}
    assert published == {"80", "443", "8443"} and "ports" not in COMPOSE["services"]["carillon"]
    # Only the proxy is in that network beside the service and its database.
    assert option(words, "trusted-proxy") == COMPOSE["networks"]["default"]["ipam"]["config"][0]["subnet"]
    # What backends send is not cut off: docs/import.md.
    assert "max_size 100MB" in text


def test_caddy_takes_its_file():
    if shutil.which("caddy") is None:
        pytest.skip("caddy is not installed")
    run = subprocess.run(
        ["caddy", "validate", "--config", COMPOSE_FOLDER / "Caddyfile", "--adapter", "caddyfile"], capture_output=True, text=True,
        timeout=60, env=os.environ | {"NAME": "push.example.com", "BACKENDS": "198.51.100.0/24"}, check=False)
    assert run.returncode == 0, run.stderr


COMPOSE_FOLDER = KUBERNETES.parent / "compose"


def test_the_command_of_compose_serves_and_its_health_is_seen(tmp_path):
    """As a process, with SQLite in PostgreSQL's place: test_rolling_update.py has PostgreSQL."""
    service = Service(tmp_path)
    try:
        words = COMPOSE["services"]["carillon"]["command"]
        check = COMPOSE["services"]["carillon"]["healthcheck"]["test"]
        process = service.starts(words, data=tmp_path / "data")
        script = check[3].replace("8081", str(process.operators))
        assert subprocess.run(check[1:3] + [script], timeout=30, check=False).returncode == 0
        with urllib.request.urlopen(f"http://127.0.0.1:{process.operators}/", timeout=30) as page:
            assert b"<html" in page.read()
        process.ends()
        assert subprocess.run(check[1:3] + [script], timeout=30, stderr=subprocess.DEVNULL, check=False).returncode != 0
    finally:
        service.end()
