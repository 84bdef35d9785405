import CarillonCore
import CarillonDevice
import Foundation
import UIKit

extension RuleScenario {
    private static let silent: JSONValue = ["aps": ["content-available": 1]]

    static let waking: [RuleScenario] = [
        RuleScenario(.silentNeedsBackgroundMode) { rules in
            try await TestPhone.run(rules: rules) { test in
                test.install(backgroundModes: []) { AskingApp($0) }
                return try await test.push(silent, type: .background).wake?.kind == .notWoken
            }
        },
        RuleScenario(.forceQuitStopsWakes) { rules in
            try await TestPhone.run(rules: rules) { test in
                try await test.suspendedAllowed()
                try await test.phone.forceQuit(TestPhone.bundleID)
                return try await test.push(silent, type: .background).wake?.kind == .notWoken
            }
        },
        RuleScenario(.wakeEndsInTermination) { rules in
            try await TestPhone.run(rules: rules) { test in
                try await test.suspendedAllowed { AskingApp($0) { $0.onPush = { _, _ in } } }
                let number = await test.phone.receive(try TestPhone.push(silent, type: .background))
                test.clock.advance(by: .seconds(30))
                try await test.phone.settled()
                return try test.entry(number).wake?.answer == .never
                    && test.phone.runningState(of: TestPhone.bundleID) == .notRunning
            }
        },
        RuleScenario(.holdsOnlyTheNewest) { rules in
            var rules = rules
            rules.silentWakesPerHour = 1
            return try await TestPhone.run(rules: rules) { test in
                try await test.suspendedAllowed()
                var numbers: [Int] = []
                for _ in 0..<3 { numbers.append(try await test.push(silent, type: .background).number) }
                return try test.entry(numbers[1]).notes.contains { $0.contains("a newer one took its place") }
            }
        },
        RuleScenario(.unreportedCallEndsInTermination) { rules in
            try await TestPhone.run(rules: rules) { test in
                test.install(backgroundModes: [.voip]) { AskingApp($0) }
                try await test.phone.openApp(TestPhone.bundleID)
                try await test.phone.settled()
                try await test.push(["call": 1], type: .voip)
                return test.phone.runningState(of: TestPhone.bundleID) == .notRunning
            }
        },
        RuleScenario(.newerMethodWins) { rules in
            try await TestPhone.run(rules: rules) { test in
                test.install { BothMethodsApp($0) }
                try await test.phone.openApp(TestPhone.bundleID)
                try await test.push(silent, type: .background)
                return test.callLog.lines == ["newer"]
            }
        },
        RuleScenario(.suspendedAtOnce) { rules in
            try await TestPhone.run(rules: rules) { test in
                let seen = Seen()
                try await test.suspendedAllowed { [phone = test.phone] callLog in
                    AskingApp(callLog) { app in
                        app.onPush = { _, handler in
                            handler(.newData)
                            seen.state = phone.runningState(of: TestPhone.bundleID)
                        }
                    }
                }
                try await test.push(silent, type: .background)
                return seen.state == .suspended
            }
        },
    ]

    @MainActor private final class Seen {
        var state: RunningState?
    }
}

/// Has the newer and the older method for pushes.
final class BothMethodsApp: CallLoggingResponder, UIApplicationDelegate {
    func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {
        callLog.write("older")
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        callLog.write("newer")
        completionHandler(.noData)
    }
}
