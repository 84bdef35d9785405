import Foundation
import Synchronization

/// A web server on a port of its own, with what a service extension is to attach.
final class MediaServer: Sendable {
    struct File: Sendable {
        var type = "image/png"
        var byteCount = 100
    }

    let port: UInt16
    /// The paths that are asked for, as they are.
    let requests: AsyncStream<String>
    private let asked: AsyncStream<String>.Continuation
    private let socket: Int32
    private let files: [String: File]
    private let held = Mutex<[Int32]>([])

    struct CannotListen: Error {}

    /// - Parameter files: by path. A request for `/never.png` is taken and never answered.
    init(_ files: [String: File]) throws {
        self.files = files
        (requests, asked) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(100))
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let file = socket
        let hasBegun = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, size) == 0 && listen(file, 16) == 0 && getsockname(file, $0, &size) == 0
            }
        }
        guard hasBegun else { throw CannotListen() }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in serve() }
    }

    /// Ends it and every request that is still open.
    func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
        hangUp()
    }

    /// Ends the requests that it never answered.
    func hangUp() {
        let open = held.withLock { held in
            defer { held = [] }
            return held
        }
        for connection in open { close(connection) }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    private func serve() {
        while true {
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else { return }
            answer(connection)
        }
    }

    private func answer(_ connection: Int32) {
        var request = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while request.range(of: Data("\r\n\r\n".utf8)) == nil {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            request += buffer[..<count]
        }
        let words = String(decoding: request, as: UTF8.self).split(separator: " ", maxSplits: 2)
        let path = words.count > 1 ? String(words[1]) : ""
        if path == "/never.png" { held.withLock { $0.append(connection) } }
        asked.yield(path)
        guard path != "/never.png" else { return }
        let file = files[path]
        let head =
            "HTTP/1.1 \(file == nil ? "404 Not Found" : "200 OK")\r\nContent-Length: \(file?.byteCount ?? 0)\r\n"
            + "Content-Type: \(file?.type ?? "text/plain")\r\nConnection: close\r\n\r\n"
        let bytes = Array(Data(head.utf8) + Data(count: file?.byteCount ?? 0))
        _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        close(connection)
    }
}
