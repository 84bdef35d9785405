import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@testable import Articles

@MainActor @Suite("An expiry guard, as the wiki page builds it") struct ExpiryGuardTests {
    private let past = 1_000.0
    private let future = 99_999_999_999_999.0

    /// Allowed in Settings, opened and suspended: the app asks for nothing by itself.
    private func run(_ body: @MainActor (AppUnderTest) async throws -> Void) async throws {
        let bundle = AppBundle(bundleID: "com.example.guard", name: "Guard", main: { ExpiryGuardApp.main() })
        try await AppUnderTest.run(bundle) { app in
            app.phone.rules.pushNeedsToken = false
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await app.open()
            try await app.suspend()
            try await body(app)
        }
    }

    private func message(_ internalData: JSONValue, alert: JSONValue? = nil) -> JSONValue {
        var aps: [String: JSONValue] = ["content-available": 1]
        if let alert { aps["alert"] = alert }
        return ["aps": .object(aps), "messageId": "m1", "internalData": internalData]
    }

    private func silent(until: Double? = nil, inApp: Bool = false) -> JSONValue {
        var data: [String: JSONValue] = ["silent": ["title": "Offer", "body": "Half price"]]
        if let until { data["validUntil"] = .double(until) }
        if inApp { data["inAppDetails"] = ["clickUrl": "https://example.com/"] }
        return message(.object(data))
    }

    private func push(
        _ payload: JSONValue, to app: AppUnderTest, answers answer: PushTrace.Wake.Answer,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let trace = try await app.push(payload)
        #expect(trace.wake?.answer == answer, sourceLocation: sourceLocation)
    }

    private func processed(_ app: AppUnderTest) -> [String] {
        app.delegate(as: ExpiryGuardApp.self)?.processed ?? []
    }

    @Test("what is still valid is shown, and then processed")
    func valid() async throws {
        try await run { app in
            try await push(silent(until: future), to: app, answers: .newData)
            #expect(app.notifications.map(\.request.content.title) == ["Offer"])
            #expect(app.notifications.map(\.request.content.body) == ["Half price"])
            #expect(app.notifications.map(\.request.identifier) == ["m1"])
            #expect(processed(app) == ["m1"])
        }
    }

    @Test("what has expired is not shown, not processed, and answered with no data")
    func expired() async throws {
        try await run { app in
            try await push(silent(until: past), to: app, answers: .noData)
            #expect(app.notifications.isEmpty && processed(app).isEmpty)
            #expect(app.state == .suspended)
        }
    }

    @Test("milliseconds: a minute ahead is valid and a minute ago has expired, by the clock that Date() reads")
    func milliseconds() async throws {
        try await run { app in
            // Read when the phone is ready, which may take a busy machine a minute.
            let now = Date().timeIntervalSince1970 * 1000
            try await push(silent(until: now - 60_000), to: app, answers: .noData)
            try await push(silent(until: now + 60_000), to: app, answers: .newData)
        }
    }

    @Test("an end that is a text counts by its leading number, as in Objective-C: “1000” and “soon” have expired")
    func textAsEnd() async throws {
        try await run { app in
            for text in ["1000", "soon", "", "  1000 ms"] {
                let expired = message(["silent": ["title": "Offer"], "validUntil": .string(text)])
                try await push(expired, to: app, answers: .noData)
            }
            #expect(app.notifications.isEmpty && processed(app).isEmpty)
            let future = message(["silent": ["title": "Offer"], "validUntil": "99999999999999"])
            try await push(future, to: app, answers: .newData)
        }
    }

    @Test("an end that is null or a list has no doubleValue: it ends the app, as the listing's")
    func endWithoutNumber() async throws {
        for (end, name) in [(JSONValue.null, "NSNull"), (["1000"], "Array")] {
            try await run { app in
                try await push(message(["silent": ["title": "Offer"], "validUntil": end]), to: app, answers: .ended)
                #expect(app.state == .notRunning && app.notifications.isEmpty)
                let notes = app.phone.traces.flatMap(\.notes)
                let words = "doubleValue]: unrecognized selector"
                #expect(notes.contains { $0.contains("-[\(name)") && $0.contains(words) })
            }
        }
    }

    @Test("without an end it is valid, and an in-app message is processed but not shown")
    func otherKinds() async throws {
        try await run { app in
            try await push(silent(until: future, inApp: true), to: app, answers: .newData)
            #expect(app.notifications.isEmpty && processed(app) == ["m1"])
            try await push(silent(), to: app, answers: .newData)
            #expect(app.notifications.count == 1)
            try await push(["aps": ["content-available": 1], "messageId": "m2"], to: app, answers: .newData)
            #expect(app.notifications.count == 1 && processed(app).last == "m2", "without internalData, too")
        }
    }

    @Test("a message with a text of its own is shown by iOS, expired or not: a guard needs silent pushes")
    func visible() async throws {
        try await run { app in
            let visible = message(["validUntil": .double(past)], alert: "Half price")
            try await push(visible, to: app, answers: .noData)
            #expect(app.notifications.map(\.request.content.body) == ["Half price"])
            #expect(processed(app) == [])
            try await push(message(["validUntil": .double(future)], alert: "Half price"), to: app, answers: .newData)
            #expect(processed(app) == ["m1"], "everything that is valid goes to the SDK")
        }
    }

    @Test("somebody else's push goes to the app's own delegate, which has the newer method, only the older, or none")
    func notOurs() async throws {
        try await run { app in
            let foreign: JSONValue = ["aps": ["content-available": 1], "crt": 1, "title": "hello there"]
            try await push(foreign, to: app, answers: .noData)
            let guardApp = try #require(app.delegate(as: ExpiryGuardApp.self))
            guardApp.applicationDelegate = DeletableApp()
            try await push(foreign, to: app, answers: .newData)
            #expect(app.notifications.map(\.request.content.title) == ["hello there"])
            guardApp.applicationDelegate = OlderMethodApp()
            try await push(foreign, to: app, answers: .noData)
        }
    }
}
