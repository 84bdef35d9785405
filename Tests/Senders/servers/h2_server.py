"""The h2 library as somebody else's APNs: h2_server.py PORT MODE CERTIFICATE KEY FILE. Appends the apns-id of each request that
it has processed to FILE.

MODE: plain; goaway (in the middle: the last stream is an early one, what came after it is dropped); refuse (each third stream, each
push once, REFUSED_STREAM); shut (no window is opened until nothing has come for a while); shrink (SETTINGS that take the streams from
100 to 1 and the window from 65,535 to 7 bytes, and back); half (each tenth answer breaks off after its head); cut (TCP ends at
each hundredth request, without TLS' goodbye); dribble (every frame in pieces of one byte).
"""

import socket
import ssl
import sys
import threading

import h2.config
import h2.connection
import h2.events
import h2.settings

PORT, MODE, CERTIFICATE, KEY, FILE = sys.argv[1:6]
LOCK, WRITTEN = threading.Lock(), open(FILE, "a")
CODES = h2.settings.SettingCodes


class Connection:
    processed = 0  # on all connections
    refused = set()

    def __init__(self, tls):
        self.tls, self.streams, self.requests, self.owed = tls, 0, {}, []
        self.last = None  # after GOAWAY the last stream that is answered
        self.is_cut = False
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self.h2.local_settings.update({CODES.MAX_CONCURRENT_STREAMS: 100})
        self.h2.initiate_connection()
        self.flush()

    def flush(self):
        data = self.h2.data_to_send()
        if MODE == "dribble":
            for index in range(len(data)):
                self.tls.sendall(data[index : index + 1])
        elif data:
            self.tls.sendall(data)

    def run(self):
        while not self.is_cut:
            self.tls.settimeout(0.1 if self.owed else 60)
            try:
                data = self.tls.recv(65536)
            except TimeoutError:
                self.open_windows()
                continue
            if not data:
                return
            for event in self.h2.receive_data(data):
                self.received(event)
            self.flush()

    def open_windows(self):
        """Nothing has come for a while: whoever waits for room gets it."""
        owed, self.owed = self.owed, []
        for stream, count in owed:
            try:
                self.h2.acknowledge_received_data(count, stream)
            except h2.exceptions.StreamClosedError:
                pass
        self.flush()

    def received(self, event):
        if isinstance(event, h2.events.RequestReceived):
            self.streams += 1
            self.requests[event.stream_id] = dict(event.headers)
            apns_id = self.requests[event.stream_id]["apns-id"]
            if MODE == "refuse" and self.streams % 3 == 0 and apns_id not in Connection.refused:
                Connection.refused.add(apns_id)
                self.h2.reset_stream(event.stream_id, error_code=7)
                del self.requests[event.stream_id]
        elif isinstance(event, h2.events.DataReceived):
            if MODE == "shut":
                self.owed.append((event.stream_id, event.flow_controlled_length))
            else:
                self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded) and event.stream_id in self.requests:
            if self.last is None or event.stream_id <= self.last:
                self.answer(event.stream_id, self.requests.pop(event.stream_id)["apns-id"])

    def answer(self, stream, apns_id):
        with LOCK:
            Connection.processed += 1
            number = Connection.processed
            WRITTEN.write(apns_id + "\n")
            WRITTEN.flush()
        if MODE == "cut" and number % 100 == 0:
            # Not unwrap(): the other side sees the end of TCP and no close_notify.
            self.is_cut = True
            self.tls.shutdown(socket.SHUT_RDWR)
            return
        if MODE == "half" and number % 10 == 0:
            self.h2.send_headers(stream, [(":status", "200"), ("apns-id", apns_id)])
            self.h2.reset_stream(stream, error_code=2)
            return
        self.h2.send_headers(stream, [(":status", "200"), ("apns-id", apns_id)], end_stream=True)
        if MODE == "goaway" and number % 40 == 0:
            self.last = stream
            self.flush()
            # By hand: the library takes nothing more in once it has said GOAWAY itself.
            frame = b"\0\0\x08\7\0" + bytes(4) + stream.to_bytes(4, "big") + bytes(4)
            self.tls.sendall(frame)
        if MODE == "shrink" and number % 50 == 0:
            small = number % 100 == 50
            self.h2.update_settings(
                {CODES.MAX_CONCURRENT_STREAMS: 1 if small else 100, CODES.INITIAL_WINDOW_SIZE: 7 if small else 65535}
            )


def serve(raw, context):
    try:
        with context.wrap_socket(raw, server_side=True) as tls:
            Connection(tls).run()
    except (OSError, ssl.SSLError):
        pass


context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain(CERTIFICATE, KEY)
context.set_alpn_protocols(["h2"])
with socket.create_server(("127.0.0.1", int(PORT))) as listener:
    while True:
        raw, _ = listener.accept()
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=serve, args=(raw, context), daemon=True).start()
