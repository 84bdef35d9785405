import CarillonApp
import CarillonCore
import Foundation
import Testing

private let start = Timestamp(secondsSince1970: 1_800_000_000)

@Suite("Receipts wait until the service has them")
struct ReceiptQueueTests {
    @Test("the oldest is given up beyond the limit, and is counted")
    func bounded() throws {
        var queue = ReceiptQueue(prefix: "p")
        let id = try MessageID("m")
        for _ in 0...ReceiptQueue.countLimit { queue.add(.shown, of: id, at: start) }
        #expect(queue.pending.count == ReceiptQueue.countLimit)
        #expect(queue.pending.first?.id == "p-2")
        #expect(queue.droppedCount == 1)
    }

    @Test("a batch stays until it is settled, and waits out a back-off")
    func batches() throws {
        var queue = ReceiptQueue(prefix: "p")
        let id = try MessageID("m")
        for _ in 0..<ReceiptQueue.batchLimit + 1 { queue.add(.shown, of: id, at: start) }
        let batch = queue.batch(at: start)
        #expect(batch.count == ReceiptQueue.batchLimit)
        queue.backoff.failed(at: start)
        #expect(queue.batch(at: start).isEmpty)
        #expect(queue.batch(at: start + RetryState.backoff.first) == batch)
        queue.settled(batch)
        #expect(queue.pending.count == 1)
    }

    @Test("a long detail is cut to its limit")
    func detail() throws {
        var queue = ReceiptQueue(prefix: "p")
        queue.add(.acted, of: try MessageID("m"), at: start, detail: String(repeating: "x", count: 1000))
        #expect(queue.pending.first?.detail?.utf8.count == ReceiptQueue.detailByteLimit)
    }
}

@Suite("Registration says only what has changed")
struct RegistrationStateTests {
    private func facts(permission: PermissionState = .authorized) throws -> RegistrationFacts {
        RegistrationFacts(
            token: try #require(DeviceToken(hex: "aa")), topic: "t", environment: .sandbox,
            device: DeviceFacts(permission: permission))
    }

    @Test("the same facts are told once, changed ones again")
    func changes() throws {
        var state = RegistrationState()
        #expect(state.next(nil, at: start) == .nothing)
        #expect(state.next(try facts(), at: start) == .register(try facts(), withSignInToken: false))
        state.registered(try facts(), user: nil)
        #expect(state.next(try facts(), at: start) == .nothing)
        let denied = try facts(permission: .denied)
        #expect(state.next(denied, at: start) == .change(from: try facts(), to: denied, withSignInToken: false))
    }

    @Test("signing in asks for one token, and signing out is kept until the service has confirmed it")
    func signInAndOut() throws {
        var state = RegistrationState()
        state.signedIn()
        #expect(state.next(try facts(), at: start) == .register(try facts(), withSignInToken: true))
        state.registered(try facts(), user: "u")
        #expect(state.next(try facts(), at: start) == .nothing)
        state.signedOut()
        #expect(state.user == nil)
        state = try CarillonJSON.decode(RegistrationState.self, from: CarillonJSON.encode(state))
        #expect(state.next(try facts(), at: start) == .signOut)
        state.signOutConfirmed()
        #expect(state.next(try facts(), at: start) == .nothing)
    }

