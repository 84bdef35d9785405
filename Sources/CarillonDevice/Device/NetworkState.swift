import Synchronization

/// Whether the phone has a network, for any thread.
final class NetworkState: Sendable {
    private let online = Mutex(true)

    var isOnline: Bool {
        get { online.withLock { $0 } }
        set { online.withLock { $0 = newValue } }
    }
}
