import CarillonCore
import CarillonDevice
import Foundation
import UIKit

extension RuleScenario {
    static let permission: [RuleScenario] = [
        RuleScenario(.promptsOnce) { rules in
            try await TestPhone.run(rules: rules) { test in
                try await test.openAllowed()
                try test.phone.system.terminate(TestPhone.bundleID)
                try await test.phone.openApp(TestPhone.bundleID)
                try await test.phone.settled()
                return test.phone.permissionSheet == nil
            }
        },
        RuleScenario(.provisionalIsQuiet) { rules in
            try await TestPhone.run(rules: rules) { test in
                test.install { ProvisionalApp($0) }
                try await test.phone.openApp(TestPhone.bundleID)
                try await test.phone.settled()
                guard test.phone.permissionSheet == nil else { return false }
                await test.phone.pressHome()
                let entry = try await test.push(["aps": ["alert": "Hello", "sound": "default"]])
                return entry.presentation?.list == true && entry.presentation?.banner == false
                    && entry.presentation?.sound == nil && test.callLog.contains("granted: true")
            }
        },
        RuleScenario(.needsPermissionToShow) { rules in
            try await TestPhone.run(rules: rules) { test in
                test.install { AskingApp($0) }
                let entry = try await test.push(["aps": ["alert": "Hello"]])
                return entry.presentation?.isShown == false && test.phone.banner == nil
            }
        },
        RuleScenario(.newTokenAfterReinstall) { rules in
            let link = TokenLink()
            return try await TestPhone.run(rules: rules, link: link) { test in
                try await test.openAllowed()
                let old = test.phone.deviceToken(of: TestPhone.bundleID)
                try await test.phone.uninstall(TestPhone.bundleID)
                try await test.openAllowed()
                return old != test.phone.deviceToken(of: TestPhone.bundleID)
            }
        },
        RuleScenario(.updateKeepsSettings) { rules in
            try await TestPhone.run(rules: rules) { test in
                test.install { AskingApp($0) }
                try test.phone.settings.setBackgroundRefresh(false, for: TestPhone.bundleID)
                test.install { AskingApp($0) }
                return try !test.phone.settings.isBackgroundRefreshOn(for: TestPhone.bundleID)
            }
        },
        RuleScenario(.delegateBeforeLaunchEnds) { rules in
            try await TestPhone.run(rules: rules) { test in
                try test.installPermitted { LateDelegateApp($0) }
                try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
                try await test.phone.tap("m1", in: TestPhone.bundleID)
                try await test.phone.settled()
                return !test.callLog.contains("tapped m1")
            }
        },
    ]
}

/// Asks for provisional permission.
final class ProvisionalApp: CallLoggingResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Task { @MainActor [callLog] in
            let granted = try await UNUserNotificationCenter.current().requestAuthorization(
                options: [.alert, .sound, .provisional])
            callLog.write("granted: \(granted)")
        }
        return true
    }
}

/// Sets the center's delegate when it becomes active, which is too late for the tap that launched it.
final class LateDelegateApp: CallLoggingResponder, UIApplicationDelegate,
    @preconcurrency UNUserNotificationCenterDelegate
{
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        DispatchQueue.main.async { UNUserNotificationCenter.current().delegate = self }
        return true
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        callLog.write("tapped \(response.notification.request.identifier)")
        completionHandler()
    }
}

/// A push service that answers equal token requests with one token until this token is invalidated.
final class TokenLink: PushLink, @unchecked Sendable {
    // `@unchecked`: the phone's calls come one at a time, on the main actor.
    private var tokens: [TokenRequest: Data] = [:]
    private var count: UInt8 = 0
    private(set) var invalidated: [Data] = []
    private(set) var topics: [String] = []
    private(set) var isConnected = false
    var refuses = false

    struct Refusal: Error {}

    func deviceToken(for request: TokenRequest) async throws -> Data {
        if refuses { throw Refusal() }
        topics.append(request.topic)
        if !request.isNew, let token = tokens[request] { return token }
        count += 1
        let token = Data(repeating: count, count: 40)
        tokens[request] = token
        return token
    }

    func follow(_ channels: [String], of bundleID: String, phone: String) async throws {}
    func invalidate(_ token: Data) async {
        invalidated.append(token)
        tokens = tokens.filter { $0.value != token }
    }

    func connect(phone: String, deliver: @escaping @Sendable (IncomingPush) -> Void) async { isConnected = true }
    func disconnect(phone: String) async { isConnected = false }
}
