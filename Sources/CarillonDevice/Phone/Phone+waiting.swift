import CarillonCore

extension Phone {
    /// What changes from now on, until the phone is shut down.
    ///
    /// A reader that is 1024 changes behind loses the oldest, so read the state again rather than count on each change.
    public var changes: AsyncStream<PhoneChange> { observers.stream() }

    /// Suspends until `predicate` is true: looked at now and after every change of the phone.
    ///
    /// - Parameters:
    ///   - description: what is waited for, as it reads after "until".
    ///   - limit: **real** time, whatever clock the phone has. The default is 60 seconds.
    ///   - predicate: what is waited for.
    /// - Throws: ``PhoneError`` (`timedOut`) with a sentence that says what was waited for and what the phone was
    ///   doing; `CancellationError`.
    public func until(
        _ description: String, within limit: Duration = PhoneLimits.waitingTime,
        _ predicate: @escaping @MainActor (Phone) -> Bool
    ) async throws {
        if predicate(self) { return }
        let answer = PendingAnswer<Void>()
        let number = observers.wait(answer, until: predicate)
        let timer = Self.realTime.schedule(after: limit) { answer.close() }
        let hasCome = await withTaskCancellationHandler {
            await answer.wait() != nil
        } onCancel: {
            answer.close()
        }
        timer.cancel()
        observers.forget(number)
        try Task.checkCancellation()
        guard hasCome else {
            throw PhoneError(
                .timedOut, "Waited \(limit) on \(name) until \(description), without success. \(outstandingSentence)")
        }
    }

    /// Suspends until no callback and no completion handler of an app is outstanding.
    ///
    /// What an app does in a task of its own is not counted. A handler that the app never calls ends with its budget on
    /// the phone's clock: with a `ManualClock`, advance it.
    ///
    /// - Parameter limit: **real** time. The default is 60 seconds.
    /// - Throws: ``PhoneError`` (`timedOut`), naming what is outstanding.
    public func settled(within limit: Duration = PhoneLimits.waitingTime) async throws {
        var quietRounds = 0
        while quietRounds < PhoneLimits.quietRounds {
            await letOthersGo()
            if isSettled {
                quietRounds += 1
            } else {
                quietRounds = 0
                try await until("everything outstanding was answered", within: limit) { $0.isSettled }
            }
        }
    }

    /// What is on its way through the pool of threads, as an app's task is that was just resumed, and what another
    /// thread has put on the main queue, comes first.
    private func letOthersGo() async {
        await Task.detached(name: nil, priority: nil) {}.value
        let passed = PendingAnswer<Void>()
        mailbox.post { _ in passed.give(()) }
        _ = await passed.wait()
    }

    /// Whether no callback and no completion handler of an app is outstanding.
    package var isSettled: Bool { !isCallUnderWay && tasks.isEmpty }

    /// Whether a call to or from a running app waits for its turn.
    ///
    /// It does not wait for the phone's time to pass, which a completion handler may.
    package var isCallUnderWay: Bool {
        !mailbox.isEmpty
            || apps.values.contains { app in
                guard let process = app.process, process.gate.phase == .running else { return false }
                return process.turnsWaiting > 0 || process.hasCallsInLine
            }
    }

    private var outstandingSentence: String {
        tasks.isEmpty
            ? "Nothing is outstanding." : "Outstanding: \(tasks.labels.joined(separator: "; "))."
    }

    /// Only for the limits of waiting, which protect whoever waits and have nothing to do with the phone's time.
    private static let realTime = SystemClock()
}
