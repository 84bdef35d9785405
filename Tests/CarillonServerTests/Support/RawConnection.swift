import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A connection that sends bytes as they are, for requests that no HTTP client makes.
struct RawConnection: Sendable {
    private let file: Int32

    init(port: Int) throws {
        file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        // An answer that never comes fails the test, and does not hang it.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let isConnected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw POSIXError(.ECONNREFUSED) }
    }

    func close() { _ = Glibc.close(file) }

    func endSending() { _ = shutdown(file, Int32(SHUT_WR)) }

    func send(_ text: String) async {
        await onThread {
            let data = Data(text.utf8)
            var sent = 0
            while sent < data.count {
                let count = data.withUnsafeBytes { bytes in
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                    return Glibc.send(file, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                sent += count
            }
        }
    }

    /// Reads until the text has come so often, or to the end of the connection.
    func read(until text: String? = nil, times: Int = 1) async -> String {
        await onThread {
            var all = Data()
            var buffer = [UInt8](repeating: 0, count: 16_384)
            while true {
                let count = recv(file, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                all += buffer[..<count]
                if let text, String(decoding: all, as: UTF8.self).components(separatedBy: text).count > times { break }
            }
            return String(decoding: all, as: UTF8.self)
        }
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            // A thread of its own: those of Dispatch are few, and the service that is waited for needs them.
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }
}
