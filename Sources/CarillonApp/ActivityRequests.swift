import CarillonCore
import CarillonMessaging

/// The requests about Live Activities: their receipts, and the question for their newest states.
@MainActor
struct ActivityRequests {
    let calls: ServiceCalls
    let liveActivities: CarillonLiveActivities

    /// The time of the next attempt; `nil` if nothing waits, or if nothing delays it.
    var nextAttempt: Timestamp? { calls.store.contents.activityReports.nextAttempt(at: calls.clock.now) }

    /// Sends the waiting receipts, and compares the newest states in the answer with the screen.
    ///
    /// The comparison may lead to further receipts, which are sent too.
    func send() async {
        let (store, clock) = (calls.store, calls.clock)
        for _ in 0..<AppLimits.batchesAtOnce {
            guard store.contents.registration.confirmed != nil, let identity = store.identity,
                store.contents.activityReports.isDue(at: clock.now)
            else { return }
            store.update { $0.activityReports.began() }
            let (sent, asked) = (store.contents.activityReports.pending, store.contents.activityReports.question)
            let signOutCount = liveActivities.signOutCount
            let failure = await calls.send(.liveActivities, as: identity) {
                try await $0.report(sent, as: $1)
            } record: { answer in
                // The states are those of a user who has left meanwhile.
                guard signOutCount == liveActivities.signOutCount else { return nil }
                store.update { $0.activityReports.answered(sent, asked, at: clock.now) }
                liveActivities.compare(with: answer.liveActivities, asked: asked)
                return nil
            }
            guard let failure else { continue }
            return store.update { $0.activityReports.failed(sent, failure) }
        }
    }
}
