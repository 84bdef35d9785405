import CarillonCore

/// Whatever brings a push to APNs.
package protocol NotificationSender: Sendable {
    /// Sends one push and waits for its answer. It must answer within a bounded time, and well within
    /// ``ServiceConfiguration/leaseDuration``; it is called many times at once.
    func send(_ push: ComposedPush) async -> SendOutcome

    /// Sends pushes of one app, and returns after the last answer.
    ///
    /// - Parameters:
    ///   - pushes: what to send.
    ///   - answered: told each push's answer once, those that come together in one call; it must not block.
    func send(_ pushes: [ComposedPush], answered: @escaping @Sendable ([PushAnswer]) -> Void) async

    /// The credentials that end soon or have ended, so that somebody is told in time.
    ///
    /// - Parameter now: the present.
    /// - Returns: one for each app and environment; nothing for signing keys, which have no end.
    func endingCredentials(at now: Timestamp) async -> [EndingCredential]
}

/// What came of one of several pushes.
package struct PushAnswer: Sendable, Hashable {
    /// The push's place among them.
    package let place: Int
    package let outcome: SendOutcome

    package init(place: Int, outcome: SendOutcome) {
        self.place = place
        self.outcome = outcome
    }
}

extension NotificationSender {
    /// Each by itself: for a sender that has nothing to gain from getting several at once.
    package func send(_ pushes: [ComposedPush], answered: @escaping @Sendable ([PushAnswer]) -> Void) async {
        await withDiscardingTaskGroup { group in
            for (place, push) in pushes.enumerated() {
                group.addTask { answered([PushAnswer(place: place, outcome: await send(push))]) }
            }
        }
    }

    /// Nothing ends: so it is with signing keys.
    package func endingCredentials(at now: Timestamp) async -> [EndingCredential] { [] }
}
