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
    ///   - answered: takes each push's answer once; answers that come together are passed in one call. It must not block.
    func send(_ pushes: [ComposedPush], answered: @escaping @Sendable ([PushAnswer]) -> Void) async

    /// Returns the credentials that end soon or have ended, so that the operator is told in time.
    ///
    /// - Parameter now: the present.
    /// - Returns: one for each app and environment; none for signing keys, which have no end.
    func endingCredentials(at now: Timestamp) async -> [EndingCredential]
}

/// The outcome of one of several pushes.
package struct PushAnswer: Sendable, Hashable {
    /// The push's index among them.
    package let place: Int
    package let outcome: SendOutcome

    package init(place: Int, outcome: SendOutcome) {
        self.place = place
        self.outcome = outcome
    }
}

extension NotificationSender {
    /// Sends each push by itself, for a sender that gains nothing from several at once.
    package func send(_ pushes: [ComposedPush], answered: @escaping @Sendable ([PushAnswer]) -> Void) async {
        await withDiscardingTaskGroup { group in
            for (place, push) in pushes.enumerated() {
                group.addTask { answered([PushAnswer(place: place, outcome: await send(push))]) }
            }
        }
    }

    /// Returns no credentials, because signing keys have no end.
    package func endingCredentials(at now: Timestamp) async -> [EndingCredential] { [] }
}
