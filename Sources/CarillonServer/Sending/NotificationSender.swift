import CarillonCore

/// A type that sends pushes to APNs.
package protocol NotificationSender: Sendable {
    /// Sends one push and waits for its answer.
    ///
    /// It must answer within a bounded time, well below ``ServiceConfiguration/leaseDuration``. It is called concurrently.
    func send(_ push: ComposedPush) async -> SendOutcome

    /// Sends pushes of one app, and returns after the last answer.
    ///
    /// - Parameters:
    ///   - pushes: the pushes.
    ///   - answered: takes each push's outcome once, with its index among the pushes; outcomes that come together are passed
    ///     in one call. It must not block.
    func send(
        _ pushes: [ComposedPush], answered: @escaping @Sendable ([(place: Int, outcome: SendOutcome)]) -> Void
    ) async

    /// Looks at the files of all credentials, and returns those that end soon or have ended, for the operator.
    ///
    /// A file that was replaced since it was read is used from its app's next push on.
    ///
    /// - Parameter now: the present.
    /// - Returns: one for each app and environment; none for signing keys, which have no end.
    func endingCredentials(at now: Timestamp) async -> [EndingCredential]

    /// Looks at the files of all credentials, and returns the apps whose credential has changed since the last look.
    ///
    /// The new one is tried with the app's next push.
    func changedCredentials() async -> Set<AppID>
}

extension NotificationSender {
    /// Sends each push by itself, for a sender that gains nothing from several at once.
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

    /// Returns no credentials, because signing keys have no end.
    package func endingCredentials(at now: Timestamp) async -> [EndingCredential] { [] }
}
