import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Foundation
import Synchronization
import Testing
import UserNotifications

/// The app's backend, which says who is signed in.
private final class Backend: Sendable {
    let token = Mutex<String?>("first")
    let questions = Occurrences()
    /// Happens when the test lets the backend give its slow answer.
    let release = Occurrences()
}

@MainActor
@Suite("The app's closure for sign-in tokens", .timeLimit(.minutes(5)))
struct SignInTokenTests {
    private func plan(
        _ fixture: AppFixture, _ signInToken: @escaping @Sendable () async throws -> String?
    ) throws -> HostApp.Plan {
        var plan = try fixture.plan()
        plan.configuration.signInToken = signInToken
        return plan
    }

    @Test("it may sign out itself, because the session is over, and nothing waits for itself")
    func signsOut() async throws {
        try await AppFixture.run { fixture in
            let backend = Backend()
            let box = Mutex<Carillon?>(nil)
            try await fixture.openAllowed(
                try plan(fixture) {
                    if backend.questions.happened() == 2 { await box.withLock(\.self)?.signOut() }
                    return backend.token.withLock(\.self)
                })
            let carillon = try #require(fixture.app?.carillon)
            box.withLock { $0 = carillon }
            #expect(carillon.user == "first")
            carillon.signIn()
            try await fixture.settle()
            #expect(backend.questions.count == 2)
            #expect(carillon.user == nil && fixture.service[\.user] == nil)
            #expect(fixture.service.calls.last == "DELETE /v1/devices/ID/user")
        }
    }

    @Test("one that never returns holds up neither receipts nor a sign-out, and is reported after 15 seconds")
    func neverReturns() async throws {
        try await AppFixture.run { fixture in
            let backend = Backend()
            let clock = fixture.clock
            try await fixture.openAllowed(
                try plan(fixture) {
                    if backend.questions.happened() == 2 { try await clock.sleep(for: .seconds(100_000)) }
                    return backend.token.withLock(\.self)
                })
            let carillon = try #require(fixture.app?.carillon)
            carillon.signIn()
            await backend.questions.reach(2)
            try await fixture.silent("m1")
            #expect(fixture.service.receipts.contains("received m1"))
            clock.advance(by: .seconds(16))
            await fixture.log.reach { if case .serviceFailed = $0 { true } else { false } }
            try await fixture.rest()
            let reasons = fixture.log.all.compactMap { event in
                if case .serviceFailed("POST devices", let reason) = event { reason } else { nil }
            }
            #expect(reasons.count == 1 && reasons.allSatisfy { $0.contains("signInToken") }, "\(reasons)")
            await carillon.signOut()
            #expect(fixture.service[\.user] == nil)
            clock.advance(by: .seconds(200_000))
        }
    }

    @Test("what a person reads before the service knows who it is is told as soon as it knows")
    func readMeanwhile() async throws {
        try await AppFixture.run { fixture in
            let backend = Backend()
            let clock = fixture.clock
            try await fixture.openAllowed(
                try plan(fixture) {
                    guard backend.questions.happened() == 2 else { return nil }
                    try await clock.sleep(for: .seconds(10))
                    return "ada"
                })
            let carillon = try #require(fixture.app?.carillon)
            carillon.signIn()
            await backend.questions.reach(2)
            carillon.markRead(try MessageID("m1"))
            try await fixture.silent("m2")
            #expect(fixture.service.receipts.contains("received m2") && fixture.service[\.read].isEmpty)
            clock.advance(by: .seconds(11))
            try await fixture.settle()
            #expect(carillon.user == "ada")
            #expect(fixture.service[\.read].map(\.message.rawValue) == ["m1"])
        }
    }

