import CarillonCore
import Logging
import NIOCore
import Synchronization

/// The open HTTP connections of the service, counted in all and by address.
///
/// If a limit is reached, the service closes each further connection without an answer, which costs almost nothing.
final class OpenConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var addresses: [IPAddress: Int] = [:]
        var refused = 0
        var limits: ConnectionLimits
        /// The proxies, which are exempt from the limit on one address because they carry the connections of
        /// many clients.
        var proxies: TrustedProxies
    }

    private let state: Mutex<State>
    private let clock: any CarillonClock
    private let logger: Logger
    private let reminder = LogReminder()

    init(_ limits: ConnectionLimits, proxies: TrustedProxies, clock: any CarillonClock, logger: Logger) {
        state = Mutex(State(limits: limits, proxies: proxies))
        self.clock = clock
        self.logger = logger
    }

    /// The number of open connections, and the number of refused connections.
    var counts: (open: Int, refused: Int) { state.withLock { ($0.channels.count, $0.refused) } }

    /// Changes the limits; connections that are already open stay open.
    func adjust(_ limits: ConnectionLimits, proxies: TrustedProxies) {
        state.withLock { ($0.limits, $0.proxies) = (limits, proxies) }
    }

    /// Counts a connection as open until it is closed, if the limits allow it.
    ///
    /// - Returns: whether the service takes the connection; if not, the caller must close it.
    func take(_ channel: any Channel) -> Bool {
        // A peer of the Unix socket is a proxy, and has no address.
        let address = Peer(channel)?.address
        let id = ObjectIdentifier(channel)
        let (isTaken, network): (Bool, IPAddress?) = state.withLock { state in
            let network = address.flatMap { state.proxies.contains($0) ? nil : $0.network }
            let isOneTooMany =
                state.channels.count >= state.limits.all
                || network.map { state.addresses[$0, default: 0] >= state.limits.perAddress } ?? false
            if isOneTooMany {
                state.refused += 1
                return (false, network)
            }
            state.channels[id] = channel
            if let network { state.addresses[network, default: 0] += 1 }
            return (true, network)
        }
        guard isTaken else {
            tell(address)
            return false
        }
        channel.closeFuture.whenComplete { [weak self] _ in self?.giveBack(id, network) }
        return true
    }

    private func giveBack(_ id: ObjectIdentifier, _ network: IPAddress?) {
        state.withLock { state in
            state.channels[id] = nil
            guard let network, let count = state.addresses[network] else { return }
            state.addresses[network] = count > 1 ? count - 1 : nil
        }
    }

    private func tell(_ address: IPAddress?) {
        guard reminder.count(at: clock.uptime) != nil else { return }
        logger.warning(
            "connections are refused, because too many are open",
            metadata: [
                "from": "\(address.map(\.description) ?? "?")", "open": "\(counts.open)",
                "refused": "\(counts.refused)",
            ])
    }

    /// Closes all connections, including those with a request under way.
    func closeAll() {
        for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
    }
}
