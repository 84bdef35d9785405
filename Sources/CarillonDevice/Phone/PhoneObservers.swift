import CarillonCore

/// Who follows the phone: streams of changes, and those who wait for a state.
@MainActor final class PhoneObservers {
    private struct Waiter {
        let isTrue: @MainActor (Phone) -> Bool
        let answer: PendingAnswer<Void>
    }

    private let hub = EventHub<PhoneChange>(backlogLimit: PhoneLimits.unreadChanges, overflow: .losesOldest)
    private var waiters: [Int: Waiter] = [:]
    private var lastNumber = 0

    func stream() -> AsyncStream<PhoneChange> { hub.subscribe() ?? AsyncStream { $0.finish() } }

    func wait(_ answer: PendingAnswer<Void>, until isTrue: @escaping @MainActor (Phone) -> Bool) -> Int {
        lastNumber += 1
        waiters[lastNumber] = Waiter(isTrue: isTrue, answer: answer)
        return lastNumber
    }

    func forget(_ number: Int) { waiters[number] = nil }

    func changed(_ change: PhoneChange?, of phone: Phone) {
        hub.publish { change }
        for (number, waiter) in waiters where waiter.isTrue(phone) {
            waiters[number] = nil
            waiter.answer.give(())
        }
    }

    func finish() {
        hub.finish()
        for waiter in waiters.values { waiter.answer.close() }
        waiters = [:]
    }
}
