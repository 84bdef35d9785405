import CarillonCore

/// Answers a device's request to sync.
struct Syncing: SessionPart {
    let session: StoreSession
    private let own: OwnPushes
    private let unread: UnreadMessages

    init(_ session: StoreSession) {
        self.session = session
        own = OwnPushes(session)
        unread = UnreadMessages(session)
    }

    /// Returns the answer to a device's request to sync.
    ///
    /// The answer contains the device's unconfirmed removals (requests to remove a message), its user's unread count, and the
    /// last digits of its token.
    ///
    /// - Parameters:
    ///   - device: the device's id.
    ///   - limit: the greatest number of removals.
    /// - Returns: the answer; `nil` for an unknown device.
    /// - Throws: the errors of the database.
    func answer(to device: String, limit: Int) throws -> SyncAnswer? {
        guard let row = try row("SELECT app, user, token FROM devices WHERE id = ?", [device]) else { return nil }
        let user = try row.user()
        return SyncAnswer(
            now: now, removals: try own.openRemovals(of: device, limit: limit),
            unread: try user.map { try unread.unreadCount(of: $0) },
            tokenEnd: row.text("token").flatMap(DeviceToken.init(hex:))?.end)
    }
}
