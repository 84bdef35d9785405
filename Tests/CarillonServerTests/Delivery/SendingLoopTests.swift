import CarillonAPNs
import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A sender's loop")
struct SendingLoopTests {
    /// A loop, its clocks, and what it asked for last.
    private struct Script {
        var loop: SendingLoop
        var now = noon
        var uptime = Duration.zero
        private(set) var actions: [SendingAction] = []

        init(places: Int = 4, reserved: Int = 1) { self.init(window: SendWindow(places: places, reserved: reserved)) }

        init(window: SendWindow) {
            var settings = SendingLoop.Settings()
            settings.window = window
            loop = SendingLoop(settings)
        }

        mutating func receive(_ event: SendingEvent) {
            actions = loop.received(event, now: now, uptime: uptime)
        }

        mutating func pass(_ duration: Duration) {
            now = now + duration
            uptime += duration
            receive(.woken)
        }

        /// It is one of the senders, alone.
        mutating func join(_ number: Int64 = 1) {
            receive(.woken)
            receive(.joined(JoinedSender(SenderNumber(rawValue: number))))
            receive(.beaten([], at: uptime))
        }

        var claim: ClaimRequest? {
            actions.lazy.compactMap { if case .claim(let request) = $0 { request } else { nil } }.first
        }
        /// The claim that is made in the transaction that writes outcomes.
        var claimAfter: ClaimRequest? {
            actions.lazy.compactMap { if case .settle(_, let request) = $0 { request } else { nil } }.first
        }
        var look: Timestamp? {
            actions.lazy.compactMap { if case .look(let moment) = $0 { moment } else { nil } }.first
        }
        var settled: [SentPush]? {
            actions.lazy.compactMap { if case .settle(let pushes, _) = $0 { pushes } else { nil } }.first
        }
        var released: SenderBeat? {
            actions.lazy.compactMap { if case .release(let other) = $0 { other } else { nil } }.first
        }
        var sends: Int { actions.reduce(0) { if case .send(let pushes) = $1 { $0 + pushes.count } else { $0 } } }
        var beats: Bool { actions.contains { if case .beat = $0 { true } else { false } } }
        var joins: Bool { actions.contains { if case .join = $0 { true } else { false } } }
        var gaveUp: Int? {
            actions.lazy.compactMap { if case .tell(.gaveUp(let outcomes)) = $0 { outcomes } else { nil } }.first
        }
        var finishes: Bool { actions.contains { if case .finish = $0 { true } else { false } } }
    }

    private func delivery(
        _ number: Int64, _ lane: DeliveryLane = .single, of topic: String = topic
    ) -> ClaimedDelivery {
        ClaimedDelivery(
            number: number, purpose: .show, lease: Lease(sender: SenderNumber(rawValue: 1), epoch: 1), lane: lane,
            device: "d", app: AppID(topic: topic, environment: .sandbox), token: testToken("aa"), revision: 1,
            attempt: 1, removals: [], hasMoreRemovals: false, hasUnanswered: false)
    }

    private func claimed(_ deliveries: [ClaimedDelivery], examined: Int? = nil) -> SendingEvent {
        .claimed(
            Claim(deliveries: deliveries, examined: examined ?? deliveries.count), probe: nil)
    }

    private func sent(_ delivery: ClaimedDelivery, _ outcome: SendOutcome? = nil) -> SentPush {
        outcome.map { delivery.settled($0) } ?? delivery.settled()
    }

    @Test("pushes to many are claimed again when a part of their places is free, so that a commit is for many")
    func parts() {
        var window = SendWindow(places: 12, reserved: 4)
        window.take((1...4).map { delivery($0, .bulk) })
        #expect(window.bulkRoom(of: 8) == 4)
        window.take([delivery(5, .bulk)])
        #expect(window.bulkRoom(of: 8) == 0 && window.room == 7)
    }

    @Test("it joins, beats, and only then claims: it must know when its lease ends")
    func order() {
        var script = Script()
        script.receive(.woken)
        #expect(script.joins && script.claim == nil)
        script.receive(.joined(JoinedSender(SenderNumber(rawValue: 1))))
        #expect(script.beats && script.claim == nil)
        script.receive(.beaten([], at: .zero))
        #expect(script.claim?.limit == 4)
    }

