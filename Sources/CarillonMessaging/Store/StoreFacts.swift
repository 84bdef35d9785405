import CarillonCore

/// The small parts of ``StoreContents``, each of which is written as a whole when it has changed; `nil` for unchanged.
package struct StoreFacts: Sendable, Hashable, Codable {
    var time: ServiceTime?
    package var badge: BadgeState?
    var unnamed: UnidentifiedMessages?
    var signedOutAt: Timestamp?
    var writesReceipts: Bool?
    var backoff: RetryState?
    var droppedCount: Int?
    package var registration: RegistrationState?

    /// All of them.
    package init(_ contents: StoreContents) {
        let policy = contents.policy
        time = policy.time
        badge = policy.badge
        unnamed = policy.unnamed
        signedOutAt = policy.signedOutAt
        writesReceipts = policy.writesReceipts
        backoff = policy.receipts.backoff
        droppedCount = policy.receipts.droppedCount
        registration = contents.registration
    }

    var isEmpty: Bool {
        time == nil && badge == nil && unnamed == nil && signedOutAt == nil && writesReceipts == nil
            && backoff == nil && droppedCount == nil && registration == nil
    }

    /// Those that differ from what was saved.
    func changes(since saved: StoreFacts) -> StoreFacts {
        var changes = self
        if time == saved.time { changes.time = nil }
        if badge == saved.badge { changes.badge = nil }
        if unnamed == saved.unnamed { changes.unnamed = nil }
        if signedOutAt == saved.signedOutAt { changes.signedOutAt = nil }
        if writesReceipts == saved.writesReceipts { changes.writesReceipts = nil }
        if backoff == saved.backoff { changes.backoff = nil }
        if droppedCount == saved.droppedCount { changes.droppedCount = nil }
        if registration == saved.registration { changes.registration = nil }
        return changes
    }

    /// Takes over those that have changed later.
    mutating func update(by later: StoreFacts) {
        time = later.time ?? time
        badge = later.badge ?? badge
        unnamed = later.unnamed ?? unnamed
        signedOutAt = later.signedOutAt ?? signedOutAt
        writesReceipts = later.writesReceipts ?? writesReceipts
        backoff = later.backoff ?? backoff
        droppedCount = later.droppedCount ?? droppedCount
        registration = later.registration ?? registration
    }

    /// Sets those that have changed.
    func apply(to contents: inout StoreContents) {
        if let time { contents.policy.time = time }
        if let badge { contents.policy.badge = badge }
        if let unnamed { contents.policy.unnamed = unnamed }
        if let signedOutAt { contents.policy.signedOutAt = signedOutAt }
        if let writesReceipts { contents.policy.writesReceipts = writesReceipts }
        if let backoff { contents.policy.receipts.backoff = backoff }
        if let droppedCount { contents.policy.receipts.droppedCount = droppedCount }
        if let registration { contents.registration = registration }
    }

    /// Joins those that another process has changed, or this one while the files could not be read.
    ///
    /// A registration is not taken over: who could not read its identity has not registered. What the person has done
    /// meanwhile counts.
    package func join(into contents: inout StoreContents) {
        if let time { contents.policy.time.join(time) }
        if let badge { contents.policy.badge.join(badge) }
        if let signedOutAt, contents.policy.signedOutAt.map({ $0 < signedOutAt }) ?? true {
            contents.policy.forgetMessages(signedOutAt: signedOutAt)
            contents.registration.signedOut()
        }
        if let writesReceipts { contents.policy.writesReceipts = writesReceipts }
        if registration?.wantsUser == true, contents.registration.user == nil { contents.registration.signedIn() }
    }
}
