import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Testing
import UserNotifications

@MainActor
@Suite("After a sign-out, the former user's alerts")
struct FormerUserTests {
    enum Way: CaseIterable { case inFront, inFrontAndAwake, fromTheList, byTap }

    private func alert(_ id: String, composed: Timestamp, wakes: Bool = false) throws -> JSONValue {
        let key = CarillonKey(id: try MessageID(id), now: composed)
        var aps: [String: JSONValue] = ["alert": "Secret", "sound": "default", "mutable-content": 1]
        if wakes { aps["content-available"] = 1 }
        return ["aps": .object(aps), "carillon": key.json, "link_url": "app:secret"]
    }

    private func told(_ fixture: AppFixture) -> [String] {
        fixture.callbackLog.lines.filter { $0.hasPrefix("message") || $0.hasPrefix("response") }
    }

    /// Opens the app for ada and signs her out, with the service's confirmation or without.
    private func signedOut(_ fixture: AppFixture, isConfirmed: Bool, withExtension: Bool) async throws {
        if withExtension {
            try await HostExtension.suspended(fixture, HostExtension.Plan(service: fixture.service))
            try await fixture.open()
        } else {
            try await fixture.openAllowed(try fixture.plan(signInToken: "ada"))
        }
        fixture.clock.advance(by: .seconds(1))
        fixture.service[\.isDown] = !isConfirmed
        await fixture.app?.carillon?.signOut()
        try await fixture.settle()
    }

    @Test(
        "are neither shown in front nor told to the app, on whatever way they come",
        arguments: Way.allCases, [(true, false), (false, false), (true, true), (false, true)])
    func neither(_ way: Way, _ state: (isConfirmed: Bool, withExtension: Bool)) async throws {
        try await AppFixture.run { fixture in
            let composed = fixture.clock.now
            try await signedOut(fixture, isConfirmed: state.isConfirmed, withExtension: state.withExtension)
            let sounds = fixture.phone.sounds.count
            let payload = try alert("m1", composed: composed, wakes: way == .inFrontAndAwake)
            if [.fromTheList, .byTap].contains(way) { try await fixture.goHome() }
            try await fixture.push(payload, type: .alert, collapseID: "m1")
            switch way {
            case .inFront, .inFrontAndAwake:
                #expect(fixture.phone.sounds.count == sounds && fixture.phone.banner == nil)
            case .fromTheList: try await fixture.open()
            case .byTap: try await fixture.tap("m1")
            }
            try await fixture.settle()
            #expect(told(fixture) == [])
            #expect(fixture.onScreen == [])
            #expect(!fixture.service.receipts.contains("opened m1"))
        }
    }

    @Test("include what the service composed before it had heard of the sign-out, and nothing later")
    func composedBetween() async throws {
        try await AppFixture.run { fixture in
            try await signedOut(fixture, isConfirmed: false, withExtension: false)
            fixture.clock.advance(by: .seconds(10))
            let between = fixture.clock.now
            fixture.clock.advance(by: .seconds(60))
            fixture.service[\.isDown] = false
            try await fixture.goHome()
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.service.calls.contains("DELETE /v1/devices/ID/user"))
            try await fixture.push(try alert("m1", composed: between), type: .alert, collapseID: "m1")
            try await fixture.settle()
            #expect(fixture.onScreen == [] && told(fixture) == [])
            try await fixture.push(try alert("m2", composed: fixture.clock.now), type: .alert, collapseID: "m2")
            try await fixture.settle()
            #expect(fixture.onScreen == ["m2"] && told(fixture) == ["message m2: Secret"])
        }
    }

    @Test("leave the next user's messages alone, though the phone takes the service's clock to be ahead")
    func clockAhead() async throws {
        try await AppFixture.run(serviceLead: .seconds(-3600)) { fixture in
            let slow = SlowTransport(fixture.service)
            var plan = try fixture.plan(signInToken: "ada")
            plan.transport = slow
            try await fixture.openAllowed(plan)
            let carillon = try #require(fixture.app?.carillon)
            // Of an answer that was long on its way, the phone assumes the smallest error of its clock that fits.
            slow.hold()
            try carillon.setTags(["news"])
            try await slow.arrival()
            fixture.clock.advance(by: .seconds(20))
            slow.release()
            try await fixture.settle()
            await carillon.signOut()
            try await fixture.settle()
            try await fixture.goHome()
            var key = CarillonKey(id: try MessageID("m1"), now: fixture.clock.now - .seconds(3600))
            key.silent = ["alert": "For bob"]
            try await fixture.push(["aps": ["content-available": 1], "carillon": key.json])
            #expect(fixture.onScreen == ["m1"])
        }
    }
}
