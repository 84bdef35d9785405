import CarillonCore

extension Phone {
    /// The changes of the phone from now on, until it is shut down.
    ///
    /// A reader that falls 1024 changes behind loses the oldest. Read the state again rather than count on each change.
    public var changes: AsyncStream<PhoneChange> { kernel.observers.stream() }

    /// Suspends until `predicate` is true, which is evaluated now and after every change of the phone.
    ///
    /// - Parameters:
    ///   - description: the awaited state, as it reads after "until".
    ///   - limit: **real** time, whatever clock the phone has. The default is 60 seconds.
    ///   - predicate: whether the awaited state is reached.
    /// - Throws: ``PhoneError`` (`timedOut`) with a sentence that names the awaited state and what the phone was
    ///   doing; `CancellationError`.
    public func until(
        _ description: String, within limit: Duration = PhoneLimits.waitingTime,
        _ predicate: @escaping @MainActor (Phone) -> Bool
    ) async throws {
        guard await comes(within: limit, predicate) else {
            try Task.checkCancellation()
            throw timedOut(description, limit)
        }
    }

    /// - Returns: whether the predicate became true within `limit` of real time, and before the task was cancelled.
    private func comes(within limit: Duration, _ predicate: @escaping @MainActor (Phone) -> Bool) async -> Bool {
        if predicate(self) { return true }
        let answer = PendingAnswer<Void>()
        let number = kernel.observers.wait(answer) { [weak self] in self.map(predicate) ?? true }
        let timer = Self.realTime.schedule(after: limit) { answer.close() }
        let hasCome = await withTaskCancellationHandler {
            await answer.wait() != nil
        } onCancel: {
            answer.close()
        }
        timer.cancel()
        kernel.observers.forget(number)
        return hasCome && !Task.isCancelled
    }

    private func timedOut(_ description: String, _ limit: Duration) -> PhoneError {
        PhoneError(
            .timedOut, "Waited \(limit) on \(name) until \(description), without success. \(outstandingSentence)")
    }

    /// Suspends until the phone is at rest: nothing more can happen before its clock advances.
    ///
    /// It waits for calls of apps and their calls to the system, for completion handlers, and for the work of apps' tasks on
    /// Swift's pool of threads. It cannot count blocks on queues of Dispatch, threads of the app's own, requests of a
    /// `URLSession` and sleeps in real time. Of these, work that is already on its way to a thread or to the main queue gets
    /// one chance to arrive. Await the rest by ``until(_:within:_:)``.
    ///
    /// A handler that the app never calls ends with its budget on the phone's clock: with a `ManualClock`, advance it. If
    /// only such handlers are outstanding, and no block, sleeping task or request of the app is under way that might call
    /// one, this lets the phone's ``PhoneConfiguration/patience`` pass in real time, writes that into the trace, and returns.
    ///
    /// Whenever real time had to pass, ``history`` says so (``PhoneEvent/Kind/realTime``), since another run may end
    /// otherwise.
    ///
    /// - Parameter limit: **real** time. The default is 60 seconds.
    /// - Throws: ``PhoneError`` (`timedOut`), naming the outstanding work.
    public func settled(within limit: Duration = PhoneLimits.waitingTime) async throws {
        let end = Self.realTime.uptime + limit
        try await kernel.awaitingRest {
            repeat {
                try await until("everything outstanding was answered", within: limit) { $0.isAtRest }
                await passThreads()
            } while await isStirring(until: end)
            guard isAtRest || Self.realTime.uptime < end else {
                throw timedOut("everything outstanding was answered", limit)
            }
        }
    }

    /// Whether something has happened since, or may yet: then the state is to be looked at again.
    private func isStirring(until end: Duration) async -> Bool {
        guard await isQuiet() else { return true }
        if isSettled { return false }
        // A thread may have begun something since.
        guard isAtRest else { return Self.realTime.uptime < end }
        guard !kernel.handlers.areGivenUp else { return false }
        let isOutside = await life.isWaitingForRealTime()
        if isOutside || patience > .zero {
            kernel.history.noteRealTime()
            if await comes(within: isOutside ? PhoneLimits.patience : patience, { $0.isSettled || !$0.isAtRest }) {
                return Self.realTime.uptime < end
            }
            if Task.isCancelled { return false }
            if await life.isWaitingForRealTime() { return Self.realTime.uptime < end }
        }
        kernel.handlers.giveUp()
        // Somebody may have been told, and the phone have something to do again.
        return !isAtRest && Self.realTime.uptime < end
    }

    /// Whether nothing is under way but, perhaps, completion handlers that the app has not called.
    private var isAtRest: Bool { !isCallUnderWay && kernel.tasks.count == kernel.handlers.count }

    /// Lets work that is on its way through the machine's threads go first, such as a block just put on a queue.
    ///
    /// Where tasks run in order, threads have no part in anything, and how long they take must change nothing.
    private func passThreads() async {
        guard !kernel.runsTasksInOrder else { return }
        await Task.detached(name: nil, priority: nil) {}.value
    }

    /// Goes round the main queue, so that what others have put there goes first.
    ///
    /// - Returns: whether nothing came of it.
    private func isQuiet() async -> Bool {
        for _ in 0..<(kernel.runsTasksInOrder ? PhoneLimits.quietRoundsInOrder : PhoneLimits.quietRounds) {
            await MainQueueExecutor.wait { continuation in
                MainQueueExecutor.nextRound { continuation.resume() }
            }
            guard isAtRest else { return false }
        }
        return true
    }

    /// Whether no callback and no completion handler of an app is outstanding.
    package var isSettled: Bool { !isCallUnderWay && kernel.tasks.isEmpty }

    /// Whether a call to or from a running app waits for its turn.
    ///
    /// It does not wait for the phone's time to pass, which a completion handler may.
    package var isCallUnderWay: Bool { !kernel.mailbox.isEmpty || life.isCallUnderWay }

    /// A sentence that lists the work under way, for error messages.
    private var outstandingSentence: String {
        let outstanding = kernel.tasks.labels + life.callsUnderWay
        return outstanding.isEmpty ? "Nothing is outstanding." : "Outstanding: \(outstanding.joined(separator: "; "))."
    }

    /// The clock for the limits of waiting, which protect the caller and have nothing to do with the phone's time.
    private static let realTime = SystemClock()
}