    @Test("an alarm is over when a probe finds that nothing of the app waits, and not while something waits for later")
    func nothingWaits() {
        func ended(isAnythingWaiting: Bool) -> Bool {
            var script = Script()
            script.join()
            let push = delivery(1)
            script.receive(claimed([push]))
            let answer = sent(push, .rejected(APNsRejection(.invalidProviderToken, 403)))
            script.receive(.answered([answer], at: script.uptime))
            script.pass(.seconds(300))
            script.receive(.beaten([], at: script.uptime))
            #expect(script.loop.gates.closed.count == 1)
            var claim = Claim(deliveries: [], examined: 0)
            claim.isAnythingWaiting = isAnythingWaiting
            script.receive(.claimed(claim, probe: push.app))
            let isTold = script.actions.contains { if case .tell(.nothingWaits) = $0 { true } else { false } }
            #expect(isTold == script.loop.gates.closed.isEmpty)
            return isTold
        }
        #expect(ended(isAnythingWaiting: false) && !ended(isAnythingWaiting: true))
    }

    @Test(
        "a stopped app is probed after its wait, wherever the wall clock is set to meanwhile",
        arguments: [-5, -1, 0, 3])
    func probeByUptime(hours: Int) {
        var script = Script()
        script.join()
        let push = delivery(1)
        script.receive(claimed([push]))
        script.receive(.answered([sent(push, .rejected(APNsRejection(.invalidProviderToken, 403)))], at: .zero))
        script.receive(.settled([sent(push)]))
        script.receive(claimed([]))
        script.now = script.now + .seconds(hours * 3600)
        script.pass(.seconds(299))
        script.receive(.beaten([], at: script.uptime))
        #expect(script.claim?.only == nil && script.loop.gates.closed == [push.app])
        script.receive(claimed([]))
        #expect(script.look == script.now + .seconds(1), "it looks again when the wait is over")
        script.pass(.seconds(1))
        #expect(script.claim?.only == push.app)
    }

    @Test("one lost answer holds up nothing but itself")
    func window() {
        var script = Script()
        script.join()
        let deliveries = (1...4).map { delivery(Int64($0)) }
        script.receive(claimed(deliveries))
        #expect(script.sends == 4 && script.claim == nil, "there is no room")
        script.receive(.answered([sent(deliveries[1])], at: .zero))
        #expect(script.settled?.count == 1)
        #expect(script.claimAfter?.limit == 1, "the place is used again while three answers are open")
        script.receive(.settled([sent(deliveries[1])]))
        #expect(script.claim == nil, "that was asked for in one go")
        script.receive(claimed([delivery(5)]))
        #expect(script.sends == 1 && script.claim == nil)
    }

    @Test("outcomes that come while others are written down go together, one write at a time")
    func settling() {
        var script = Script()
        script.join()
        let deliveries = (1...4).map { delivery(Int64($0)) }
        script.receive(claimed(deliveries))
        script.receive(.answered([sent(deliveries[0])], at: .zero))
        #expect(script.settled?.count == 1)
        for delivery in deliveries[1...] {
            script.receive(.answered([sent(delivery)], at: .zero))
            #expect(script.settled == nil)
        }
        script.receive(.settled([sent(deliveries[0])]))
        #expect(script.settled?.count == 3)
    }

