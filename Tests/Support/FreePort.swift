#if os(Linux)
    import Glibc

    /// Finds ports of this machine, for programs that cannot choose a free one themselves.
    package enum FreePort {
        package struct NoneLeft: Error {}

        /// Returns a port that was free a moment ago.
        package static func find() throws -> Int {
            guard let port = LoopbackSocket.freePort() else { throw NoneLeft() }
            return Int(port)
        }

        /// Returns whether a process accepts connections at a port.
        package static func isTaken(_ port: Int) -> Bool {
            let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            guard file >= 0 else { return false }
            defer { close(file) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            address.sin_port = UInt16(clamping: port).bigEndian
            return withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }
    }
#endif