    @Test("what an SDK stored before the facts had a type of their own is read as the same facts, so nothing is told")
    func formerKeys() throws {
        let stored = #"""
            {"confirmed": {"token": "aa", "topic": "t", "environment": "sandbox", "permission": "authorized",
              "locale": "de_AT", "timeZone": "Europe/Vienna", "appVersion": "1.2", "tags": []},
             "wantsUser": false, "isSignOutPending": false, "backoff": {"failureCount": 0, "isForNetwork": false}}
            """#
        var facts = try facts()
        facts.device.locale = "de_AT"
        facts.device.timeZone = "Europe/Vienna"
        facts.device.appVersion = "1.2"
        facts.device.tags = []
        let state = try CarillonJSON.decode(RegistrationState.self, from: Data(stored.utf8))
        #expect(state.confirmed == facts)
        #expect(state.next(facts, at: start) == .nothing)
        let again = try CarillonJSON.decode(RegistrationState.self, from: CarillonJSON.encode(state))
        #expect(again == state)
    }

    @Test("a fact that is no longer known needs a whole registration, because a change cannot tell it")
    func forgottenFact() throws {
        var known = try facts()
        known.device.locale = "de_AT"
        var state = RegistrationState()
        state.registered(known, user: nil)
        #expect(state.next(try facts(), at: start) == .register(try facts(), withSignInToken: false))
        var other = known
        other.device.locale = "fr"
        #expect(state.next(other, at: start) == .change(from: known, to: other, withSignInToken: false))
        #expect(other.device.changes(since: known.device) == ["locale": "fr"])
    }

    @Test("whoever was never registered has nothing to sign out of")
    func neverRegistered() {
        var state = RegistrationState()
        state.signedOut()
        #expect(state.next(nil, at: start) == .nothing)
        #expect(!state.isSignOutPending)
    }

    @Test("failures wait twice as long each, up to an hour, and a clock set back does not wait for ever")
    func backoff() throws {
        var state = RegistrationState()
        state.backoff.failed(at: start)
        #expect(state.next(try facts(), at: start) == .wait(until: start + .seconds(5)))
        for _ in 0..<20 { state.backoff.failed(at: start) }
        #expect(state.backoff.notBefore == start + RetryState.backoff.longest)
        #expect(state.backoff.mayTry(at: start - .seconds(86400)))
    }

    @Test("a network that may be back ends a wait for it, but not one that the service asked for")
    func networkBack() {
        var backoff = RetryState()
        backoff.failed(at: start, noAnswer: true)
        backoff.networkMayBeBack()
        #expect(backoff.mayTry(at: start))
        backoff.failed(at: start, noAnswer: false)
        backoff.networkMayBeBack()
        #expect(!backoff.mayTry(at: start))
    }
}

@Suite("Completion handlers are called exactly once")
struct CompletionDeadlinesTests {
    @Test("finishing counts once")
    func once() {
        var ledger = CompletionDeadlines()
        let ticket = ledger.opened("a", at: start)
        let outcomes = [ledger.finished(ticket, at: start + .seconds(2)), ledger.finished(ticket, at: start)]
        #expect(outcomes == [.seconds(2), nil])
        #expect(ledger.openCount == 0)
    }

    @Test("what is open after 25 seconds is called, oldest first, and then never again")
    func overdue() {
        var ledger = CompletionDeadlines()
        let first = ledger.opened("first", at: start)
        let second = ledger.opened("second", at: start + .seconds(1))
        let early = ledger.takeOverdue(at: start + .seconds(24)).map(\.ticket)
        let due = ledger.takeOverdue(at: start + .seconds(26)).map(\.ticket)
        let again = ledger.finished(first, at: start + .seconds(27))
        #expect(early.isEmpty && due == [first, second] && again == nil)
    }
}

@Suite("Responses reach the app once, when it is ready")
struct ResponseRouterTests {
    private func response(_ id: String) -> (MessageResponse, ResponseRouter.Key) {
        let message = AppMessage(identifier: id, messageID: nil, userInfo: [:])
        return (
            MessageResponse(message: message, action: .open),
            ResponseRouter.Key(identifier: id, shownAtMilliseconds: 1, action: .open)
        )
    }

    @Test("a cold tap waits for the app, and its twin from the scene is not a second one")
    func coldTap() {
        var router = ResponseRouter()
        let (tap, key) = response("m")
        let early = [router.received(tap, key: key), router.received(tap, key: key)]
        let told = [router.becameReady(), router.becameReady()]
        let late = router.received(tap, key: key)
        #expect(early == [nil, nil] && told == [[tap], []] && late == nil)
    }

    @Test("a warm tap goes straight through")
    func warmTap() {
        var router = ResponseRouter()
        _ = router.becameReady()
        let (tap, key) = response("m")
        let told = router.received(tap, key: key)
        #expect(told == tap)
    }

    @Test("what waits is bounded")
    func bounded() {
        var router = ResponseRouter()
        for number in 0...ResponseRouter.waitingLimit {
            let (tap, key) = response("m\(number)")
            _ = router.received(tap, key: key)
        }
        let first = router.becameReady().first
        #expect(first?.message.identifier == "m1")
    }
}
