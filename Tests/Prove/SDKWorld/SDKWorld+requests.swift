import CarillonCore
import CarillonMessaging
import CarillonProve

/// The app's requests, in the order of `ServiceExchange` and `MessageRequests`, and the service's answers.
extension SDKWorld {
    mutating func carryOutRequest(_ piece: Piece, _ id: Int) -> Bool {
        switch piece {
        case .exchange(let needsSync):
            if needsSync { app?.contents.sync.ask() }
            // Beside the work, because the app's handlers do not wait for the service.
            let exchange = start(
                "requests to the service",
                [
                    .lockRequests, .saveWhatMatters, .request(.registration), .request(.reads), .request(.sync),
                    .request(.receipts), .unlockRequests, .scheduleRetry, .saveWhatMatters, .complete,
                ])
            change(id) { $0.requests = exchange }
        case .lockRequests:
            guard requestOwner == nil else { return false }
            requestOwner = id
        case .unlockRequests: requestOwner = nil
        case .request(let request): return send(request, id)
        case .answer(let request, let answer, let receipts, let reads, let isRefused):
            heard(request, answer, receipts, reads, isRefused: isRefused, id)
        case .scheduleRetry: scheduleRetry()
        default: break
        }
        return true
    }

    private mutating func send(_ request: Piece.Request, _ id: Int) -> Bool {
        guard let app else { return true }
        var (receipts, reads): ([Receipt], [MessageRevision]) = ([], [])
        switch request {
        case .registration:
            guard app.contents.registration.next(app.contents.registration.confirmed, at: now) == .signOut else {
                return true
            }
        case .reads:
            guard app.contents.registration.user != nil else { return true }
            reads = app.reads.batch(at: now)
            guard !reads.isEmpty else { return true }
        case .sync: guard app.contents.sync.isDue(at: now) else { return true }
        case .receipts:
            receipts = app.contents.policy.receipts.batch(at: now)
            guard !receipts.isEmpty else { return true }
        }
        switch ask(id, before: "the request has not reached the service", after: "the service's answer has not come") {
        case .isPending: return false
        case .answered, .isDoneWithoutAnswer:
            let answer = serve(request, receipts, reads)
            change(id) { [isRefused = network == .refusing] in
                $0.first([.answer(request, answer, receipts, reads, isRefused: isRefused)])
            }
            return true
        }
    }

    /// Lets the service process a request; returns its answer, or `nil` if none comes.
    private mutating func serve(
        _ request: Piece.Request, _ receipts: [Receipt], _ reads: [MessageRevision]
    ) -> SyncAnswer? {
        guard network == .good || network == .deaf else { return nil }
        for receipt in receipts { serve(receipt) }
        service.reads.formUnion(reads)
        for read in reads where service.receipts.values.contains("opened \(read)") {
            broke(.readIsToldOnce, "The service was told twice that “\(read.message)” was read.")
        }
        if request == .registration { signOutAtService() }
        let answer = SyncAnswer(now: now, removals: service.outstanding, unread: service.hasUser ? 1 : nil)
        return network == .deaf ? nil : answer
    }

    mutating func serve(_ receipt: Receipt) {
        let revision = MessageRevision(receipt.message, revision: receipt.revision ?? 1)
        let name = "\(receipt.event.rawValue) \(revision)"
        if receipt.event == .opened, service.receipts.contains(where: { $0.value == name && $0.key != receipt.id }) {
            broke(.readIsToldOnce, "The service was told twice that “\(receipt.message)” was read.")
        }
        service.receipts[receipt.id] = name
        guard receipt.event == .recalled || receipt.event == .expired else { return }
        service.outstanding.removeAll { $0.message == receipt.message && $0.revision <= revision.revision }
    }

    /// Unbinds the user, and composes the pushes for the next one.
    private mutating func signOutAtService() {
        now = now + .seconds(1)
        service.hasUser = false
        for index in plot.pushes.indices where plot.pushes[index].isForNextUser {
            composedAt[index] = now + .seconds(1)
        }
    }

    private mutating func heard(
        _ request: Piece.Request, _ answer: SyncAnswer?, _ receipts: [Receipt], _ reads: [MessageRevision],
        isRefused: Bool, _ id: Int
    ) {
        guard let answer else { return failed(request, receipts, reads, isRefused: isRefused) }
        switch request {
        case .registration:
            app?.contents.registration.signOutConfirmed()
            app?.contents.policy.signOutConfirmed(at: answer.now)
        case .reads: app?.reads.settled(reads)
        case .receipts: app?.contents.policy.receipts.settled(receipts)
        case .sync: break
        }
        app?.contents.sync.answered()
        // The service composed the answer when it got the request.
        app?.contents.policy.time.heard(answer.now, askedAt: answer.now, at: now)
        change(id) {
            $0.lessons += answer.removals.map(Self.lesson)
            $0.first([.lockList, .plan(.answered(answer)), .unlockList])
        }
    }

    static func lesson(_ removal: Removal) -> Lesson {
        .removed(MessageRevision(removal.message, revision: removal.revision), isRead: removal.reason == .read)
    }

    static func failure(isRefused: Bool, at now: Timestamp) -> RequestFailure {
        let problem: ServiceCallError.Problem = isRefused ? .refused(503, "busy", "") : .notSent("no network")
        return RequestFailure(ServiceCallError(request: "a request", problem: problem), at: now, jitter: 0.5)
    }

    private mutating func failed(
        _ request: Piece.Request, _ receipts: [Receipt], _ reads: [MessageRevision], isRefused: Bool
    ) {
        let failure = Self.failure(isRefused: isRefused, at: now)
        switch request {
        case .registration: app?.contents.registration.failed(failure)
        case .reads: _ = app?.reads.failed(reads, failure)
        case .sync: app?.contents.sync.failed(failure)
        case .receipts: _ = app?.contents.policy.receipts.failed(receipts, failure)
        }
    }

    /// Schedules the next attempt, as `ServiceExchange` does; a moment that has passed is now.
    private mutating func scheduleRetry() {
        guard let app else { return }
        let moments = [
            app.contents.registration.nextAttempt(app.contents.registration.confirmed, at: now),
            app.contents.sync.nextAttempt(at: now), app.contents.policy.receipts.nextAttempt(at: now),
            app.reads.nextAttempt(at: now),
        ]
        self.app?.retryAt = moments.compactMap(\.self).min()
        guard let moment = self.app?.retryAt, moment <= now, app.wakeCount <= 10 else { return }
        self.app?.wakeCount += 1
        self.app?.retryAt = nil
        sendDue()
    }

    mutating func sendDue() { start("the next attempt", [.exchange(needsSync: false)]) }
}
