import CarillonCore

/// A type that sends pushes to APNs.
package protocol NotificationSender: Sendable {
    /// Sends one push and waits for its answer.
    ///
    /// An implementation must return within a bounded time, well below ``ServiceConfiguration/leaseDuration``. Calls come
    /// concurrently.
    func send(_ push: ComposedPush) async -> SendOutcome

    /// Sends pushes of one app, and returns after the last answer.
    ///
    /// - Parameters:
    ///   - pushes: the pushes.
    ///   - answered: receives each push's outcome once, with its index among the pushes. Outcomes that come together are passed
    ///     in one call. It must not block.
    func send(
        _ pushes: [ComposedPush], answered: @escaping @Sendable ([(place: Int, outcome: SendOutcome)]) -> Void
    ) async

    /// Returns the credentials that end soon or have ended, for a warning to the operator.
    ///
    /// It reads the files of all credentials. A file that was replaced since it was last read is used from its app's next push
    /// on.
    ///
    /// - Parameter now: the present time.
    /// - Returns: one entry for each app and environment with such a certificate. Signing keys do not expire.
    func endingCredentials(at now: Timestamp) async -> [EndingCredential]

    /// Looks at the files of all credentials, and returns the apps whose credential has changed since the last look.
    ///
    /// The new one is tried with the app's next push.
    func changedCredentials() async -> Set<AppID>

    /// Returns the apps whose new credential APNs refuses while the old one is used.
    func refusedCredentials() async -> Set<AppID>
}

extension NotificationSender {
    /// Sends each push with its own call, for a sender without a faster way to send several.
    package func send(
        _ pushes: [ComposedPush], answered: @escaping @Sendable ([(place: Int, outcome: SendOutcome)]) -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            for (place, push) in pushes.enumerated() {
                group.addTask { answered([(place, await send(push))]) }
            }
        }
    }

    /// Returns no apps, for a sender without files.
    package func changedCredentials() async -> Set<AppID> { [] }

    /// Returns no apps, for a sender with one credential.
    package func refusedCredentials() async -> Set<AppID> { [] }

    /// Returns an empty list, because signing keys do not expire.
    package func endingCredentials(at now: Timestamp) async -> [EndingCredential] { [] }
}
