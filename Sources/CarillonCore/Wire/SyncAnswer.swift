/// What an installation must know to be in step, answered to every contact: a registration, a batch of receipts,
/// `GET /v1/devices/{id}/sync`.
package struct SyncAnswer: Sendable, Hashable, Codable {
    /// The service's clock, since the phone's own may be wrong.
    package var now: Timestamp
    /// Messages that must not be on this phone's screen, and why; not yet confirmed by it.
    package var removals: [Removal]
    /// The number of the user's unread messages, which is the badge; absent when the installation has no user.
    package var unread: Int?
    /// The last eight hexadecimal digits of the device token to which the installation's pushes go.
    ///
    /// Where they are not those of the phone that asks, another phone registers as the same installation: a backup has
    /// brought its files there. Absent when there is no token.
    package var tokenEnd: String?

    /// What an installation must know.
    package init(now: Timestamp, removals: [Removal], unread: Int?, tokenEnd: String? = nil) {
        self.now = now
        self.removals = removals
        self.unread = unread
        self.tokenEnd = tokenEnd
    }

    private enum CodingKeys: String, CodingKey {
        case now, removals, unread
        case tokenEnd = "token_end"
    }
}
