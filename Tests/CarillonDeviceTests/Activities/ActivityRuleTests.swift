import ActivityKit
import CarillonCore
import CarillonDevice
import Foundation
import Testing

@MainActor @Suite("The rules of Live Activities") struct ActivityRuleTests {
    @Test(
        "41: an older update is ignored, an equally old one is shown; an older end ends, unless switched off",
        arguments: [true, false])
    func timestamps(_ isIgnored: Bool) async throws {
        var rules = PhoneRules()
        rules.olderEndIsIgnored = isIgnored
        try await Ride.run(rules: rules) { ride in
            try await ride.app.open()
            try await ride.request()
            try await ride.push(ride.update(5))
            let older = try await ride.push(ride.update(8, ["timestamp": .double(ride.now - 1)]))
            #expect(older.first?.contains("is older than") == true)
            try await ride.push(ride.update(4))
            #expect(ride.minutes == [4])
            let milliseconds = try await ride.push(ride.update(8, ["timestamp": .double(ride.now * 1000)]))
            #expect(milliseconds.first?.contains("milliseconds") == true)
            try await ride.push(
                ride.end(["timestamp": .double(ride.now - 1), "content-state": ["minutes": 0, "stop": "Quay"]]))
            #expect(ride.minutes == [isIgnored ? 4 : 0])
            #expect(ride.activities.map(\.state) == [isIgnored ? .active : .ended])
        }
    }

    @Test(
        "42: content that the app's type cannot decode is ignored, and the trace names the key",
        arguments: [
            (["minutes": "five", "stop": "Quay"], "minutes must be Int"),
            (["stop": "Quay"], "the key minutes is missing"),
            (["minutes": nil, "stop": "Quay"], "minutes is null, and must be Int"),
            (["minutes": 1, "stop": "Quay", "arrival": "noon"], "arrival must be Double"),
        ] as [(JSONValue, String)])
    func undecodable(_ state: JSONValue, _ why: String) async throws {
        try await Ride.run { ride in
            try await ride.app.open()
            try await ride.request()
            let notes = try await ride.push(ride.update(0, ["content-state": state]))
            #expect(notes.first?.hasPrefix("ignored: aps.content-state cannot be decoded") == true)
            #expect(notes.first?.contains(why) == true, "\(notes)")
            #expect(ride.minutes == [9])
        }
    }

    @Test("42: dates in the content are seconds since 2001, the default of JSONDecoder")
    func dates() async throws {
        try await Ride.run { ride in
            try await ride.app.open()
            try await ride.request()
            try await ride.push(ride.update(1, ["content-state": ["minutes": 1, "stop": "Quay", "arrival": 60]]))
            let arrival = try await ride.app.phone.value(in: ride.app.bundleID) {
                Activity<RideAttributes>.activities.first?.content.state.arrival
            }
            #expect(arrival == Date(timeIntervalSinceReferenceDate: 60))
        }
    }

