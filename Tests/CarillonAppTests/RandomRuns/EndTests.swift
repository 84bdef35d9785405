import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import CarillonServer
import Foundation
import Testing
import UserNotifications

/// Tests of messages that leave phones because they were recalled or because their time has passed.
@MainActor
@Suite("Recall and end, through service, network and phones")
struct EndTests {
    private func send(
        _ system: TestSystem, _ id: String = "m1", mode: String = "visible", more: [String: JSONValue] = [:]
    ) async throws {
        var body: [String: JSONValue] = [
            "to": ["user": "ada"], "mode": .string(mode), "id": .string(id),
            "payload": ["aps": ["alert": ["title": "Offer", "body": "All for 1 €"], "sound": "default"]],
        ]
        body.merge(more) { $1 }
        let answer = try await system.service.backend("POST", "/v1/notifications", .object(body))
        #expect(answer.status == 202, "\(String(decoding: answer.body, as: UTF8.self))")
        try await system.advance(by: .seconds(5))
    }

    private func recall(_ system: TestSystem, _ id: String = "m1") async throws {
        let notice: JSONValue = ["title": "Withdrawn", "body": "The offer was a mistake."]
        let answer = try await system.service.backend(
            "POST", "/v1/notifications/\(id)/recall", ["notice": notice])
        #expect(answer.status == 202)
    }

    private func report(_ system: TestSystem, _ id: String = "m1") async throws -> NotificationReport {
        let answer = try await system.service.backend("GET", "/v1/notifications/\(id)")
        return try CarillonJSON.decode(NotificationReport.self, from: answer.body)
    }

    private func events(_ system: TestSystem, _ id: String = "m1") async throws -> [String] {
        let answer = try await system.service.backend("GET", "/v1/notifications/\(id)/timeline")
        let timeline = try CarillonJSON.decode(CarillonServer.Timeline.self, from: answer.body)
        return timeline.devices.flatMap(\.events).filter(\.event.isReceipt).map {
            "\($0.event.rawValue) \($0.detail ?? "")".trimmingCharacters(in: .whitespaces)
        }
    }

    private func texts(_ phone: TestSystemPhone) -> [String] {
        phone.phone.deliveredNotifications(of: InProcessService.topic).map(\.request.content.body)
    }

    // MARK: Notices

