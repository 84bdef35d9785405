import CarillonCore
import Foundation
import Glibc

/// An HTTP connection that receives the pushes of one phone as server-sent events.
///
/// The stream uses a plain socket. On Linux, `URLSession` keeps a core busy while a request waits for its response, and this
/// request waits for hours.
final class PushStream: @unchecked Sendable {
    // Unchecked, because every variable is used only on `queue`.
    private let queue = DispatchQueue(label: "carillon.push-stream")
    private let address: (host: String, port: String)
    private let request: String
    private let clock: any CarillonClock
    private let deliver: @Sendable (IncomingPush) -> Void
    private var isOpen = true
    private var source: (any DispatchSourceRead)?
    private var events = EventStreamReader()
    private var retry: ScheduledAction?
    private var waitingForFirst: CheckedContinuation<Void, Never>?

    init(url: URL, clock: any CarillonClock, deliver: @escaping @Sendable (IncomingPush) -> Void) {
        let host = url.host(percentEncoded: false) ?? "127.0.0.1"
        address = (host, String(url.port ?? 80))
        request = "GET \(url.path(percentEncoded: true)) HTTP/1.1\r\nhost: \(host)\r\naccept: text/event-stream\r\n\r\n"
        self.clock = clock
        self.deliver = deliver
    }

    /// Connects the phone to the simulator.
    ///
    /// This method returns when the simulator lists the phone as online, or when the first attempt to connect has failed.
    func open() async {
        await withCheckedContinuation { continuation in
            queue.async {
                guard self.isOpen else { return continuation.resume() }
                self.waitingForFirst = continuation
                self.connect()
            }
        }
    }

    /// Closes the stream, which delivers no push after this method has returned.
    func close() {
        queue.sync {
            isOpen = false
            retry?.cancel()
            source?.cancel()
            source = nil
            firstAttemptIsOver()
        }
    }

    private func connect() {
        guard let socket = Self.connectedSocket(to: address), Self.write(request, to: socket) else { return tryLater() }
        events = EventStreamReader()
        let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
        source.setEventHandler { [weak self] in self?.read(from: socket) }
        source.setCancelHandler { Glibc.close(socket) }
        self.source = source
        source.resume()
    }

    private func read(from socket: Int32) {
        var buffer = [UInt8](repeating: 0, count: PhoneLimits.readBytes)
        let count = Glibc.read(socket, &buffer, buffer.count)
        guard count > 0 else { return tryLater() }
        do {
            try events.read(buffer[..<count]) { event in
                // The first event is a comment, with which the simulator reports that the phone is online.
                firstAttemptIsOver()
                if let push = event.flatMap(IncomingPush.init(json:)) { deliver(push) }
            }
        } catch {
            tryLater()
        }
    }

    private func tryLater() {
        source?.cancel()
        source = nil
        firstAttemptIsOver()
        retry = clock.schedule(after: PhoneLimits.reconnectPause) { [weak self] in
            guard let self else { return }
            self.queue.async { if self.isOpen { self.connect() } }
        }
    }

    private func firstAttemptIsOver() {
        waitingForFirst?.resume()
        waitingForFirst = nil
    }

    private static func connectedSocket(to address: (host: String, port: String)) -> Int32? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.host, address.port, &hints, &found) == 0 else { return nil }
        defer { freeaddrinfo(found) }
        for candidate in sequence(first: found, next: { $0?.pointee.ai_next }).prefix(while: { $0 != nil }) {
            guard let info = candidate?.pointee else { continue }
            let socket = Glibc.socket(info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), info.ai_protocol)
            guard socket >= 0 else { continue }
            if Glibc.connect(socket, info.ai_addr, info.ai_addrlen) == 0 { return socket }
            Glibc.close(socket)
        }
        return nil
    }

    /// Writes the HTTP request, and closes the socket if that fails.
    ///
    /// The request has a few hundred bytes, so a new connection either accepts it as a whole or is broken.
    private static func write(_ text: String, to socket: Int32) -> Bool {
        let bytes = Array(text.utf8)
        guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            Glibc.close(socket)
            return false
        }
        return true
    }
}

extension IncomingPush {
    /// Parses a push from the JSON of the simulator's admin port; `nil` for any other data.
    init?(json data: Data) {
        guard let json = try? JSONValue(parsing: data), let topic = json["bundle_id"]?.stringValue,
            let type = json["push_type"]?.stringValue.flatMap(PushType.init(rawValue:)),
            let apnsID = json["apns_id"]?.stringValue.flatMap(UUID.init(uuidString:)),
            let payload = try? json["payload"]?.encoded()
        else { return nil }
        self.init(
            topic: topic, pushType: type, payload: payload, collapseID: json["collapse_id"]?.stringValue,
            apnsID: apnsID, priority: json["priority"]?.intValue ?? 10,
            token: json["token"]?.stringValue.flatMap { DeviceToken(hex: $0)?.data },
            channelID: json["channel"]?.stringValue)
    }
}
