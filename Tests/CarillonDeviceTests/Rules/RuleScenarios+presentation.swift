import CarillonCore
import CarillonDevice
import CoreLocation
import Foundation
import UIKit

extension RuleScenario {
    static let presentation: [RuleScenario] = [
        RuleScenario(.foregroundAsksTheApp) { rules in
            try await TestPhone.run(rules: rules) { test in
                try await test.openAllowed { AskingApp($0) { $0.presentation = [] } }
                let entry = try await test.push(["aps": ["alert": "Hello"]])
                return entry.presentation?.isShown == false
                    && test.callLog.lines.contains { $0.hasPrefix("willPresent") }
            }
        },
        RuleScenario(.passiveIsQuiet) { rules in
            let shown = try await shown(
                ["aps": ["alert": "Hello", "sound": "default", "interruption-level": "passive"]], rules)
            return shown?.banner == false && shown?.sound == nil && shown?.list == true
        },
        RuleScenario(.focusHoldsBack) { rules in
            let shown = try await shown(["aps": ["alert": "Hello", "sound": "default"]], rules) {
                $0.settings.setFocus(true)
            }
            return shown?.banner == false && shown?.sound == nil && shown?.list == true
        },
        RuleScenario(.summaryHoldsBack) { rules in
            let shown = try await shown(["aps": ["alert": "Hello", "sound": "default"]], rules) { phone in
                try? phone.settings.change(of: TestPhone.bundleID) { $0.scheduledSummary = true }
            }
            return shown?.banner == false && shown?.sound == nil && shown?.list == true
        },
        RuleScenario(.criticalNeedsEntitlement) { rules in
            let critical: JSONValue = [
                "aps": ["alert": "Hello", "sound": ["critical": 1, "name": "default", "volume": 1]]
            ]
            return try await shown(critical, rules) { $0.settings.setMuted(true) }?.sound == nil
        },
        RuleScenario(.communicationNeedsEntitlement) { rules in
            try await TestPhone.run(rules: rules) { test in
                try await test.extensionApp { _ in ChatExtension() }
                test.phone.settings.setFocus(true)
                test.phone.settings.allowInFocus("u-ann")
                let payload: JSONValue = ["aps": ["alert": "Hello", "mutable-content": 1], "sender": "Ann"]
                return try await test.push(payload).presentation?.banner == false
            }
        },
        RuleScenario(.unplayableSoundIsDefault) { rules in
            try await TestPhone.run(rules: rules) { test in
                var heard: [String?] = []
                var bundle = AppBundle(
                    bundleID: TestPhone.bundleID, name: "Chime", makeDelegate: { AskingApp(CallLog()) })
                bundle.sounds = ["short.caf": 30, "long.caf": 30.5]
                test.phone.install(bundle)
                try test.phone.settings.setNotificationsAllowed(true, for: TestPhone.bundleID)
                for file in ["short.caf", "long.caf", "missing.caf"] {
                    heard.append(try await test.push(["aps": ["sound": .string(file)]]).presentation?.sound)
                }
                return heard == ["short.caf", "default", "default"]
            }
        },
        RuleScenario(.regionNeedsPermission) { rules in
            try await TestPhone.run(rules: rules) { test in
                try await test.openAllowed()
                await test.phone.run(in: TestPhone.bundleID) {
                    let content = UNMutableNotificationContent()
                    content.body = "Welcome home"
                    let region = CLCircularRegion(center: CLLocationCoordinate2D(), radius: 100, identifier: "home")
                    UNUserNotificationCenter.current().add(
                        UNNotificationRequest(
                            identifier: "home", content: content,
                            trigger: UNLocationNotificationTrigger(region: region, repeats: false)))
                }
                try await test.phone.settled()
                test.phone.move(to: CLLocationCoordinate2D())
                try await test.phone.settled()
                return test.shown.isEmpty
            }
        },
    ]

    /// Returns the phone's presentation of a push to a suspended app with permission.
    static func shown(
        _ payload: JSONValue, _ rules: PhoneRules, entitlements: Set<AppBundle.Entitlement> = [],
        _ prepare: @escaping @MainActor (Phone) -> Void = { _ in }
    ) async throws -> Presentation? {
        try await TestPhone.run(rules: rules) { test in
            try await test.suspendedAllowed(entitlements: entitlements) {
                AskingApp($0) { if entitlements.contains(.criticalAlerts) { $0.options.insert(.criticalAlert) } }
            }
            prepare(test.phone)
            return try await test.push(payload).presentation
        }
    }
}
