import Foundation
import Synchronization

/// A web server on a port of its own, with whatever an app under test is to download.
final class LoopbackServer: Sendable {
    let port: UInt16
    private let socket: Int32
    private let files: [String: Data]
    private let state = Mutex(State())
    /// The paths that are asked for, as they are.
    let requests: AsyncStream<String>
    private let asked: AsyncStream<String>.Continuation

    private struct State {
        var paths: [String] = []
        var held: [Int32] = []
    }

    /// A request for this path is taken and never answered.
    static let silentPath = "/never"

    struct CannotListen: Error {}

    init(files: [String: Data]) throws {
        self.files = files
        (requests, asked) = AsyncStream.makeStream()
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
        for connection in state.withLock(\.held) { close(connection) }
    }

    func url(_ path: String) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw URLError(.badURL) }
        return url
    }

    /// What was asked for, in order.
    var paths: [String] { state.withLock(\.paths) }

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
        state.withLock { $0.paths.append(path) }
        asked.yield(path)
        guard path != Self.silentPath else { return state.withLock { $0.held.append(connection) } }
        let body = files[path]
        let head = "HTTP/1.1 \(body == nil ? "404 Not Found" : "200 OK")\r\nContent-Length: \(body?.count ?? 0)\r\n"
        let answer = Array(Data("\(head)Connection: close\r\n\r\n".utf8) + (body ?? Data()))
        _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        close(connection)
    }
}
