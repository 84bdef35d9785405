import CarillonCore

/// The observers of the phone: streams of changes, and tasks that wait for a state.
@MainActor final class PhoneObservers {
    private struct Waiter {
        let number: Int
        let isTrue: @MainActor () -> Bool
        let answer: PendingAnswer<Void>
    }

    private let hub = EventHub<PhoneChange>(backlogLimit: PhoneLimits.unreadChanges, overflow: .losesOldest)
    /// The waiting tasks, in the order in which they began to wait.
    private var waiters: [Waiter] = []
    private var lastNumber = 0
    /// Whether anyone has ever requested a stream of changes.
    ///
    /// Most phones have no reader of changes. For them, this flag avoids taking the lock of `hub`.
    private var isFollowed = false

    func stream() -> AsyncStream<PhoneChange> {
        isFollowed = true
        return hub.subscribe() ?? AsyncStream { $0.finish() }
    }

    func wait(_ answer: PendingAnswer<Void>, until isTrue: @escaping @MainActor () -> Bool) -> Int {
        lastNumber += 1
        waiters.append(Waiter(number: lastNumber, isTrue: isTrue, answer: answer))
        return lastNumber
    }

    func forget(_ number: Int) { waiters.removeAll { $0.number == number } }

    /// Publishes a change, and resumes the waiting tasks whose condition has become true.
    ///
    /// - Parameter change: the change; `nil` if nothing visible has changed.
    func changed(_ change: PhoneChange?) {
        if isFollowed { hub.publish { change } }
        guard !waiters.isEmpty else { return }
        let answered = waiters.filter { $0.isTrue() }
        for waiter in answered {
            forget(waiter.number)
            waiter.answer.give(())
        }
    }

    func finish() {
        hub.finish()
        for waiter in waiters { waiter.answer.close() }
        waiters = []
    }
}