    @Test("43: eight hours active, at most four more on the lock screen")
    func lifetime() async throws {
        var rules = PhoneRules()
        rules.activeActivitySeconds = 8 * 3600
        rules.endedActivitySeconds = 4 * 3600
        try await Ride.run(rules: rules) { ride in
            try await ride.app.open()
            try await ride.request()
            try await ride.app.advance(by: .seconds(8 * 3600 - 1))
            #expect(ride.activities.map(\.state) == [.active])
            try await ride.app.advance(by: .seconds(1))
            #expect(ride.activities.map(\.state) == [.ended])
            #expect(ride.activities.first?.pushToken == nil)
            try await ride.app.advance(by: .seconds(4 * 3600 - 1))
            #expect(ride.activities.count == 1)
            try await ride.app.advance(by: .seconds(1))
            #expect(ride.activities.isEmpty)
            #expect(
                ride.log.lines.filter { $0.hasPrefix("state") } == ["state active", "state ended", "state dismissed"])
        }
    }

    @Test(
        "43: an end says when the card leaves: at its dismissal date, at once for a past one, after four hours at the latest",
        arguments: [(-1.0, 0), (3600.0, 3600), (32_400.0, 14_400)])
    func dismissal(_ date: Double, _ expected: Int) async throws {
        try await Ride.run { ride in
            try await ride.app.open()
            try await ride.request()
            try await ride.push(ride.end(["dismissal-date": .double(ride.now + date)]))
            guard expected > 0 else { return #expect(ride.activities.isEmpty) }
            try await ride.app.advance(by: .seconds(expected - 1))
            #expect(ride.activities.map(\.state) == [.ended])
            try await ride.app.advance(by: .seconds(1))
            #expect(ride.activities.isEmpty)
        }
    }

    @Test(
        "43: a restart keeps the cards, or dismisses them; what fell due while the phone was off has happened",
        arguments: [true, false])
    func restart(_ ends: Bool) async throws {
        var rules = PhoneRules()
        rules.restartEndsActivities = ends
        try await Ride.run(rules: rules) { ride in
            try await ride.app.open()
            try await ride.request()
            await ride.app.phone.restart()
            #expect(ride.activities.isEmpty == ends)
            await ride.app.phone.powerOff()
            try await ride.app.advance(by: .seconds(9 * 3600))
            await ride.app.phone.boot()
            #expect(ride.activities.map(\.state) == (ends ? [] : [.ended]))
            await ride.app.phone.powerOff()
            try await ride.app.advance(by: .seconds(24 * 3600))
            await ride.app.phone.boot()
            #expect(ride.activities.isEmpty)
        }
    }

    @Test("43: an update of the app dismisses its cards, or keeps them", arguments: [true, false])
    func appUpdate(_ ends: Bool) async throws {
        var rules = PhoneRules()
        rules.updateEndsActivities = ends
        let link = TokenLink()
        try await Ride.run(rules: rules, link: link) { ride in
            try await ride.app.open()
            try await ride.request()
            let token = try #require(ride.activities.first?.pushToken)
            try await ride.app.phone.perform(.install(ride.app.bundleID))
            try await ride.app.phone.settled()
            #expect(ride.activities.isEmpty == ends)
            #expect(link.invalidated.contains(token) == ends)
        }
    }

    @Test("44: a request throws Apple's errors, and the sixth one is refused")
    func requests() async throws {
        var rules = PhoneRules()
        rules.activitiesPerApp = 2
        try await Ride.run(rules: rules) { ride in
            try await ride.app.open()
            try await ride.request("1")
            try await ride.request("2")
            await #expect(throws: ActivityAuthorizationError.targetMaximumExceeded) { try await ride.request("3") }
            let notes = try await ride.push(ride.start("4"))
            #expect(notes.first?.contains("the most it may have") == true)
            #expect(ride.activities.count == 2)
        }
    }

    @Test("44: the person's switch removes the cards, and the app is told")
    func personSwitch() async throws {
        try await Ride.run { ride in
            try await ride.app.open()
            try await ride.request()
            try ride.app.phone.activities.set(false, for: ride.app.bundleID)
            try await ride.app.phone.settled()
            #expect(ride.activities.isEmpty)
            #expect(ride.log.contains("enabled false") && ride.log.contains("state dismissed"))
            #expect(try await ride.push(ride.start()).first?.contains("switched Live Activities off") == true)
            try await ride.app.phone.perform(.setLiveActivities(true, app: ride.app.bundleID))
            try await ride.request()
            try await ride.app.phone.perform(.setFrequentUpdates(false, app: ride.app.bundleID))
            #expect(ride.activities.isEmpty)
        }
    }

    @Test(
        "45: a start by push shows the card without opening the app, and wakes it for its token", arguments: [12, 30])
    func pushToStart(_ seconds: Int) async throws {
        var rules = PhoneRules()
        rules.activityWakeSeconds = seconds
        try await Ride.run(rules: rules) { ride in
            #expect(try await ride.push(ride.start()).first?.contains("no push-to-start token") == true)
            try await ride.app.open()
            #expect(ride.log.contains("start 32"))
            try await ride.app.suspend()
            try ride.app.phone.system.terminate(ride.app.bundleID)
            let notes = try await ride.push(ride.start())
            #expect(notes.last == "the app was woken for \(seconds) s")
            #expect(ride.activities.first?.card?.title == "Line 7")
            #expect(ride.log.contains("token 32") && ride.app.phone.frontApp == nil)
            try await ride.app.advance(by: .seconds(seconds - 1))
            #expect(ride.app.state == .background)
            try await ride.app.advance(by: .seconds(1))
            #expect(ride.app.state == .suspended)
            #expect(ride.app.phone.sounds.map(\.name) == ["default"])
        }
    }

    @Test("45: a force-quit app is not woken, and finds its card and its token when it is opened")
    func forceQuit() async throws {
        try await Ride.run { ride in
            try await ride.app.open()
            try await ride.app.forceQuit()
            let launches = ride.log.lines.filter { $0 == "launched" }.count
            #expect(try await ride.push(ride.start()).last?.contains("force-quit") == true)
            #expect(ride.activities.count == 1)
            #expect(ride.log.lines.filter { $0 == "launched" }.count == launches)
            try await ride.app.open()
            #expect(ride.log.contains("began 7") && ride.log.contains("token 32"))
        }
    }

    @Test("45: a start gives a token in any case, or only when it asks for one", arguments: [true, false])
    func inputPushToken(_ mustAsk: Bool) async throws {
        var rules = PhoneRules()
        rules.startNeedsInputPushToken = mustAsk
        try await Ride.run(rules: rules) { ride in
            try await ride.app.open()
            try await ride.push(ride.start("1"))
            #expect((ride.activities.first?.pushToken == nil) == mustAsk)
            try await ride.push(ride.start("2", ["input-push-token": 1]))
            #expect(ride.activities.first?.pushToken != nil)
        }
    }

    @Test(
        "45: an app that observes too late misses the present value, where the sequences do not begin with it",
        arguments: [true, false])
    func lateObserver(_ begins: Bool) async throws {
        var rules = PhoneRules()
        rules.activityUpdatesBeginWithCurrent = begins
        try await Ride.run(rules: rules) { ride in
            try await ride.app.open()
            try await ride.request()
            await ride.app.phone.run(in: ride.app.bundleID) {
                Task {
                    for await activity in Activity<RideAttributes>.activityUpdates {
                        ride.log.write("late \(activity.id)")
                    }
                }
            }
            try await ride.app.phone.settled()
            #expect(ride.log.lines.contains { $0.hasPrefix("late") } == begins)
        }
    }

    @Test("46: a token ends with its Live Activity, also one that APNs can be told of only later")
    func endedToken() async throws {
        let link = TokenLink()
        try await Ride.run(link: link) { ride in
            try await ride.app.open()
            let id = try await ride.request()
            let token = try #require(ride.activities.first?.pushToken)
            await ride.app.phone.goOffline()
            try ride.app.phone.activities.dismiss(id, of: ride.app.bundleID)
            try await ride.app.phone.settled()
            #expect(link.invalidated == [])
            #expect(throws: PhoneError.self) { try ride.app.phone.activities.dismiss(id, of: ride.app.bundleID) }
            await ride.app.phone.goOnline()
            try await ride.app.phone.settled()
            #expect(link.invalidated == [token])
            #expect(try await ride.push(ride.update(1), to: token).first?.contains("it has ended") == true)
            try await ride.app.phone.uninstall(ride.app.bundleID)
            try await ride.app.phone.settled()
            #expect(link.invalidated.count == 2, "the push-to-start token ends with the app")
        }
    }

    @Test("46: of two Live Activities of a kind each has its own token")
    func twoOfAKind() async throws {
        try await Ride.run(link: TokenLink()) { ride in
            try await ride.app.open()
            try await ride.request("1")
            try await ride.request("2")
            let tokens = ride.activities.compactMap(\.pushToken)
            #expect(Set(tokens).count == 2)
            #expect(try await ride.push(ride.update(1)).first?.contains("names no token") == true)
            try await ride.push(ride.update(1), to: tokens[0])
            try await ride.push(ride.update(2), to: tokens[1])
            #expect(ride.minutes == [1, 2])
            #expect(try await ride.push(ride.start(), to: tokens[0]).first?.contains("push-to-start token") == true)
        }
    }

    @Test(
        "47: pushes with priority 10 are counted, those with 5 are not; the newest held update is shown when it is allowed"
    )
    func budget() async throws {
        var rules = PhoneRules()
        rules.activityUpdatesPerHour = 2
        rules.frequentActivityUpdatesPerHour = 3
        for isFrequent in [false, true] {
            try await Ride.run(rules: rules) {
                $0.supportsFrequentLiveActivityUpdates = isFrequent
            } _: { ride in
                try await ride.app.open()
                try await ride.request(minutes: 90)
                for minutes in 1...(isFrequent ? 3 : 2) { try await ride.push(ride.update(minutes)) }
                try await ride.push(ride.update(50))
                #expect(try await ride.push(ride.update(60)).first?.hasPrefix("held") == true)
                #expect(ride.minutes == [isFrequent ? 3 : 2])
                try await ride.push(ride.update(70), priority: 5)
                #expect(ride.minutes == [70])
                try await ride.app.advance(by: .seconds(3600))
                #expect(ride.minutes == [60], "equally old, and shown last")
            }
        }
    }

    @Test("47: starts by push have a budget of their own")
    func startBudget() async throws {
        var rules = PhoneRules()
        rules.activityStartsPerHour = 1
        try await Ride.run(rules: rules) { ride in
            try await ride.app.open()
            try await ride.push(ride.start("1"))
            #expect(try await ride.push(ride.start("2")).first?.contains("in an hour") == true)
            #expect(ride.activities.count == 1)
        }
    }
}
