"""A server that answers as a test says: what a service, a proxy and a network do on their worst day."""

import json
import socket
import threading
import time


def answer(status, body=b"", **headers):
    """The bytes of an answer. A body that is no text is sent as JSON."""
    kind = "text/html" if isinstance(body, str) else "application/json"
    raw = body.encode() if isinstance(body, str) else body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} Whatever", f"content-length: {len(raw)}", f"content-type: {kind}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + raw


def problem(status, name, detail="this is wrong", **headers):
    body = {"type": f"urn:carillon:problem:{name}", "title": "A title", "status": status, "detail": detail, "pointer": "/to"}
    return answer(status, body, **headers)


#: The connection ends without an answer; nothing comes, and the connection stays.
CUT, SILENCE = b"", None


class Request:
    def __init__(self, head, body):
        first, *lines = head.decode("latin-1").split("\r\n")
        self.method, self.target, _ = first.split(" ", 2)
        self.headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        self.body = body


class Scripted:
    """Answers the requests that come with `answers`, in their order. `requests` are those that came."""

    def __init__(self, *answers):
        self.answers, self.requests = list(answers), []
        self.came = threading.Event()
        #: An answer whose bytes come one by one, in the place of a silence.
        self.trickle = b""
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.open = []

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()
        for each in self.open:
            each.close()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.open.append(connection)
            threading.Thread(target=self.serve, args=[connection], daemon=True).start()

    def serve(self, connection):
        stream = connection.makefile("rb")
        try:
            while head := self.head(stream):
                length = [line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
                chunked = b"transfer-encoding: chunked" in head.lower()
                self.requests.append(Request(head, self.chunks(stream) if chunked else stream.read(int(length[0]) if length else 0)))
                self.came.set()
                if not self.answers:
                    break
                each = self.answers.pop(0)
                if each is SILENCE:
                    head, _, body = self.trickle.partition(b"\r\n\r\n")
                    connection.sendall(head + b"\r\n\r\n" if head else b"")
                    for index in range(len(body)):
                        time.sleep(0.5)
                        connection.sendall(body[index : index + 1])
                    return
                connection.sendall(each)
                if each == CUT or not self.is_whole(each):
                    break
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def is_whole(self, raw):
        head, _, body = raw.partition(b"\r\n\r\n")
        return f"content-length: {len(body)}\r\n".encode() in head + b"\r\n"

    def head(self, stream):
        lines = []
        while (line := stream.readline()) not in (b"", b"\r\n"):
            lines.append(line.rstrip(b"\r\n"))
        return b"\r\n".join(lines)

    def chunks(self, stream):
        body = b""
        while size := int(stream.readline(), 16):
            body += stream.read(size)
            stream.readline()
        stream.readline()
        return body
