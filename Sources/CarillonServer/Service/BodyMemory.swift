import Synchronization

/// Limits the memory for the request bodies of all HTTP calls together.
///
/// A body counts with the bytes that have come, whatever its `Content-Length` announces. Parts of the memory are reserved, so that
/// nobody can fill it alone: callers whose credentials are not known fill a quarter at most, and together with installations three
/// quarters. Installations and unknown callers of one network share an eighth, and one API key fills half.
final class BodyMemory: Sendable {
    /// A caller, as far as the service knows the caller when the body comes.
    enum Caller: Sendable, Hashable {
        case unknown
        case installation
        case key(String)
    }

    /// The body of one call.
    struct Body: Sendable, Hashable {
        var caller = Caller.unknown
        /// The network from which the call came; `nil` if it is unknown.
        ///
        /// All calls from unknown networks share a part.
        let network: IPAddress?
        /// The number of bytes that the body takes in memory.
        var bytes = 0
    }

    /// Callers that share a part of the memory.
    private enum Group: Hashable {
        case unknown
        case phones
        case network(IPAddress?)
        case key(String)
    }

    private struct State {
        var all = 0
        var groups: [Group: Int] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Creates a limit; no body is in memory yet.
    ///
    /// - Parameter limit: the greatest number of bytes that all bodies together may take.
    init(limit: Int) { self.limit = limit }

    /// Counts further bytes of a body, unless a limit would be exceeded.
    ///
    /// - Returns: whether the bytes were counted. If so, ``giveBack(_:)`` must be called when the HTTP call has ended.
    func take(_ bytes: Int, for body: inout Body) -> Bool {
        let groups = Self.groups(of: body)
        let isTaken = state.withLock { state in
            guard state.all + bytes <= limit,
                groups.allSatisfy({ state.groups[$0, default: 0] + bytes <= share(of: $0) })
            else { return false }
            state.all += bytes
            for group in groups { state.groups[group, default: 0] += bytes }
            return true
        }
        if isTaken { body.bytes += bytes }
        return isTaken
    }

    func giveBack(_ body: Body) {
        guard body.bytes > 0 else { return }
        state.withLock { state in
            state.all -= body.bytes
            for group in Self.groups(of: body) {
                let left = state.groups[group, default: 0] - body.bytes
                state.groups[group] = left > 0 ? left : nil
            }
        }
    }

    private static func groups(of body: Body) -> [Group] {
        switch body.caller {
        case .unknown: [.unknown, .phones, .network(body.network)]
        case .installation: [.phones, .network(body.network)]
        case .key(let id): [.key(id)]
        }
    }

    /// Returns the number of bytes that a group may take.
    ///
    /// The largest body always fits into a share.
    private func share(of group: Group) -> Int {
        switch group {
        case .unknown: max(ServiceLimits.installationBodyBytes, limit / 4)
        case .phones: max(ServiceLimits.appBodyBytes, limit / 4 * 3)
        case .network: max(ServiceLimits.appBodyBytes, limit / 8)
        case .key: max(ServiceLimits.backendBodyBytes, limit / 2)
        }
    }
}