    @Test("outcomes of pushes to many wait for others, but not for long, and not beside one of a single message")
    func together() {
        var script = Script(places: 12, reserved: 4)
        script.join()
        let many = (1...8).map { delivery(Int64($0), .bulk) }
        script.receive(claimed(many + [delivery(9)]))
        script.receive(.answered([sent(many[0])], at: .zero))
        #expect(script.settled == nil)
        script.receive(.answered(many[1...3].map { sent($0) }, at: .zero))
        #expect(script.settled?.count == 4, "a part of their places")
        script.receive(.settled(many[...3].map { sent($0) }))
        script.receive(.answered([sent(many[4])], at: .zero))
        #expect(script.settled == nil)
        script.pass(DeliveryLimits.longestOutcomeWait)
        #expect(script.settled?.count == 1)
        script.receive(.settled([sent(many[4])]))
        script.receive(.answered([sent(many[5])], at: .zero))
        script.receive(.answered([sent(delivery(9))], at: .zero))
        #expect(script.settled?.count == 2, "one is of a single message")
        script.receive(.settled([sent(many[5]), sent(delivery(9))]))
        script.receive(.answered([sent(many[6])], at: .zero))
        #expect(script.settled == nil)
        script.receive(.answered([sent(many[7])], at: .zero))
        #expect(script.settled?.count == 2, "no other can come")
    }

    @Test("it looks again when outcomes have waited enough")
    func looks() {
        var script = Script(places: 12, reserved: 4)
        script.join()
        let many = (1...8).map { delivery(Int64($0), .bulk) }
        script.receive(claimed(many))
        script.receive(.answered([sent(many[0])], at: .zero))
        #expect(script.look == noon + DeliveryLimits.longestOutcomeWait)
    }

    @Test("what could not be written down is written down later, however long that takes")
    func unsettled() {
        var script = Script()
        script.join()
        let one = delivery(1)
        script.receive(claimed([one]))
        script.receive(.answered([sent(one)], at: .zero))
        for _ in 0..<1000 {
            script.receive(.unsettled([sent(one)], "busy"))
            #expect(script.settled == nil, "not at once")
            script.pass(.seconds(2))
            #expect(script.settled?.count == 1)
        }
        script.receive(.settled([sent(one)]))
        #expect(script.loop.window.isEmpty)
    }

    @Test("single messages keep places beside a message to many")
    func lanes() {
        var script = Script()
        script.join()
        #expect(script.claim?.bulkLimit == 3)
        script.receive(claimed((1...3).map { delivery(Int64($0), .bulk) }))
        script.receive(.woken)
        #expect(script.claim?.limit == 1 && script.claim?.bulkLimit == 0)
    }

    @Test("while a message to many goes out, nothing is claimed before places of its own are free")
    func claimsOfMany() {
        var script = Script(places: 12, reserved: 4)
        script.join()
        let deliveries = (1...8).map { delivery(Int64($0), .bulk) }
        script.receive(claimed(deliveries))
        #expect(script.sends == 8 && script.claim == nil, "no single message was due")
        script.receive(.settled([sent(deliveries[0])]))
        #expect(script.claim == nil, "one place is too few")
        script.receive(.settled(deliveries[1...3].map { sent($0) }))
        #expect(script.claim?.bulkLimit == 4)
        script.receive(claimed([]))
        script.receive(.woken)
        #expect(script.claim?.bulkLimit == 4, "a single message may have come")
        script.receive(claimed([delivery(9)]))
        script.receive(claimed([]))
        #expect(script.claim == nil)
        script.receive(.settled([sent(delivery(9))]))
        #expect(script.claim != nil, "something may have waited for a single one")
    }

    @Test("a claim that found others has found every single message, and nothing is asked for them alone")
    func singlesExhausted() {
        var script = Script(places: 1100, reserved: 100)
        script.join()
        script.receive(claimed((1...500).map { delivery(Int64($0), .bulk) }))
        #expect(script.sends == 500)
        #expect(script.claim?.bulkLimit == 500, "the second half of the places")
        script.receive(claimed((501...1000).map { delivery(Int64($0), .bulk) }))
        #expect(script.sends == 500 && script.claim == nil, "a hundred places are free, and no single message waits")
        script.receive(.woken)
        #expect(script.claim?.limit == 100 && script.claim?.bulkLimit == 0)
        script.receive(claimed((1001...1100).map { delivery(Int64($0)) }))
        #expect(script.claim == nil, "there is no room")
        script.receive(.settled([sent(delivery(1001))]))
        #expect(script.claim?.limit == 1, "more may wait")
    }

