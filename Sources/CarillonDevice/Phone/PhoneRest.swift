import CarillonCore

/// The part of a phone that lets callers wait for a certain state, or until the phone is at rest.
@MainActor final class PhoneRest {
    private let kernel: PhoneKernel
    private let life: AppLife
    /// The phone's name, for error messages.
    private let name: String
    /// The real time to wait when only uncalled completion handlers are outstanding (``PhoneConfiguration/patience``).
    private let patience: Duration

    init(life: AppLife, patience: Duration) {
        kernel = life.kernel
        name = life.device.name
        self.life = life
        self.patience = patience
    }

    /// Suspends until `predicate` is true.
    ///
    /// Evaluates `predicate` immediately, and after every change of the phone.
    ///
    /// - Throws: ``PhoneError`` (`timedOut`); `CancellationError`.
    func until(
        _ description: String, within limit: Duration, _ predicate: @escaping @MainActor () -> Bool
    ) async throws {
        guard await comes(within: limit, predicate) else {
            try Task.checkCancellation()
            throw timedOut(description, limit)
        }
    }

    /// Waits until `predicate` is true, the limit has passed (``PhoneTimeLimit``), or the task was cancelled.
    ///
    /// - Returns: whether `predicate` became true in time.
    private func comes(within limit: Duration, _ predicate: @escaping @MainActor () -> Bool) async -> Bool {
        if predicate() { return true }
        let answer = PendingAnswer<Void>()
        let number = kernel.observers.wait(answer, until: predicate)
        let timer = PhoneTimeLimit(limit) { answer.close() }
        timer.start()
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

    // MARK: at rest

    /// Suspends until nothing more can happen before the phone's clock advances: see ``Phone/settled(within:)``.
    func settled(within limit: Duration) async throws {
        let end = PhoneTimeLimit(limit)
        defer { end.cancel() }
        try await kernel.mailbox.awaitRest {
            repeat {
                if !isAtRest { end.start() }
                try await until("everything outstanding was answered", within: limit) { [weak self] in
                    self?.isAtRest ?? true
                }
                await passThreads()
            } while await isStirring(until: end)
            guard isAtRest || !end.isReached else {
                throw timedOut("everything outstanding was answered", limit)
            }
        }
    }

    /// Returns whether work has begun, or may still begin, so that the caller must check again whether the phone is at rest.
    private func isStirring(until end: PhoneTimeLimit) async -> Bool {
        guard await isQuiet() else {
            end.start()
            return true
        }
        if isSettled { return false }
        end.start()
        // A thread may have begun new work meanwhile.
        guard isAtRest else { return !end.isReached }
        guard !kernel.handlers.areGivenUp else { return false }
        let isOutside = await life.isWaitingForRealTime()
        if isOutside || patience > .zero {
            kernel.history.noteRealTime()
            let hasStirred = await comes(within: isOutside ? PhoneLimits.patience : patience) { [weak self] in
                self.map { $0.isSettled || !$0.isAtRest } ?? true
            }
            if hasStirred { return !end.isReached }
            if Task.isCancelled { return false }
            if await life.isWaitingForRealTime() { return !end.isReached }
        }
        kernel.handlers.giveUp()
        // The reports may have caused new work on the phone.
        return !isAtRest && !end.isReached
    }

    /// Whether no callback and no completion handler of an app is outstanding.
    var isSettled: Bool { !isCallUnderWay && kernel.tasks.isEmpty }

    /// Whether work is under way, such as an app's Swift task, the phone's call of an app's code, or an app's request to iOS.
    ///
    /// Waiting for a completion handler, or for the phone's clock to advance, does not count.
    var isCallUnderWay: Bool { !kernel.mailbox.isEmpty || life.isCallUnderWay }

    /// Whether all work is finished, except for completion handlers that apps have not called.
    private var isAtRest: Bool { !isCallUnderWay && kernel.tasks.count == kernel.handlers.count }

    /// Suspends for a moment, so that work that is already queued on other threads can run.
    ///
    /// Does nothing if tasks run in order, because then no task uses another thread.
    private func passThreads() async {
        guard !kernel.runsTasksInOrder else { return }
        await Task.detached(name: nil, priority: nil) {}.value
    }

    /// Yields to work already on the main queue.
    ///
    /// - Returns: whether the phone is still at rest afterwards.
    private func isQuiet() async -> Bool {
        for _ in 0..<(kernel.runsTasksInOrder ? PhoneLimits.quietRoundsInOrder : PhoneLimits.quietRounds) {
            await MainQueueExecutor.wait { continuation in
                MainQueueExecutor.nextRound { continuation.resume() }
            }
            guard isAtRest else { return false }
        }
        return true
    }

    /// A sentence that lists the unfinished work, for error messages.
    private var outstandingSentence: String {
        let outstanding = kernel.tasks.labels + life.callsUnderWay
        return outstanding.isEmpty ? "Nothing is outstanding." : "Outstanding: \(outstanding.joined(separator: "; "))."
    }
}
