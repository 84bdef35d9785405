import CarillonCore

/// The identifiers of messages that must not be shown (again), so that a removal that overtakes its message wins.
///
/// A tombstone stands until APNs can no longer deliver the message: at most 30 days, the longest that APNs keeps one
/// ([Sending notification requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)).
public struct Tombstones: Sendable, Hashable, Codable {
    /// Beyond this many the one that would fall first is given up.
    public static let countLimit = 1000
    public static let longestLife = Duration.seconds(30 * 24 * 3600)

    private var ends: [String: Timestamp] = [:]

    public init() {}

    public var count: Int { ends.count }

    /// - Parameter until: the message's APNs expiration, if it is known; at most 30 days count.
    public mutating func bury(_ identifier: String, until: Timestamp? = nil, at serviceNow: Timestamp) {
        let latest = serviceNow + Self.longestLife
        ends[identifier] = max(ends[identifier] ?? serviceNow, min(until ?? latest, latest))
        prune(at: serviceNow)
    }

    public func contains(_ identifier: String, at serviceNow: Timestamp) -> Bool {
        guard let end = ends[identifier] else { return false }
        return serviceNow <= end
    }

    /// The identifier may be shown again: it names something new.
    public mutating func exhume(_ identifier: String) { ends[identifier] = nil }

    public mutating func prune(at serviceNow: Timestamp) {
        ends = ends.filter { serviceNow <= $0.value }
        while ends.count > Self.countLimit, let first = ends.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            ends[first.key] = nil
        }
    }
}