    @Test("as much goes together as is cheap, and less for a while after a single message")
    func groups() {
        var script = Script(places: 1100, reserved: 100)
        script.join()
        #expect(script.claim?.limit == 500 && script.claim?.bulkLimit == 500)
        script.receive(claimed([delivery(1)]))
        #expect(script.claim?.limit == 125 && script.claim?.bulkLimit == 125)
        let many = (2...126).map { delivery(Int64($0), .bulk) }
        script.receive(claimed(many))
        script.receive(.answered(many.dropLast().map { sent($0) }, at: .zero))
        #expect(script.settled == nil, "others are waited for")
        script.receive(.answered([sent(many[124])], at: .zero))
        #expect(script.settled?.count == 125)
        script.receive(.settled(many.map { sent($0) }))
        script.receive(claimed([]))
        script.pass(DeliveryLimits.quietAfterSingleMessage)
        #expect(script.claim?.bulkLimit == 500)
    }

    @Test("pushes to many leave places while single messages wait behind them, and take them again when none go out")
    func waiting() {
        var script = Script(places: 1100, reserved: 100)
        script.join()
        script.receive(claimed([delivery(1)]))
        let slow = (0..<100).map { delivery($0 + 2, .bulk) }
        script.receive(claimed(slow))
        script.receive(.answered([sent(slow[0])], at: .zero))
        for delivery in slow[1...] {
            script.receive(.answered([sent(delivery)], at: .milliseconds(50)))
        }
        script.receive(claimed((200..<300).map { delivery($0, .bulk) }))
        #expect(script.claim == nil, "200 of 250 places are in use")
        script.pass(DeliveryLimits.quietAfterSingleMessage)
        #expect(script.claimAfter?.bulkLimit == 500)
    }

    @Test("the outcome of a single message is written down before those of pushes to many")
    func singlesFirst() {
        var script = Script(places: 1100, reserved: 100)
        script.join()
        let (many, single) = ((1...500).map { delivery(Int64($0), .bulk) }, delivery(501))
        script.receive(claimed(many))
        script.receive(.answered(many[..<100].map { sent($0) }, at: .zero))
        script.receive(claimed([single]))
        script.receive(.answered(many[100..<499].map { sent($0) }, at: .zero))
        #expect(script.settled?.count == 125)
        script.receive(.answered([sent(single)], at: .zero))
        script.receive(.settled(many[..<125].map { sent($0) }))
        #expect(script.settled?.first?.number == 501 && script.settled?.count == 125)
        #expect(script.settled?[1].number == 126)
    }

    @Test("it claims nothing when its lease may be about to end, and goes on when it has beaten")
    func leaseEnds() {
        var script = Script()
        script.join()
        script.receive(claimed([], examined: 0))
        script.pass(
            DeliveryLimits.leaseDuration - DeliveryLimits.pushDeadline(underLease: DeliveryLimits.leaseDuration))
        #expect(script.beats && script.claim == nil)
        script.receive(.failed(.beating, "busy"))
        #expect(script.claim == nil)
        script.pass(.seconds(2))
        #expect(script.beats && script.claim == nil)
        script.receive(.beaten([], at: script.uptime))
        #expect(script.claim != nil)
    }

    @Test("a clock that is set moves no lease")
    func wallClock() {
        var script = Script()
        script.join()
        script.receive(claimed([], examined: 0))
        script.now = noon - .seconds(86400)
        script.receive(.woken)
        #expect(script.claim != nil)
        #expect(script.loop.leaseEnd == DeliveryLimits.leaseDuration)
    }

    @Test("who is gone is taken over, a step at a time, and once")
    func takeOver() {
        var script = Script()
        script.receive(.woken)
        script.receive(.joined(JoinedSender(SenderNumber(rawValue: 2))))
        let dead = SenderBeat(sender: SenderNumber(rawValue: 1), beat: 3, isDead: true)
        script.receive(.beaten([dead], at: .zero))
        #expect(script.released == dead)
        script.receive(.beaten([dead], at: .seconds(1)))
        #expect(script.released == nil, "it is under way")
        script.receive(.released(dead, SenderRelease(count: 500, isDone: false)))
        #expect(script.released == dead)
        script.receive(.released(dead, SenderRelease(count: 1, isDone: true)))
        #expect(script.released == nil)
    }

