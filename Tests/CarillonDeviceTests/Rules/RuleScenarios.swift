import CarillonCore
import CarillonDevice
import Foundation
import UIKit

/// For each rule that can be switched off, a short scenario and the question whether the rule was seen to hold in it.
@MainActor struct RuleScenario {
    let rule: PhoneRule
    let isKept: @MainActor (PhoneRules) async throws -> Bool

    init(_ rule: PhoneRule, _ isKept: @escaping @MainActor (PhoneRules) async throws -> Bool) {
        self.rule = rule
        self.isKept = isKept
    }

    static let all: [RuleScenario] =
        permission + presentation + waking + content + activities + widgets + [
            RuleScenario(.sameIdentifierReplaces) { rules in
                try await TestPhone.run(rules: rules) { test in
                    try await test.suspendedAllowed()
                    try await test.push(["aps": ["alert": "first"]], collapseID: "m1")
                    try await test.push(["aps": ["alert": "second"]], collapseID: "m1")
                    return test.shown.map(\.content.body) == ["second"]
                }
            },
            RuleScenario(.identifierIsCollapseID) { rules in
                try await TestPhone.run(rules: rules) { test in
                    try await test.suspendedAllowed()
                    try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
                    return test.shown.map(\.identifier) == ["m1"]
                }
            },
            RuleScenario(.removalIsAsynchronous) { rules in
                try await TestPhone.run(rules: rules) { test in
                    try await test.suspendedAllowed { callLog in
                        AskingApp(callLog) { app in
                            app.onPush = { _, handler in
                                UNUserNotificationCenter.current().removeAllDeliveredNotifications()
                                handler(.newData)
                            }
                        }
                    }
                    try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
                    try await test.push(["aps": ["content-available": 1]], type: .background)
                    return test.shown.map(\.identifier) == ["m1"]
                }
            },
            RuleScenario(.absentBadgeKeepsNumber) { rules in
                try await TestPhone.run(rules: rules) { test in
                    try await test.suspendedAllowed()
                    try await test.push(["aps": ["alert": "Hello", "badge": 4]])
                    try await test.push(["aps": ["alert": "Hello again"]])
                    return test.phone.badge(of: TestPhone.bundleID) == 4
                }
            },
            RuleScenario(.dismissalNeedsCategory) { rules in
                try await TestPhone.run(rules: rules) { test in
                    try await test.suspendedAllowed()
                    try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
                    try await test.phone.dismiss("m1", in: TestPhone.bundleID)
                    try await test.phone.settled()
                    return !test.callLog.contains("\(UNNotificationDismissActionIdentifier) on m1")
                }
            },
            RuleScenario(.authenticationNeedsUnlock) { rules in
                try await TestPhone.run(rules: rules) { test in
                    try await test.suspendedAllowed { AskingApp($0) { $0.categories = [.withSecretAction] } }
                    await test.phone.lock()
                    try await test.push(["aps": ["alert": "Hello", "category": "secrets"]], collapseID: "m1")
                    try await test.phone.choose("reveal", on: "m1", in: TestPhone.bundleID)
                    try await test.phone.settled()
                    return test.phone.authenticationSheet != nil && !test.callLog.contains("reveal on m1")
                }
            },
            RuleScenario(.extensionNeedsMutableContent) { rules in
                try await extensionStory(rules, ["aps": ["alert": "Hello"]]) { $0.write("extension") } == []
            },
            RuleScenario(.lateExtensionShowsOriginal) { rules in
                try await TestPhone.run(rules: rules) { test in
                    try await test.extensionApp { SilentExtension($0) }
                    test.phone.receiveLater(
                        try TestPhone.push(["aps": ["alert": "Hello", "mutable-content": 1]], collapseID: "m1"))
                    try await test.phone.until("the extension works") { _ in test.callLog.contains("extension") }
                    test.clock.advance(by: .seconds(30))
                    try await test.phone.settled()
                    return test.shown.map(\.content.body) == ["Hello"]
                }
            },
            RuleScenario(.emptiedContentShowsOriginal) { rules in
                try await TestPhone.run(rules: rules) { test in
                    try await test.extensionApp { _ in EmptyingExtension() }
                    try await test.push(["aps": ["alert": "Hello", "mutable-content": 1]])
                    return test.shown.map(\.content.body) == ["Hello"]
                }
            },
        ]

    /// Returns the lines that a push to an app with a service extension adds to the call log.
    ///
    /// - Parameter write: runs when the phone makes the extension.
    private static func extensionStory(
        _ rules: PhoneRules, _ payload: JSONValue, _ write: @escaping @MainActor @Sendable (CallLog) -> Void
    ) async throws -> [String] {
        try await TestPhone.run(rules: rules) { test in
            try await test.extensionApp { callLog in
                write(callLog)
                return UNNotificationServiceExtension()
            }
            let before = test.callLog.lines.count
            try await test.push(payload)
            return Array(test.callLog.lines.dropFirst(before))
        }
    }
}

extension TestPhone {
    var shown: [UNNotificationRequest] { phone.deliveredNotifications(of: Self.bundleID).map(\.request) }

    /// An app with a service extension, allowed and suspended.
    func extensionApp(
        entitlements: Set<AppBundle.Entitlement> = [], appGroups: Set<String> = [],
        _ make: @escaping @MainActor @Sendable (CallLog) -> UNNotificationServiceExtension
    ) async throws {
        let callLog = callLogs[Self.bundleID] ?? CallLog()
        callLogs[Self.bundleID] = callLog
        install(entitlements: entitlements, appGroups: appGroups, makeServiceExtension: { make(callLog) }) {
            AskingApp($0)
        }
        try await phone.openApp(Self.bundleID)
        try await phone.settled()
        try await phone.answerPermission(allow: true)
        await phone.pressHome()
        clock.advance(by: .seconds(5))
        try await phone.settled()
    }
}

/// Never answers.
final class SilentExtension: UNNotificationServiceExtension {
    private let callLog: CallLog

    @MainActor init(_ callLog: CallLog) {
        self.callLog = callLog
        super.init()
    }

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) { MainActor.assumeIsolated { [callLog] in callLog.write("extension") } }
}

/// Answers with nothing to read.
final class EmptyingExtension: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) { contentHandler(UNNotificationContent()) }
}

extension UNNotificationCategory {
    static let withSecretAction = UNNotificationCategory(
        identifier: "secrets",
        actions: [UNNotificationAction(identifier: "reveal", title: "Reveal", options: .authenticationRequired)],
        intentIdentifiers: [])
}
