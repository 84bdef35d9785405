import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Foundation
import Testing

/// Two Live Activities with one name, as after a start that the network has brought twice or late.
@MainActor @Suite("Of two Live Activities with one name, that with the newest state stays")
struct LiveActivityTwinTests {
    private let id = AppFixture.bundleID

    private func run(_ body: @MainActor (AppFixture) async throws -> Void) async throws {
        try await AppFixture.run { fixture in
            var plan = try fixture.plan()
            plan.registersMatches = true
            try await fixture.openAllowed(plan)
            try await body(fixture)
        }
    }

    private func start(_ goals: Int, _ fixture: AppFixture) async throws {
        fixture.clock.advance(by: .seconds(1))
        let aps: JSONValue = [
            "timestamp": .int(fixture.clock.now.secondsSince1970), "event": "start", "attributes-type": "MatchOfRun",
            "attributes": ["match": "match-7"], "content-state": ["goals": .int(Int64(goals))],
            "alert": ["title": "It begins"],
        ]
        await fixture.phone.receive(
            IncomingPush(
                topic: id, pushType: .liveactivity, payload: try JSONValue.object(["aps": aps]).encoded(),
                apnsID: UUID()))
        try await fixture.phone.settled()
    }

    /// The service's newest state of the match.
    private func newest(_ goals: Int, _ fixture: AppFixture) {
        fixture.service[\.states] = [
            LiveActivityStates.State(
                type: "MatchOfRun", id: "match-7", timestamp: fixture.clock.now.secondsSince1970,
                attributes: ["match": "match-7"], contentState: ["goals": .int(Int64(goals))])
        ]
    }

    private func goals(_ fixture: AppFixture) -> [Int] {
        fixture.phone.activities.shown(of: id).map { $0.contentState["goals"]?.intValue ?? -1 }
    }

    private func token(_ fixture: AppFixture) -> DeviceToken? {
        fixture.service.changes.last { $0.liveActivities != nil }?.liveActivities?.first { $0.id == "match-7" }?.token
    }

    @Test("a late start with an older state leaves again", arguments: [true, false])
    func late(_ comesLast: Bool) async throws {
        try await run { fixture in
            newest(2, fixture)
            for goals in comesLast ? [2, 1] : [1, 2] { try await start(goals, fixture) }
            try await fixture.settle()
            #expect(goals(fixture) == [2])
            let shown = fixture.phone.activities.shown(of: id).first?.pushToken.flatMap { DeviceToken($0) }
            #expect(shown != nil && token(fixture) == shown)
        }
    }

    @Test("a start that comes twice is there once")
    func twice() async throws {
        try await run { fixture in
            newest(1, fixture)
            for _ in 0..<2 { try await start(1, fixture) }
            try await fixture.settle()
            #expect(goals(fixture) == [1])
        }
    }

    @Test("while the service cannot say which is the newest, both stay, and the service has the older one's token")
    func offline() async throws {
        try await run { fixture in
            newest(1, fixture)
            try await start(1, fixture)
            try await fixture.settle()
            let first = token(fixture)
            fixture.service[\.isDown] = true
            try await start(2, fixture)
            try await fixture.settle()
            #expect(goals(fixture).count == 2 && token(fixture) == first)
            newest(2, fixture)
            fixture.service[\.isDown] = false
            fixture.clock.advance(by: .seconds(120))
            try await fixture.settle()
            #expect(goals(fixture) == [2] && token(fixture) != first)
        }
    }

    @Test("of two that the service does not know, the one that began last stays, also after a launch")
    func unknown() async throws {
        try await run { fixture in
            fixture.service[\.isDown] = true
            for goals in 1...2 { try await start(goals, fixture) }
            try await fixture.settle()
            #expect(goals(fixture).count == 2)
            try fixture.end()
            fixture.service[\.isDown] = false
            try await fixture.open()
            try await fixture.settle()
            #expect(goals(fixture) == [2])
        }
    }
}
