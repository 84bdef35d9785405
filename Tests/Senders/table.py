"""A foreign sender: plays a table of cases against an APNs host and says what came back.

Reads one JSON document from standard input:
  host, port, ca (PEM), key (PEM), key_id, team_id, now (UNIX seconds), cases.
Each case has a name and requests; the requests of a case share one connection, and each case has a connection of its
own. A request has: method, path, headers (pairs), body (text) or body_length, and token, which is absent (no
authorization header), a text (sent as it is), or a dictionary of deviations from a good token:
  claims, header (replace single members; null removes one), algorithm, key (PEM), tamper (a changed signature), der
  (the signature as openssl makes it), serial (any text: another token that says the same).
Writes one JSON document: for each case its name and its answers: status, headers, body.
"""

import base64
import concurrent.futures
import json
import ssl
import subprocess
import sys
import tempfile

import httpx
import jwt


def make_token(setup, spec):
    if isinstance(spec, str):
        return spec
    claims = {"iss": setup["team_id"], "iat": setup["now"]}
    claims.update(spec.get("claims", {}))
    header = {"kid": setup["key_id"], "typ": "JWT"}
    header.update(spec.get("header", {}))
    claims = {name: value for name, value in claims.items() if value is not None}
    header = {name: value for name, value in header.items() if value is not None}
    algorithm = spec.get("algorithm", "ES256")
    key = {"HS256": "a shared secret that is long enough for HMAC", "none": None}.get(
        algorithm, spec.get("key", setup["key"])
    )
    token = jwt.encode(claims, key, algorithm=algorithm, headers=header)
    if spec.get("der"):
        token = sign_with_openssl(token, key)
    if spec.get("tamper"):
        parts = token.split(".")
        parts[2] = ("A" if parts[2][0] != "A" else "B") + parts[2][1:]
        token = ".".join(parts)
    return "bearer " + token


def sign_with_openssl(token, key):
    """The command-line recipe: openssl dgst -sha256 -sign, whose signature is DER."""
    text = token.rsplit(".", 1)[0]
    with tempfile.NamedTemporaryFile("w", suffix=".p8") as file:
        file.write(key)
        file.flush()
        signature = subprocess.run(
            ["openssl", "dgst", "-binary", "-sha256", "-sign", file.name],
            input=text.encode(), capture_output=True, check=True, timeout=60,
        ).stdout
    return text + "." + base64.urlsafe_b64encode(signature).decode().rstrip("=")


def make_context(setup):
    context = ssl.create_default_context(cadata=setup["ca"])
    if "client_certificate" in setup:
        with tempfile.NamedTemporaryFile("w", suffix=".pem") as file:
            file.write(setup["client_certificate"] + setup["client_key"])
            file.flush()
            context.load_cert_chain(file.name)
    return context


def play(setup, case):
    tokens = {}
    answers = []
    origin = f"https://{setup['host']}:{setup['port']}"
    context = make_context({**setup, **case.get("setup", {})})
    with httpx.Client(http1=False, http2=True, verify=context, timeout=60) as client:
        for request in case["requests"]:
            headers = [tuple(pair) for pair in request.get("headers", [])]
            if "token" in request:
                # The same deviations give the same token, as a sender reuses its token.
                name = json.dumps(request["token"], sort_keys=True)
                if name not in tokens:
                    tokens[name] = make_token(setup, request["token"])
                headers.append(("authorization", tokens[name]))
            body = request.get("body", "").encode() or b"x" * request.get("body_length", 0)
            try:
                answer = client.request(
                    request.get("method", "POST"), origin + request["path"], headers=headers, content=body
                )
                answers.append(
                    {
                        "status": answer.status_code,
                        "headers": dict(answer.headers),
                        "body": answer.text,
                        "version": answer.http_version,
                    }
                )
            except httpx.HTTPError as error:
                answers.append({"error": f"{type(error).__name__}: {error}"})
    return {"name": case["name"], "answers": answers}


def main():
    setup = json.load(sys.stdin)
    with concurrent.futures.ThreadPoolExecutor(max_workers=setup.get("threads", 4)) as pool:
        results = list(pool.map(lambda case: play(setup, case), setup["cases"]))
    json.dump(results, sys.stdout)


main()