    @Test("one that was taken over sends nothing more under its old number, joins again, and still says what it knows")
    func wasTakenOver() {
        var script = Script()
        script.join()
        let one = delivery(1)
        script.receive(claimed([one]))
        script.receive(.ended)
        #expect(script.joins && script.loop.leaseEnd == .zero)
        script.receive(.answered([sent(one)], at: .zero))
        #expect(script.settled?.count == 1)
        script.receive(.joined(JoinedSender(SenderNumber(rawValue: 2))))
        script.receive(.beaten([], at: script.uptime))
        #expect(script.claim?.sender == SenderNumber(rawValue: 2))
    }

    @Test("one that cannot know what it has leased joins again, so that others take that over")
    func claimUnknown() {
        var script = Script()
        script.join()
        script.receive(.claimUnknown)
        #expect(script.joins && script.loop.leaseEnd == .zero && script.claim == nil)
        script.receive(.joined(JoinedSender(SenderNumber(rawValue: 2))))
        script.receive(.beaten([], at: script.uptime))
        #expect(script.claim?.sender == SenderNumber(rawValue: 2))
    }

    @Test("it ends when what is in flight is written down, and takes nothing new")
    func drain() {
        var script = Script()
        script.join()
        let one = delivery(1)
        script.receive(claimed([one]))
        script.receive(claimed([], examined: 0))
        script.receive(.drain)
        #expect(!script.finishes && script.claim == nil)
        script.receive(.answered([sent(one)], at: .zero))
        #expect(!script.finishes)
        script.receive(.settled([sent(one)]))
        #expect(script.finishes)
    }

    @Test("one that is to end while its store is gone tries for a while, and no longer")
    func drainWithoutStore() {
        var script = Script()
        script.join()
        let (one, two) = (delivery(1), delivery(2))
        script.receive(claimed([one, two]))
        script.receive(.answered([sent(one)], at: .zero))
        script.receive(.drain)
        for _ in 0..<2 {
            script.receive(.unsettled([sent(one)], "gone"))
            #expect(!script.finishes)
            script.pass(DeliveryLimits.drainPatience / 3)
            #expect(script.settled?.count == 1)
        }
        script.receive(.unsettled([sent(one)], "gone"))
        script.receive(.answered([sent(two)], at: .zero))
        #expect(!script.finishes)
        script.pass(DeliveryLimits.drainPatience / 3 + .milliseconds(1))
        #expect(script.finishes && script.gaveUp == 2)
    }

    @Test("one that is to end waits for APNs' answers for a while, writes down those that came, and leaves the others")
    func drainWithoutAnswer() {
        var script = Script()
        script.join()
        let (one, two) = (delivery(1), delivery(2))
        script.receive(claimed([one, two]))
        script.receive(.drain)
        script.pass(DeliveryLimits.drainPatience - .milliseconds(1))
        #expect(!script.finishes)
        script.receive(.answered([sent(one)], at: .zero))
        script.pass(.milliseconds(1))
        #expect(!script.finishes, "an outcome is being written down")
        script.receive(.settled([sent(one)]))
        #expect(script.finishes && script.gaveUp == nil)
    }

    @Test("one app has its share of places, and the others always have theirs")
    func shares() {
        var window = SendWindow(places: 10, reserved: 2, share: 6)
        #expect(window.claimRoom == 6 && window.bulkRoom(of: 8) == 4)
        window.take((1...4).map { delivery($0, .bulk) })
        let app = delivery(0).app
        #expect(window.bulkFull == [app] && window.full.isEmpty)
        #expect(window.claimRoom == 2, "its single messages")
        #expect(window.bulkRoom(of: 8) == 4, "other apps' messages to many")
        window.take([delivery(5), delivery(6)])
        #expect(window.full == [app] && window.claimRoom == 4)
        window.take((7...8).map { delivery($0, of: "other") })
        #expect(window.claimRoom == 2)
        #expect(window.without([app]).claimRoom == 4 && window.without([app]).bulkFull.isEmpty)
    }

