import CarillonCore

/// The messages that must not be shown (again), so that a removal that overtakes its message wins.
///
/// A tombstone stands until APNs can no longer deliver the message: at most 30 days, the longest that APNs keeps one
/// ([Sending notification requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)).
/// It stands for one revision and those before it: the same id sent again later is another message.
public struct Tombstones: Sendable, Hashable, Codable {
    /// Beyond this many the one that would fall first is given up.
    public static let countLimit = 1000
    public static let longestLife = Duration.seconds(30 * 24 * 3600)

    private struct Stone: Sendable, Hashable, Codable {
        var end: Timestamp
        var revision: Int
        var reason: Removal.Reason?
    }

    private var stones: [String: Stone] = [:]

    public init() {}

    public var count: Int { stones.count }

    /// - Parameters:
    ///   - revision: the last revision that is meant. The default is 1.
    ///   - reason: why the service wants it gone; `nil` when it was the person's doing on this phone.
    ///   - until: the message's APNs expiration, if it is known; at most 30 days count.
    public mutating func bury(
        _ name: String, revision: Int = 1, reason: Removal.Reason? = .recall, until: Timestamp? = nil,
        at serviceNow: Timestamp
    ) {
        let latest = serviceNow + Self.longestLife
        let end = max(stones[name]?.end ?? serviceNow, min(until ?? latest, latest))
        stones[name] = Stone(
            end: end, revision: max(revision, stones[name]?.revision ?? revision), reason: reason)
        prune(at: serviceNow)
    }

    public func contains(_ name: String, revision: Int = 1, at serviceNow: Timestamp) -> Bool {
        guard let stone = stones[name] else { return false }
        return serviceNow <= stone.end && revision <= stone.revision
    }

    /// Why the service wanted it gone, if it did.
    public func reason(_ name: String) -> Removal.Reason? { stones[name]?.reason }

    /// The name may be shown again: it means something new.
    public mutating func exhume(_ name: String) { stones[name] = nil }

    public mutating func prune(at serviceNow: Timestamp) {
        stones = stones.filter { serviceNow <= $0.value.end }
        while stones.count > Self.countLimit,
            let first = stones.min(by: { ($0.value.end, $0.key) < ($1.value.end, $1.key) })
        {
            stones[first.key] = nil
        }
    }
}
