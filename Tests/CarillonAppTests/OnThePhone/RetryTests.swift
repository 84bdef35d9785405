import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Testing

@MainActor
@Suite("Requests that failed are tried again after a pause")
struct RetryTests {
    private func failures(_ fixture: AppFixture) -> [String] {
        fixture.log.all.compactMap { if case .serviceFailed(let request, _) = $0 { request } else { nil } }
    }

    @Test("a back-off that is over, and whose queue is empty, repeats nothing: without a network an app asks once")
    func pastBackoff() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            fixture.service[\.refusals] = [503]
            try await fixture.silent("m1")
            #expect(failures(fixture) == ["POST receipts"])
            fixture.app?.carillon?.writesReceipts = false
            fixture.clock.advance(by: .seconds(60))
            try await fixture.settle()
            fixture.service[\.isDown] = true
            try await fixture.open()
            try await fixture.settle()
            #expect(failures(fixture) == ["POST receipts", "GET devices"])
            for _ in 0..<10 {
                fixture.clock.advance(by: .zero)
                try await fixture.settle()
            }
            #expect(failures(fixture).count == 2, "no time has passed")
        }
    }

    @Test("removals that could not be fetched are fetched when the back-off ends, each time after a longer wait")
    func fetchesAgain() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            try await fixture.visible("m1")
            try await fixture.goHome()
            fixture.service[\.isDown] = true
            try await fixture.open()
            try await fixture.settle()
            for _ in 0..<60 {
                fixture.clock.advance(by: .seconds(1))
                try await fixture.settle()
            }
            let tries = failures(fixture).count
            #expect((3...6).contains(tries), "\(failures(fixture))")
            fixture.service[\.isDown] = false
            fixture.service[\.removals] = ["m1"]
            fixture.clock.advance(by: .seconds(90))
            try await fixture.settle()
            #expect(fixture.onScreen.isEmpty && fixture.service.receipts.contains("recalled m1"))
            let calls = fixture.service.calls.count
            fixture.clock.advance(by: .seconds(7200))
            try await fixture.settle()
            #expect(fixture.service.calls.count == calls, "nothing is left to fetch")
        }
    }

    @Test("a service that wants to be left alone is not asked for removals before, however often the app is opened")
    func leftAlone() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            fixture.service[\.refusals] = [503]
            fixture.service[\.retryAfter] = "600"
            let before = fixture.service.calls.count
            for _ in 0..<5 {
                try await fixture.open()
                try await fixture.settle()
                try await fixture.goHome()
            }
            let calls = fixture.service.calls.count
            #expect(calls == before + 1 && failures(fixture) == ["GET devices"])
            fixture.clock.advance(by: .seconds(1200))
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.service.calls.count > calls && fixture.service.calls.last == "GET /v1/devices/ID/sync")
        }
    }

    @Test("a recall does not wait for the network, though a sign-out that the service has not heard of does")
    func recallBesidesSignOut() async throws {
        try await AppFixture.run { fixture in
            var plan = try fixture.plan(signInToken: "user-token")
            let slow = SlowTransport(fixture.service)
            plan.transport = slow
            try await fixture.openAllowed(plan)
            fixture.service[\.isDown] = true
            await fixture.app?.carillon?.signOut()
            try await fixture.goHome()
            let key = CarillonKey(id: try MessageID("m1"), now: fixture.clock.now)
            try await fixture.push(["aps": ["alert": "text"], "carillon": key.json], type: .alert, collapseID: "m1")
            #expect(fixture.onScreen == ["m1"])
            fixture.service[\.isDown] = false
            slow.hold()
            let recall = Task { try await fixture.removal("m1") }
            try await slow.arrival()
            try await fixture.phone.until("the recalled message is gone", within: .seconds(20)) { phone in
                phone.deliveredNotifications(of: AppFixture.bundleID).isEmpty
            }
            slow.release()
            _ = try await recall.value
            #expect(fixture.service.calls.contains("DELETE /v1/devices/ID/user"))
        }
    }

    @Test("two objects of the SDK in one app, which would write the same files, are reported")
    func twice() async throws {
        try await AppFixture.run { fixture in
            var plan = try fixture.plan()
            try await fixture.openAllowed(plan)
            try fixture.end()
            try await fixture.open()
            try await fixture.settle()
            #expect(!fixture.log.all.contains(.storeIsInUse), "a launch after the end of the app is no second use")
            plan.makesSecondCarillon = true
            fixture.install(plan)
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.log.all.contains(.storeIsInUse))
        }
    }
}