    @Test("force-quit and without an extension a phone shows the notice, quietly; the next launch removes it")
    func forceQuit() async throws {
        try await TestSystem.run { system in
            let phone = try await system.addPhone("phone", hasExtension: false)
            try await phone.phone.forceQuit(InProcessService.topic)
            try await send(system)
            #expect(texts(phone) == ["All for 1 €"])
            let sounds = phone.phone.sounds.count
            try await recall(system)
            try await system.advance(by: .seconds(30))
            #expect(texts(phone) == ["All for 1 €"], "the removal could not be carried out")
            #expect(try await report(system).recall == ["pending until launch": 1])
            try await system.advance(by: .seconds(31))
            #expect(texts(phone) == ["The offer was a mistake."])
            #expect(
                phone.alerts["m1"] == [.push] && phone.phone.sounds.count == sounds,
                "the message alerted, and nothing else")
            #expect(try await report(system).recall == ["replaced": 1])
            try await phone.phone.openApp(InProcessService.topic)
            try await system.advance(by: .seconds(5))
            #expect(phone.onScreen.isEmpty)
            #expect(try await report(system).recall == ["confirmed": 1])
            #expect(try await !events(system).contains("shown"), "what was in the list was the notice")
            #expect(!phone.callbackLog.lines.contains { $0.hasPrefix("message m1") })
        }
    }

    @Test("a tap on the notice opens the app and nothing in it")
    func tapped() async throws {
        try await TestSystem.run { system in
            let phone = try await system.addPhone("phone", hasExtension: false)
            try await phone.phone.forceQuit(InProcessService.topic)
            try await send(system)
            try await recall(system)
            try await system.advance(by: .seconds(61))
            try await phone.phone.tap("m1", in: InProcessService.topic)
            try await system.advance(by: .seconds(5))
            #expect(phone.onScreen.isEmpty)
            #expect(
                !phone.callbackLog.lines.contains { $0.contains("message m1") || $0.contains("response") },
                "\(phone.callbackLog.lines)")
            #expect(try await report(system).recall == ["confirmed": 1])
            #expect(try await report(system).counts.opened == 0)
        }
    }

    @Test("force-quit with an extension that may not filter, the notice stands, and the next launch removes it")
    func withExtension() async throws {
        try await TestSystem.run { system in
            let phone = try await system.addPhone("phone")
            try await phone.phone.forceQuit(InProcessService.topic)
            try await send(system)
            #expect(texts(phone) == ["All for 1 €"])
            try await recall(system)
            try await system.advance(by: .seconds(61))
            #expect(texts(phone) == ["The offer was a mistake."])
            #expect(try await report(system).recall == ["replaced": 1])
            try await phone.phone.openApp(InProcessService.topic)
            try await system.advance(by: .seconds(5))
            #expect(phone.onScreen.isEmpty)
            #expect(try await report(system).recall == ["confirmed": 1])
        }
    }

    @Test(
        "where the app runs in the background or in front no notice is sent, and where it comes all the same it goes",
        arguments: [true, false])
    func running(isInFront: Bool) async throws {
        try await TestSystem.run { system in
            let phone = try await system.addPhone("phone", hasExtension: false)
            await phone.phone.pressHome()
            try await system.advance(by: .seconds(10))
            try await send(system)
            if isInFront { try await phone.phone.openApp(InProcessService.topic) }
            try await recall(system)
            try await system.advance(by: .seconds(5))
            #expect(phone.onScreen.isEmpty)
            #expect(try await report(system).recall == ["confirmed": 1])
            try await system.advance(by: .seconds(120))
            #expect(try await report(system).recall == ["confirmed": 1])
            let answer = try await system.service.backend("GET", "/v1/notifications/m1/timeline")
            let timeline = try CarillonJSON.decode(CarillonServer.Timeline.self, from: answer.body)
            let notices = timeline.devices.flatMap(\.events).filter { $0.purpose == .notice }
            #expect(notices.map(\.event) == [.cancelled])
            #expect(notices.first?.detail == "not needed: the device reported recalled")
        }
    }

    @Test("an app that silent pushes do not wake any more is woken by the notice, and nothing is left")
    func throttled() async throws {
        try await TestSystem.run { system in
            var rules = PhoneRules()
            rules.silentWakesPerHour = 0
            let phone = try await system.addPhone("phone", hasExtension: false, rules: rules)
            await phone.phone.pressHome()
            try await system.advance(by: .seconds(40))
            try await send(system)
            try await recall(system)
            try await system.advance(by: .seconds(61))
            #expect(phone.onScreen.isEmpty)
            #expect(try await report(system).recall == ["confirmed": 1])
        }
    }

    @Test("a phone that the message never reached sees no notice")
    func neverSent() async throws {
        try await TestSystem.run { system in
            let phone = try await system.addPhone("phone", hasExtension: false)
            try await phone.phone.forceQuit(InProcessService.topic)
            try await send(system, mode: "silent")
            try await recall(system)
            try await system.advance(by: .seconds(120))
            #expect(phone.onScreen.isEmpty && phone.seen.isEmpty)
        }
    }

    // MARK: Ends

    private func ends(_ system: TestSystem, in seconds: Int64) -> JSONValue {
        .string((system.clock.now + .seconds(seconds)).description)
    }

    @Test("while the app is suspended, what has expired is gone a moment later, and the timeline says why")
    func suspended() async throws {
        try await TestSystem.run { system in
            let phone = try await system.addPhone("phone", hasExtension: false)
            await phone.phone.pressHome()
            try await system.advance(by: .seconds(40))
            #expect(phone.phone.runningState(of: InProcessService.topic) == .suspended)
            try await send(system, more: ["until": ends(system, in: 60)])
            try await system.advance(by: .seconds(50))
            #expect(phone.onScreen == ["m1"])
            try await system.advance(by: .seconds(6))
            #expect(phone.onScreen.isEmpty)
            #expect(try await events(system).last == "expired removed-from-screen")
            let report = try await report(system)
            #expect(report.state == .expired && report.recall == ["confirmed": 1])
        }
    }

    @Test("while the app is in front its own clock removes it, without any push of the service")
    func inFront() async throws {
        try await TestSystem.run { system in
            let phone = try await system.addPhone("phone", hasExtension: false)
            await phone.phone.pressHome()
            try await system.advance(by: .seconds(10))
            try await send(system, more: ["until": ends(system, in: 60), "remove_expired": false])
            try await phone.phone.openApp(InProcessService.topic)
            try await system.advance(by: .seconds(10))
            let pushes = phone.phone.pushLog.count
            #expect(phone.onScreen == ["m1"])
            try await system.advance(by: .seconds(50))
            #expect(phone.onScreen.isEmpty)
            #expect(phone.phone.pushLog.count == pushes)
            #expect(try await events(system).last == "expired removed-from-screen")
        }
    }

    @Test("a force-quit app keeps it until its launch, and the report says so")
    func forceQuitEnd() async throws {
        try await TestSystem.run { system in
            let phone = try await system.addPhone("phone", hasExtension: false)
            try await phone.phone.forceQuit(InProcessService.topic)
            try await send(system, more: ["until": ends(system, in: 60)])
            try await system.advance(by: .seconds(120))
            #expect(phone.onScreen == ["m1"])
            #expect(try await report(system).recall == ["pending until launch": 1])
            try await phone.phone.openApp(InProcessService.topic)
            try await system.advance(by: .seconds(5))
            #expect(phone.onScreen.isEmpty)
            #expect(try await report(system).recall == ["confirmed": 1])
        }
    }

    @Test("everyone's phones are asked only where the sender says so", arguments: [true, false])
    func everyone(asked: Bool) async throws {
        try await TestSystem.run { system in
            let phone = try await system.addPhone("phone", hasExtension: false)
            await phone.phone.pressHome()
            try await system.advance(by: .seconds(40))
            var more: [String: JSONValue] = ["to": ["everyone": true], "until": ends(system, in: 60)]
            if asked { more["remove_expired"] = true }
            try await send(system, more: more)
            try await system.advance(by: .seconds(60))
            #expect(phone.onScreen == (asked ? [] : ["m1"]))
            #expect(try await (report(system).recall != nil) == asked)
        }
    }
}
