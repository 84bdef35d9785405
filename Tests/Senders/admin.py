"""A foreign user of the admin port: urllib and sockets only.

Reads one JSON document from standard input: url, steps. A step has method, path, an optional body
and optional headers; or "attach" with a
device's id, which opens its stream of pushes and keeps it; or "take" with the id and the number of pushes to wait for;
or "detach". Writes the answers: for a request its status and body, for "take" the pushes.
"""

import http.client
import json
import sys
import urllib.parse


def main():
    setup = json.load(sys.stdin)
    url = urllib.parse.urlparse(setup["url"])
    streams = {}
    answers = []

    def connect():
        return http.client.HTTPConnection(url.hostname, url.port, timeout=60)

    for step in setup["steps"]:
        if "attach" in step:
            connection = connect()
            connection.request("GET", step.get("path") or f"/devices/{step['attach']}/pushes")
            response = connection.getresponse()
            assert response.headers["content-type"] == "text/event-stream"
            while response.readline().strip():
                pass
            streams[step["attach"]] = (connection, response)
        elif "take" in step:
            _, response = streams[step["take"]]
            pushes = []
            while len(pushes) < step["count"]:
                line = response.readline().decode()
                if line.startswith("data: "):
                    pushes.append(json.loads(line[6:]))
            answers.append(pushes)
        elif "detach" in step:
            connection, response = streams.pop(step["detach"])
            response.close()
            connection.close()
        else:
            connection = connect()
            body = json.dumps(step["body"]) if "body" in step else None
            connection.request(step["method"], step["path"], body=body, headers=step.get("headers", {}))
            response = connection.getresponse()
            text = response.read().decode()
            kind = response.headers.get("content-type", "")
            answers.append({"status": response.status, "body": json.loads(text) if "json" in kind else text})
            connection.close()
    json.dump(answers, sys.stdout)


main()
