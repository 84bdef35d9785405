import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Looks up hosts' addresses with the system's resolver.
///
/// The resolver blocks a thread, and cannot be stopped. So each look-up has a thread of its own, and a name that hangs delays no
/// other name. The number of hanging look-ups of one name is limited (``ClientLimits/lookUpsOfOneName``).
package final class HostLookUp: Sendable {
    typealias Resolve = @Sendable (_ host: String, _ port: Int) throws -> [SocketAddress]

    /// The look-ups of all clients of this process.
    package static let shared = HostLookUp(resolve: lookUp)

    private let resolve: Resolve
    /// The number of look-ups in progress, for each name.
    private let running = Mutex<[String: Int]>([:])

    init(resolve: @escaping Resolve) { self.resolve = resolve }

    /// The error for a host name that has no address or cannot be resolved.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Returns a host's addresses, in the order in which the system's resolver lists them.
    ///
    /// - Parameters:
    ///   - host: a name or an address.
    ///   - port: the TCP port that each address gets.
    ///   - eventLoop: the event loop of the returned future. The look-up itself blocks another thread.
    /// - Returns: one address or more. The future fails with ``Failure``.
    package func addresses(of host: String, port: Int, on eventLoop: any EventLoop) -> EventLoopFuture<[SocketAddress]>
    {
        let promise = eventLoop.makePromise(of: [SocketAddress].self)
        guard begin(host) else {
            promise.fail(Failure(description: "earlier look-ups of the name \(host) still have no answer"))
            return promise.futureResult
        }
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        thread.submit { [self] _ in
            let result = Result { try resolve(host, port) }
            end(host)
            promise.completeWith(result)
            thread.shutdownGracefully { _ in }
        }
        return promise.futureResult
    }

    private func begin(_ host: String) -> Bool {
        running.withLock { running in
            guard running[host, default: 0] < ClientLimits.lookUpsOfOneName else { return false }
            running[host, default: 0] += 1
            return true
        }
    }

    private func end(_ host: String) {
        running.withLock { running in
            let left = running[host, default: 1] - 1
            running[host] = left > 0 ? left : nil
        }
    }

    private static func lookUp(_ host: String, port: Int) throws -> [SocketAddress] {
        var found: UnsafeMutablePointer<addrinfo>?
        // Without hints, glibc omits IPv4 or IPv6 addresses if the machine has only the loopback address of that family.
        var hints = addrinfo()
        let status = getaddrinfo(host, String(port), &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard status == 0 else {
            throw Failure(
                description:
                    "the name \(host) cannot be resolved (\(String(cString: gai_strerror(status)).lowercased()))")
        }
        var addresses: [SocketAddress] = []
        var next = found
        while let entry = next?.pointee {
            // The result lists each address once for each kind of socket.
            if let address = address(of: entry, host: host), !addresses.contains(address) { addresses.append(address) }
            next = entry.ai_next
        }
        guard !addresses.isEmpty else { throw Failure(description: "the name \(host) has no address") }
        return addresses
    }

    private static func address(of entry: addrinfo, host: String) -> SocketAddress? {
        guard let bytes = UnsafeRawPointer(entry.ai_addr) else { return nil }
        return switch entry.ai_family {
        case AF_INET: SocketAddress(bytes.loadUnaligned(as: sockaddr_in.self), host: host)
        case AF_INET6: SocketAddress(bytes.loadUnaligned(as: sockaddr_in6.self), host: host)
        default: nil
        }
    }
}

/// The order in which a host's addresses are tried.
///
/// IPv4 and IPv6 addresses alternate ([RFC 8305 §4](https://www.rfc-editor.org/rfc/rfc8305#section-4)). An address moves to the
/// end if the last attempt there failed after TCP had connected, for example during TLS. NIO tries several addresses in a race
/// that ends when TCP connects, so NIO does not notice such a failure.
struct AddressOrder: Sendable {
    /// The sequence number of the last failure, for each address whose last attempt failed.
    private var failures: [SocketAddress: Int] = [:]
    private var failureCount = 0

    mutating func failed(_ address: SocketAddress) {
        // Starts again with an empty table when too many addresses have failed.
        if failures.count >= ClientLimits.failedAddressesKept { failures.removeAll() }
        failureCount += 1
        failures[address] = failureCount
    }

    mutating func worked(_ address: SocketAddress) { failures[address] = nil }

    /// Sorts addresses: first the addresses without a failure, then the failed ones, from the oldest failure to the latest.
    func sorted(_ addresses: [SocketAddress]) -> [SocketAddress] {
        let ranked = Self.alternating(addresses).enumerated().map { (failures[$1] ?? 0, $0, $1) }
        return ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    private static func alternating(_ addresses: [SocketAddress]) -> [SocketAddress] {
        guard let first = addresses.first else { return [] }
        var (own, other) = (addresses.filter { $0.protocol == first.protocol }[...], ArraySlice<SocketAddress>())
        other = addresses.filter { $0.protocol != first.protocol }[...]
        var sorted: [SocketAddress] = []
        while !own.isEmpty || !other.isEmpty {
            if let address = own.popFirst() { sorted.append(address) }
            if let address = other.popFirst() { sorted.append(address) }
        }
        return sorted
    }
}

/// A resolver that returns addresses that are already known.
///
/// NIO tries these addresses in a race, in their order (RFC 8305).
package struct KnownAddresses: Resolver {
    let addresses: [SocketAddress]
    let eventLoop: any EventLoop

    package init(addresses: [SocketAddress], eventLoop: any EventLoop) {
        (self.addresses, self.eventLoop) = (addresses, eventLoop)
    }

    package func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        eventLoop.makeSucceededFuture([])
    }

    /// Returns all addresses, both IPv4 and IPv6, in the order of `addresses`; NIO tries them in that order.
    package func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        eventLoop.makeSucceededFuture(addresses)
    }

    package func cancelQueries() {}
}

extension SocketAddress {
    /// The address and the port, such as `17.188.0.1:443` or `[::1]:443`.
    var text: String {
        guard let ipAddress, let port else { return description }
        return ipAddress.utf8.contains(UInt8(ascii: ":")) ? "[\(ipAddress)]:\(port)" : "\(ipAddress):\(port)"
    }
}
