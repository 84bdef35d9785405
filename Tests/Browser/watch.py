"""The phones as `GET /events` tells of them, for what needs no browser to be seen (docs/page-api.md, Events)."""

import contextlib
import http.client
import json
import socket
import threading


class Watch:
    """What the event stream has said so far, by the phones' ids."""

    def __init__(self, host):
        self.states, self.lists, self.views = {}, {}, {}
        self.changed = threading.Condition()
        self.connection = http.client.HTTPConnection(host)
        self.connection.request("GET", "/events")
        self.lines = self.connection.getresponse()
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def _listen(self):
        event = None
        # A stream that ends in the midst of a line has been closed.
        with contextlib.suppress(OSError, ValueError, http.client.HTTPException, AttributeError):
            for line in self.lines:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "event":
                    event = value
                elif name == "data":
                    self._take(event, json.loads(value))

    def _take(self, event, data):
        with self.changed:
            if event == "phone":
                self.states[data["id"]] = data
            elif event == "view":
                self.views[data["phone"]] = data.get("view")
            elif event == "notifications":
                self._change(self.lists.setdefault(data["phone"], []), data)
            self.changed.notify_all()

    @staticmethod
    def _change(known, change):
        if change["reset"]:
            known.clear()
        put = {one["id"]: one for one in change["put"]}
        staying = {one["id"] for one in known} - set(change["gone"])
        known[:] = [one for id, one in put.items() if id not in staying] + [
            put.get(one["id"], one) for one in known if one["id"] in staying]

    def wait(self, holds, seconds, said=""):
        """Waits until `holds()` of what has been heard."""
        with self.changed:
            assert self.changed.wait_for(holds, seconds), said

    def close(self):
        self.connection.sock.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.connection.close()