    @Test("the app is asked for no second token while the request with the first one is under way")
    func once() async throws {
        try await AppFixture.run { fixture in
            let backend = Backend()
            var plan = try plan(fixture) {
                backend.questions.happened()
                return backend.token.withLock(\.self)
            }
            let slow = SlowTransport(fixture.service)
            plan.transport = slow
            slow.hold()
            fixture.install(plan)
            try await fixture.open()
            try await slow.arrival()
            let carillon = try #require(fixture.app?.carillon)
            try carillon.setTags(["news"])
            // The turns in which a second question would be asked.
            for _ in 0..<20 { await Task.yield() }
            slow.release()
            try await fixture.settle()
            #expect(backend.questions.count == 1 && carillon.user == "first")
        }
    }

    @Test(
        "the app is asked once, whatever else is registered while it answers that nobody is signed in, or fails",
        arguments: [false, true])
    func onceMeanwhile(fails: Bool) async throws {
        try await AppFixture.run { fixture in
            let backend = Backend()
            try await fixture.openAllowed(
                try plan(fixture) {
                    guard backend.questions.happened() == 2 else { return nil }
                    await backend.release.reach(1)
                    if fails { throw URLError(.timedOut) }
                    return nil
                })
            let carillon = try #require(fixture.app?.carillon)
            carillon.signIn()
            await backend.questions.reach(2)
            backend.release.happened()
            for number in 0..<200 {
                try carillon.setTags(["tag-\(number)"])
                await Task.yield()
            }
            try await fixture.settle()
            #expect(backend.questions.count == 2)
        }
    }

    @Test("an answer about a person who has signed out meanwhile is not sent for the next one")
    func outdated() async throws {
        try await AppFixture.run { fixture in
            let backend = Backend()
            backend.token.withLock { $0 = nil }
            try await fixture.openAllowed(
                try plan(fixture) {
                    let answer = backend.token.withLock(\.self)
                    if backend.questions.happened() == 2 { await backend.release.reach(1) }
                    return answer
                })
            let carillon = try #require(fixture.app?.carillon)
            backend.token.withLock { $0 = "former" }
            carillon.signIn()
            await backend.questions.reach(2)
            await carillon.signOut()
            backend.token.withLock { $0 = "next" }
            carillon.signIn()
            backend.release.happened()
            try await fixture.settle()
            #expect(carillon.user == "next" && fixture.service[\.user] == "next")
            #expect(fixture.service.changes.compactMap(\.signInToken) == ["next"])
        }
    }

    @Test("the answer to a sign-in does not count for the next user, who signed in while it was on its way")
    func overtaken() async throws {
        try await AppFixture.run { fixture in
            let backend = Backend()
            backend.token.withLock { $0 = nil }
            var plan = try plan(fixture) { backend.token.withLock(\.self) }
            let slow = SlowTransport(fixture.service)
            plan.transport = slow
            try await fixture.openAllowed(plan)
            let carillon = try #require(fixture.app?.carillon)
            backend.token.withLock { $0 = "former" }
            slow.hold()
            carillon.signIn()
            try await slow.arrival()
            backend.token.withLock { $0 = "next" }
            carillon.signIn()
            slow.release()
            try await fixture.settle()
            #expect(carillon.user == "next" && fixture.service[\.user] == "next")
        }
    }

    @Test("a phone that was set up from a backup is signed in by asking the app, which has not called signIn() again")
    func restored() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed(try fixture.plan(signInToken: "ada"))
            #expect(fixture.app?.carillon?.user == "ada" && fixture.service[\.user] == "ada")
        }
    }

    @Test("the answer to the question for permission does not wait for the network")
    func permission() async throws {
        try await AppFixture.run { fixture in
            var plan = try fixture.plan()
            let slow = SlowTransport(fixture.service)
            plan.transport = slow
            try await fixture.openAllowed(plan)
            let carillon = try #require(fixture.app?.carillon)
            try fixture.phone.settings.setNotificationsAllowed(false, for: AppFixture.bundleID)
            slow.hold()
            let status = await carillon.requestAuthorization()
            #expect(status == .denied && slow.answerCount == fixture.service[\.requests].count)
            slow.release()
            try await fixture.settle()
            #expect(fixture.service.changes.last == DeviceChange(permission: .denied))
        }
    }
}
