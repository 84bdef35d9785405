/// What an installation must know to be in step, answered to every contact: a registration, a batch of receipts,
/// `GET /v1/devices/{id}/sync`.
public struct SyncAnswer: Sendable, Hashable, Codable {
    /// The service's clock.
    public var now: Timestamp
    /// Messages that must not be on this phone's screen, and why; not yet confirmed by it.
    public var removals: [Removal]
    /// The user's unread messages: the badge. Absent when the installation is not bound to a user.
    public var unread: Int?

    public init(now: Timestamp, removals: [Removal], unread: Int?) {
        self.now = now
        self.removals = removals
        self.unread = unread
    }
}