    @Test("an app that has its share is left out of claims, and the others are not")
    func shareOfClaims() {
        var script = Script(window: SendWindow(places: 6, reserved: 0, share: 4))
        script.join()
        #expect(script.claim?.limit == 4)
        let deliveries = (1...4).map { delivery($0) }
        script.receive(claimed(deliveries))
        #expect(script.claim?.except == [deliveries[0].app] && script.claim?.limit == 2)
    }

    @Test("an endpoint that answers nothing stops its app soon, and the app's places are the others'")
    func silence() {
        let many = DeliveryLimits.pushesWithoutAnswer
        var script = Script(window: SendWindow(places: many, reserved: 0))
        script.join()
        let deliveries = (1...many).map { delivery(Int64($0)) }
        script.receive(claimed(deliveries))
        #expect(script.claim == nil, "there is no place")
        script.pass(DeliveryLimits.answerPatience - .milliseconds(1))
        #expect(script.loop.gates.closed.isEmpty)
        script.receive(.beaten([], at: script.uptime))
        script.pass(.milliseconds(1))
        #expect(script.loop.gates.closed == [deliveries[0].app])
        #expect(script.loop.gates.alarms.first?.sentence(at: noon + .seconds(40)) == "APNs has not answered for 40 s")
        #expect(script.claim?.except == [deliveries[0].app] && script.claim.map { $0.limit > 0 } == true)
        script.receive(claimed([], examined: 0))
        // One push tries whether it answers again, and if it does, all go on.
        script.receive(.beaten([], at: script.uptime))
        script.pass(DeliveryLimits.unreachableProbeInterval)
        #expect(script.claim?.only == deliveries[0].app && script.claim?.limit == 1)
        let probe = delivery(Int64(many + 1))
        script.receive(.claimed(Claim(deliveries: [probe], examined: 1), probe: probe.app))
        script.receive(.answered([sent(probe)], at: script.uptime))
        #expect(script.loop.gates.closed.isEmpty)
    }

    @Test("an endpoint that answers anything is not silent, and few pushes are waited for as long as any")
    func slowEndpoint() {
        let many = DeliveryLimits.pushesWithoutAnswer + 1
        var script = Script(window: SendWindow(places: 1000, reserved: 0))
        script.join()
        let deliveries = (1...many).map { delivery(Int64($0)) }
        script.receive(claimed(deliveries))
        script.pass(DeliveryLimits.answerPatience - .milliseconds(1))
        script.receive(.answered([sent(deliveries[0])], at: script.uptime))
        script.pass(.milliseconds(1))
        #expect(script.loop.gates.closed.isEmpty)
        script.receive(.answered([sent(deliveries[1])], at: script.uptime))
        script.pass(DeliveryLimits.answerPatience + .seconds(1))
        #expect(script.loop.gates.closed.isEmpty)
    }

    @Test("when APNs rejects most of an app's tokens, none is condemned, and the app is stopped with one alarm")
    func massRejection() {
        let count = DeliveryLimits.answersThatTell
        var script = Script(window: SendWindow(places: 100, reserved: 0))
        script.join()
        let deliveries = (1...count).map { delivery(Int64($0)) }
        script.receive(claimed(deliveries))
        let refused = rejected("BadDeviceToken", 400)
        for delivery in deliveries.dropLast() {
            script.receive(.answered([sent(delivery, refused)], at: .zero))
            #expect(script.settled == nil, "it waits for more answers")
        }
        script.receive(.answered([sent(deliveries[count - 1], refused)], at: .zero))
        #expect(script.settled?.map(\.outcome) == Array(repeating: .withheld("BadDeviceToken"), count: count))
        #expect(script.loop.gates.closed == [deliveries[0].app])
        #expect(script.loop.gates.alarms.map(\.trouble.kind) == [.rejectedDevices])
        // Once APNs takes one again, all go on, and what it rejects then is believed.
        script.receive(.answered([sent(delivery(99))], at: .zero))
        #expect(script.loop.gates.closed.isEmpty)
    }

