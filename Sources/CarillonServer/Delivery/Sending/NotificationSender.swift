import CarillonCore

/// Whatever brings a push to APNs.
package protocol NotificationSender: Sendable {
    /// Sends one push and waits for its answer. It must answer within a bounded time, and well within
    /// ``ServiceConfiguration/leaseDuration``; it is called many times at once.
    func send(_ push: ComposedPush) async -> SendOutcome

    /// The credentials that end soon or have ended, so that somebody is told in time.
    ///
    /// - Parameter now: the present.
    /// - Returns: one for each app and environment; nothing for signing keys, which have no end.
    func endingCredentials(at now: Timestamp) async -> [EndingCredential]
}

extension NotificationSender {
    /// Nothing ends: so it is with signing keys.
    package func endingCredentials(at now: Timestamp) async -> [EndingCredential] { [] }
}
