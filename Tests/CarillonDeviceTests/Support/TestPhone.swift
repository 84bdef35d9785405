import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// A phone on a clock of its own, with a folder that goes when the test is over.
@MainActor final class TestPhone {
    let clock = ManualClock(start: Timestamp(secondsSince1970: 1_800_000_000))
    let phone: Phone
    let storage: URL
    static let bundleID = "app.chime"

    private static let ids = Ids()

    @MainActor private final class Ids {
        var last = 0
    }

    init(
        rules: PhoneRules = PhoneRules(), link: (any PushLink)? = nil, seed: UInt64 = 1, hasPasscode: Bool = true
    ) {
        Self.ids.last += 1
        storage = FileManager.default.temporaryDirectory.appending(
            path: "carillon-test-phone-\(ProcessInfo.processInfo.processIdentifier)-\(Self.ids.last)",
            directoryHint: .isDirectory)
        var configuration = PhoneConfiguration(
            id: "phone-\(Self.ids.last)", name: "Test phone", clock: clock, storage: storage, seed: seed, rules: rules)
        configuration.hasPasscode = hasPasscode
        phone = Phone(configuration: configuration, link: link)
    }

    /// Runs a test on a phone and cleans up after it, whatever happens.
    static func run<Value>(
        rules: PhoneRules = PhoneRules(), link: (any PushLink)? = nil, hasPasscode: Bool = true,
        _ body: @MainActor (TestPhone) async throws -> Value
    ) async throws -> Value {
        let test = TestPhone(rules: rules, link: link, hasPasscode: hasPasscode)
        do {
            let value = try await body(test)
            test.checkDelegates()
            await test.finish()
            return value
        } catch {
            await test.finish()
            throw error
        }
    }

    /// Set by tests whose delegates are wrong on purpose.
    var mayMistype = false

    /// Every delegate of every test is one more that must raise no false alarm.
    private func checkDelegates() {
        guard !mayMistype else { return }
        for id in phone.installedApps { #expect(phone.delegateReport(of: id).nearMisses == []) }
    }

    func finish() async {
        await phone.shutDown()
        try? FileManager.default.removeItem(at: storage)
    }

    /// The calls that the app has received, across its launches.
    var callLog: CallLog { callLogs[Self.bundleID, default: CallLog()] }
    var callLogs: [String: CallLog] = [:]

    /// Installs an app whose delegate is made by `make`.
    func install(
        _ bundleID: String = TestPhone.bundleID, backgroundModes: Set<AppBundle.BackgroundMode> = [.remoteNotification],
        entitlements: Set<AppBundle.Entitlement> = [], appGroups: Set<String> = [],
        strings: [String: String] = [:],
        makeServiceExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)? = nil,
        _ make: @escaping @MainActor @Sendable (CallLog) -> any UIApplicationDelegate
    ) {
        let callLog = callLogs[bundleID] ?? CallLog()
        callLogs[bundleID] = callLog
        phone.install(
            AppBundle(
                bundleID: bundleID, name: "Chime", backgroundModes: backgroundModes, entitlements: entitlements,
                appGroups: appGroups, strings: strings, makeDelegate: { make(callLog) },
                makeServiceExtension: makeServiceExtension))
    }

    /// Installs the app, opens it, and allows what it asks for; leaves it in front.
    func openAllowed(
        entitlements: Set<AppBundle.Entitlement> = [],
        _ make: @escaping @MainActor @Sendable (CallLog) -> any UIApplicationDelegate = { AskingApp($0) }
    ) async throws {
        install(entitlements: entitlements, make)
        try await phone.openApp(Self.bundleID)
        try await phone.until("the permission sheet is up") { $0.permissionSheet != nil }
        while phone.permissionSheet != nil {
            try await phone.answerPermission(allow: true)
            try await phone.settled()
        }
    }

    /// Installs an app that the person has allowed to send notifications, in Settings: it need not ask.
    func installPermitted(_ make: @escaping @MainActor @Sendable (CallLog) -> any UIApplicationDelegate) throws {
        install { make($0) }
        try phone.settings.setNotificationsAllowed(true, for: Self.bundleID)
    }

    /// Installs an app that the person has allowed to send notifications, and opens it.
    func openPermitted(
        _ make: @escaping @MainActor @Sendable (CallLog) -> any UIApplicationDelegate
    ) async throws {
        try installPermitted(make)
        try await phone.openApp(Self.bundleID)
    }

    /// Opens the app, allows what it asks for, and then the home screen, with the app suspended.
    func suspendedAllowed(
        entitlements: Set<AppBundle.Entitlement> = [],
        _ make: @escaping @MainActor @Sendable (CallLog) -> any UIApplicationDelegate = { AskingApp($0) }
    ) async throws {
        try await openAllowed(entitlements: entitlements, make)
        await phone.pressHome()
        clock.advance(by: .seconds(5))
        try await phone.settled()
    }

    /// Hands the phone a push and waits until everything about it is answered.
    @discardableResult
    func push(
        _ payload: JSONValue, type: PushType = .alert, collapseID: String? = nil,
        to bundleID: String = TestPhone.bundleID
    ) async throws -> PushTrace {
        let number = try await phone.receive(Self.push(payload, type: type, collapseID: collapseID, to: bundleID))
        try await phone.settled()
        return try entry(number)
    }

    /// Lets the running app add local notifications, by identifier and seconds from now.
    func schedule(_ notifications: [String: TimeInterval]) async throws {
        await phone.run(in: Self.bundleID) {
            for (identifier, seconds) in notifications {
                let content = UNMutableNotificationContent()
                content.body = identifier
                UNUserNotificationCenter.current().add(
                    UNNotificationRequest(
                        identifier: identifier, content: content,
                        trigger: UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)))
            }
        }
        try await phone.settled()
    }

    func entry(_ number: Int) throws -> PushTrace {
        guard let entry = phone.traces.first(where: { $0.number == number }) else { throw NoEntry(number: number) }
        return entry
    }

    static func push(
        _ payload: JSONValue, type: PushType = .alert, collapseID: String? = nil,
        to bundleID: String = TestPhone.bundleID
    ) throws -> IncomingPush {
        IncomingPush(
            topic: bundleID, pushType: type, payload: try payload.encoded(), collapseID: collapseID,
            apnsID: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
            priority: type == .background ? 5 : 10)
    }

    struct NoEntry: Error { let number: Int }
}
