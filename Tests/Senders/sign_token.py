"""Signs a provider token with PyJWT: reads key (PEM), key_id, team_id, now from standard input, writes the token."""

import json
import sys

import jwt

setup = json.load(sys.stdin)
json.dump(
    jwt.encode(
        {"iss": setup["team_id"], "iat": setup["now"]}, setup["key"], algorithm="ES256", headers={"kid": setup["key_id"]}
    ),
    sys.stdout,
)
