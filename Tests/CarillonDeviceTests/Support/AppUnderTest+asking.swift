import CarillonCore
import CarillonDevice
import Testing
import UIKit

extension AppUnderTest {
    /// Runs a test on a phone with an ``AskingApp``, or another app that asks for permission, and with its call log.
    ///
    /// Pushes reach also an app that has not registered.
    static func run<Value>(
        backgroundModes: Set<AppBundle.BackgroundMode> = [.remoteNotification],
        entitlements: Set<AppBundle.Entitlement> = [], rules: PhoneRules = PhoneRules(),
        asking make: @escaping @MainActor @Sendable (CallLog) -> any UIApplicationDelegate = { AskingApp($0) },
        _ body: @MainActor (AppUnderTest, CallLog) async throws -> Value
    ) async throws -> Value {
        let callLog = CallLog()
        let bundle = AppBundle(
            bundleID: TestPhone.bundleID, name: "Chime", backgroundModes: backgroundModes, entitlements: entitlements,
            makeDelegate: { make(callLog) })
        var rules = rules
        rules.pushNeedsToken = false
        return try await run(bundle, rules: rules) { app in
            let value = try await body(app, callLog)
            #expect(app.phone.delegateReport(of: app.bundleID).nearMisses == [])
            return value
        }
    }

    /// Opens the app, allows what it asks for, and leaves it suspended.
    func suspendAllowed() async throws {
        try await openAndAllow()
        try await suspend()
    }

    /// The requests of the notifications in the list, newest first.
    var shown: [UNNotificationRequest] { notifications.map(\.request) }

    /// Returns the phone's trace of the push with this number.
    func entry(_ number: Int) throws -> PushTrace { try #require(phone.traces.first { $0.number == number }) }

    /// A push for the app, to be handed to the phone by the test.
    func incoming(_ payload: JSONValue, type: PushType = .alert, collapseID: String? = nil) throws -> IncomingPush {
        try TestPhone.push(payload, type: type, collapseID: collapseID, to: bundleID)
    }
}
