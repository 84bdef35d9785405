import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Testing
import UserNotifications

@MainActor
@Suite("A message that may no longer be seen")
struct WithheldTests {
    enum Cause: CaseIterable { case recalled, expired, formerUser }

    /// Prepares a phone on which the alert "m1" may not be seen, shows it after a force-quit, and taps it.
    private func tap(
        _ cause: Cause, withExtension: Bool, _ fixture: AppFixture
    ) async throws -> UNNotificationContent? {
        if withExtension {
            try await HostExtension.suspended(fixture, HostExtension.Plan(service: fixture.service))
        } else {
            try await fixture.suspended()
        }
        switch cause {
        case .recalled: try await fixture.removal("m1")
        case .expired: break
        case .formerUser:
            fixture.service[\.isDown] = true
            try await fixture.open()
            await fixture.app?.carillon?.signOut()
            try await fixture.goHome()
        }
        try await fixture.quit()
        let end = fixture.clock.now + .seconds(withExtension ? -1 : 1)
        try await fixture.visible("m1", until: cause == .expired ? end : nil, media: "https://example.com/secret.png")
        fixture.clock.advance(by: .seconds(2))
        #expect(fixture.onScreen == ["m1"])
        let content = fixture.phone.deliveredNotifications(of: AppFixture.bundleID).first?.request.content
        fixture.service[\.isDown] = false
        try await fixture.tap("m1")
        try await fixture.settle()
        return content
    }

    @Test(
        "a tap on its alert tells the app nothing and is no reading, whether its text was withheld or not",
        arguments: Cause.allCases, [true, false])
    func tapped(_ cause: Cause, withExtension: Bool) async throws {
        try await AppFixture.run { fixture in
            let content = try await tap(cause, withExtension: withExtension, fixture)
            if withExtension {
                #expect(content?.body == "This message is no longer available." && content?.title == "")
                #expect(content?.userInfo["media_url"] == nil && content?.userInfo["aps"] == nil, "the payload")
            }
            let told = fixture.callbackLog.lines.filter { $0.hasPrefix("message") || $0.hasPrefix("response") }
            #expect(told == [])
            #expect(!fixture.service.receipts.contains("opened m1"), "\(fixture.service.receipts)")
            #expect(fixture.onScreen == [])
        }
    }

    @Test("the text in its place goes when the app next runs, and was not the message", arguments: Cause.allCases)
    func placeholder(_ cause: Cause) async throws {
        try await AppFixture.run { fixture in
            try await HostExtension.suspended(fixture, HostExtension.Plan(service: fixture.service))
            if cause == .formerUser {
                fixture.service[\.isDown] = true
                try await fixture.open()
                await fixture.app?.carillon?.signOut()
                try await fixture.goHome()
            }
            if cause == .recalled { try await fixture.removal("m1") }
            try await fixture.quit()
            try await fixture.visible("m1", until: cause == .expired ? fixture.clock.now - .seconds(1) : nil)
            #expect(fixture.onScreen == ["m1"])
            fixture.service[\.isDown] = false
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.onScreen == [])
            #expect(!fixture.service.receipts.contains("shown m1"), "\(fixture.service.receipts)")
            #expect(!fixture.callbackLog.lines.contains { $0.hasPrefix("message") })
        }
    }

    @Test("another provider's expired alert is withheld with its payload too")
    func otherProvider() async throws {
        try await AppFixture.run { fixture in
            try await HostExtension.suspended(fixture, HostExtension.Plan(service: fixture.service))
            try await fixture.quit()
            let end = fixture.clock.now.millisecondsSince1970 - 1000
            try await fixture.push(
                [
                    "aps": ["alert": "Secret", "mutable-content": 1], "messageId": "i1", "link_url": "app:secret",
                    "internalData": ["validUntil": .int(end)],
                ], type: .alert, collapseID: "i1")
            let content = fixture.phone.deliveredNotifications(of: AppFixture.bundleID).first?.request.content
            #expect(content?.body == "This message is no longer available." && content?.userInfo["link_url"] == nil)
            try await fixture.tap("i1")
            try await fixture.settle()
            #expect(!fixture.callbackLog.lines.contains { $0.hasPrefix("message") || $0.hasPrefix("response") })
        }
    }

    @Test("a message that was read by a tap is told to the service once the user is bound, also without receipts")
    func readBeforeSignIn() async throws {
        try await AppFixture.run { fixture in
            fixture.service[\.isDown] = true
            try await fixture.openAllowed(try fixture.plan(signInToken: "ada"))
            let carillon = try #require(fixture.app?.carillon)
            carillon.writesReceipts = false
            carillon.signIn()
            try await fixture.settle()
            try await fixture.goHome()
            try await fixture.visible("m1")
            try await fixture.tap("m1")
            try await fixture.settle()
            #expect(carillon.user == nil && fixture.service[\.read] == [])
            fixture.service[\.isDown] = false
            try await fixture.goHome()
            fixture.clock.advance(by: .seconds(60))
            try await fixture.open()
            try await fixture.settle()
            #expect(carillon.user == "ada" && fixture.service[\.read].map(\.message.rawValue) == ["m1"])
        }
    }

    @Test("iOS is answered after 4 seconds, though the SDK's files are slow", .timeLimit(.minutes(5)))
    func slowFiles() async throws {
        try await AppFixture.run { fixture in
            let held = HeldFiles()
            var plan = try fixture.plan()
            plan.storeFiles = { held.files(in: $0.storeFiles) }
            try await fixture.openAllowed(plan)
            held.hold()
            let key = CarillonKey(id: try MessageID("m1"), now: fixture.clock.now)
            let payload: JSONValue = ["aps": ["alert": "text"], "carillon": key.json]
            let delivery = Task { try await fixture.push(payload, type: .alert, collapseID: "m1") }
            await held.waits.reach(1)
            fixture.clock.advance(by: .seconds(4))
            let isShown =
                (try? await fixture.phone.until("it is shown", within: .seconds(5)) { _ in
                    fixture.onScreen == ["m1"]
                }) != nil
            held.release()
            _ = try await delivery.value
            try await fixture.settle()
            #expect(isShown && fixture.onScreen == ["m1"])
            #expect(fixture.log.all.contains(.completionWasLate(name: "willPresent")))
            #expect(fixture.callbackLog.lines.filter { $0.hasPrefix("message") } == ["message m1: text"])
            #expect(fixture.service.receipts.filter { $0.hasPrefix("shown") } == ["shown m1"])
        }
    }
}
