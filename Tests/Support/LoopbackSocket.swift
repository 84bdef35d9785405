#if os(Linux)
    import Foundation
    import Glibc

    /// The few system calls that a ``WebServer`` and a ``CuttingProxy`` make.
    enum LoopbackSocket {
        /// - Returns: a socket that listens on a free port, and the port; `nil` when no port is free.
        static func listening() -> (socket: Int32, port: UInt16)? {
            let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            guard file >= 0 else { return nil }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let hasBegun = withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(file, $0, size) == 0 && listen(file, 16) == 0 && getsockname(file, $0, &size) == 0
                }
            }
            guard hasBegun else {
                close(file)
                return nil
            }
            return (file, UInt16(bigEndian: address.sin_port))
        }

        /// - Returns: a port that is free now; `nil` when there is none.
        static func freePort() -> UInt16? {
            guard let (socket, port) = listening() else { return nil }
            close(socket)
            return port
        }

        /// - Returns: a connection to a Unix socket; `nil` when no process listens there.
        static func connected(to path: String) -> Int32? {
            let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            guard file >= 0 else { return nil }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let isConnected = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(file, $0, size) == 0 }
            }
            if isConnected { return file }
            close(file)
            return nil
        }

        /// Reads a request up to the first empty line, or to the end of the connection.
        static func requestHead(_ connection: Int32) -> String {
            var request = Data()
            var buffer = [UInt8](repeating: 0, count: 4096)
            while request.range(of: Data("\r\n\r\n".utf8)) == nil {
                let count = recv(connection, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                request += buffer[..<count]
            }
            return String(decoding: request, as: UTF8.self)
        }

        /// - Returns: whether all bytes were sent.
        static func write(_ data: Data, to connection: Int32) -> Bool {
            data.withUnsafeBytes { bytes in
                var sent = 0
                while sent < bytes.count {
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                    let count = send(connection, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                    guard count > 0 else { return false }
                    sent += count
                }
                return true
            }
        }
    }
#endif
