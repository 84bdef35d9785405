/// Who follows the phone: streams of changes, and those who wait for a state.
@MainActor final class PhoneObservers {
    private struct Waiter {
        let isTrue: @MainActor (Phone) -> Bool
        let answer: PendingAnswer<Void>
    }

    /// How many changes a slow follower may be behind; the oldest go.
    static let bufferLimit = 1024

    private var streams: [Int: AsyncStream<PhoneChange>.Continuation] = [:]
    private var waiters: [Int: Waiter] = [:]
    private var lastNumber = 0

    func stream() -> AsyncStream<PhoneChange> {
        lastNumber += 1
        let number = lastNumber
        let (stream, continuation) = AsyncStream.makeStream(
            of: PhoneChange.self, bufferingPolicy: .bufferingNewest(Self.bufferLimit))
        streams[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.streams[number] = nil }
        }
        return stream
    }

    func wait(_ answer: PendingAnswer<Void>, until isTrue: @escaping @MainActor (Phone) -> Bool) -> Int {
        lastNumber += 1
        waiters[lastNumber] = Waiter(isTrue: isTrue, answer: answer)
        return lastNumber
    }

    func forget(_ number: Int) { waiters[number] = nil }

    func changed(_ change: PhoneChange?, of phone: Phone) {
        if let change { for stream in streams.values { stream.yield(change) } }
        for (number, waiter) in waiters where waiter.isTrue(phone) {
            waiters[number] = nil
            waiter.answer.give(())
        }
    }

    func finish() {
        for stream in streams.values { stream.finish() }
        for waiter in waiters.values { waiter.answer.close() }
        waiters = [:]
    }
}