    @Test("a token that APNs rejects among others that it takes is believed")
    func someRejections() {
        let count = DeliveryLimits.answersThatTell * 2
        var script = Script(window: SendWindow(places: 100, reserved: 0))
        script.join()
        let deliveries = (1...count).map { delivery(Int64($0)) }
        script.receive(claimed(deliveries))
        let refused = rejected("BadDeviceToken", 400)
        script.receive(.answered([sent(deliveries[0], refused)], at: .zero))
        #expect(script.settled == nil)
        script.receive(.answered(deliveries[1...].dropLast().map { sent($0) }, at: .zero))
        #expect(script.settled?.contains { $0.outcome == refused } == true)
        #expect(script.loop.gates.closed.isEmpty)
    }

    @Test("the last of few answers is believed at once, and one that nothing follows after a moment")
    func fewRejections() {
        let refused = rejected("BadDeviceToken", 400)
        var script = Script(window: SendWindow(places: 100, reserved: 0))
        script.join()
        let (one, two) = (delivery(1), delivery(2))
        script.receive(claimed([one, two]))
        script.receive(.answered([sent(one, refused)], at: .zero))
        #expect(script.settled == nil)
        script.pass(DeliveryLimits.rejectionPatience)
        #expect(script.settled?.map(\.outcome) == [refused])
        script.receive(.settled([sent(one, refused)]))
        script.receive(.answered([sent(two, refused)], at: .zero))
        #expect(script.settled?.map(\.outcome) == [refused])
    }

    @Test("checks of new tokens stop nobody, since anybody may invent tokens")
    func inventedTokens() {
        let count = DeliveryLimits.answersThatTell * 2
        let refused = rejected("BadDeviceToken", 400)
        var script = Script(window: SendWindow(places: 100, reserved: 0))
        script.join()
        let deliveries = (1...count).map { number in
            var check = delivery(Int64(number))
            check.purpose = .tokenCheck
            return check
        }
        script.receive(claimed(deliveries))
        for delivery in deliveries { script.receive(.answered([sent(delivery, refused)], at: .zero)) }
        #expect(script.loop.gates.closed.isEmpty)
    }

    @Test("no push waits for its answer beyond its lease, however short that is", arguments: [10, 30, 60, 3600])
    func deadline(_ seconds: Int) {
        let lease = Duration.seconds(seconds)
        let deadline = DeliveryLimits.pushDeadline(underLease: lease)
        #expect(deadline <= .seconds(15))
        // Between two beats it still may send.
        #expect(lease - lease / DeliveryLimits.beatsPerLease > deadline)
    }

    @Test("an app whose credential has changed is tried at once")
    func changedCredential() {
        var script = Script()
        script.join()
        let one = delivery(1)
        script.receive(claimed([one]))
        script.receive(.answered([sent(one, rejected("InvalidProviderToken", 403))], at: .zero))
        script.receive(.settled([sent(one)]))
        script.receive(claimed([], examined: 0))
        script.receive(.woken)
        script.receive(claimed([], examined: 0))
        script.receive(.credentialsChanged([one.app]))
        #expect(script.claim?.only == one.app && script.claim?.limit == 1)
    }

    @Test("a stopped app is left out, and tried by one push now and then")
    func gate() {
        var script = Script()
        script.join()
        let one = delivery(1)
        script.receive(claimed([one]))
        script.receive(.answered([sent(one, rejected("InvalidProviderToken", 403))], at: .zero))
        script.receive(.settled([sent(one)]))
        script.receive(claimed([], examined: 0))
        script.receive(.beaten([], at: script.uptime))
        script.receive(.woken)
        #expect(script.claim?.except == [one.app])
        script.receive(claimed([], examined: 0))
        script.pass(.seconds(10))
        script.receive(.beaten([], at: script.uptime))
        script.receive(claimed([], examined: 0))
        script.pass(DeliveryLimits.credentialProbeInterval - .seconds(11))
        script.receive(.beaten([], at: script.uptime))
        script.receive(claimed([], examined: 0))
        script.pass(.seconds(1))
        #expect(script.claim?.only == one.app && script.claim?.limit == 1)
    }
}
