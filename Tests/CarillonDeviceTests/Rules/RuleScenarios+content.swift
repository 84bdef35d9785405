import CarillonCore
import CarillonDevice
import Foundation
import UIKit

/// Scenarios of rules about the data that an app receives, such as notifications, responses and settings.
extension RuleScenario {
    private static var id: String { TestPhone.bundleID }

    static let content: [RuleScenario] = [
        RuleScenario(.lockClosesProtectedFiles) { rules in
            try await TestPhone.run(rules: rules) { test in
                test.install { WatchfulApp($0) }
                await test.phone.lock()
                test.clock.advance(by: .seconds(10))
                try await test.push(["aps": ["content-available": 1]], type: .background)
                return test.callLog.contains("push, readable: false")
            }
        },
        RuleScenario(.unaskedIsNotSupported) { rules in
            try await TestPhone.run(rules: rules) { test in
                try await test.openPermitted { AskingApp($0) }
                await test.phone.run(in: id) {
                    UNUserNotificationCenter.current().getNotificationSettings { settings in
                        let isNotSupported = settings.carPlaySetting == .notSupported
                        DispatchQueue.main.async { test.callLog.write("not supported: \(isNotSupported)") }
                    }
                }
                try await test.phone.until("the app knows") { _ in test.callLog.lines.last?.hasPrefix("not") == true }
                return test.callLog.contains("not supported: true")
            }
        },
        RuleScenario(.settingsCount) { rules in
            try await TestPhone.run(rules: rules) { test in
                try await test.suspendedAllowed()
                try test.phone.settings.change(of: id) { $0.banners = false }
                return try await test.push(["aps": ["alert": "Hello"]]).presentation?.banner == false
            }
        },
        RuleScenario(.deletedTokenIsInvalid) { rules in
            let link = TokenLink()
            return try await TestPhone.run(rules: rules, link: link) { test in
                try await test.openAllowed()
                let token = test.phone.deviceToken(of: id)
                try await test.phone.uninstall(id)
                return link.invalidated == [token]
            }
        },
        RuleScenario(.textActionCarriesText) { rules in
            try await TestPhone.run(rules: rules) { test in
                try await test.suspendedAllowed { AskingApp($0) { $0.categories = [.news] } }
                try await test.push(["aps": ["alert": "Hello", "category": "news"]], collapseID: "m1")
                try await test.phone.choose("reply", on: "m1", in: id, text: "Yes")
                try await test.phone.settled()
                return test.callLog.contains("reply on m1 “Yes”")
            }
        },
        RuleScenario(.categoriesReplaceAll) { rules in
            try await TestPhone.run(rules: rules) { test in
                try await test.openAllowed { AskingApp($0) { $0.categories = [.news] } }
                await test.phone.run(in: id) {
                    UNUserNotificationCenter.current().setNotificationCategories([.withSecretAction])
                }
                try await test.phone.settled()
                return test.phone.categories(of: id).map(\.identifier) == ["secrets"]
            }
        },
        RuleScenario(.backgroundPushShowsNothing) { rules in
            try await TestPhone.run(rules: rules) { test in
                try await test.suspendedAllowed()
                try await test.push(["aps": ["alert": "Hello", "content-available": 1]], type: .background)
                return test.shown.isEmpty
            }
        },
        RuleScenario(.centerDelegateBypasses) { rules in
            try await TestPhone.run(rules: rules) { test in
                try await test.openAllowed()
                try await test.push(["aps": ["alert": "Hello"]])
                return !test.callLog.lines.contains { $0.hasPrefix("push while") }
            }
        },
        RuleScenario(.coldTapHasLaunchOptions) { rules in
            try await TestPhone.run(rules: rules) { test in
                try test.installPermitted { AskingApp($0) }
                try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
                try await test.phone.tap("m1", in: id)
                return test.callLog.contains("launched by a push")
            }
        },
        RuleScenario(.userInfoIsPayload) { rules in
            try await TestPhone.run(rules: rules) { test in
                try await test.suspendedAllowed()
                try await test.push(["aps": ["alert": "Hello"], "article": 7])
                return test.shown.first?.content.userInfo["article"] as? Int == 7
            }
        },
        RuleScenario(.liveActivityIsNoNotification) { rules in
            try await TestPhone.run(rules: rules) { test in
                try await test.suspendedAllowed()
                try await test.push(["aps": ["alert": "Hello", "event": "update"]], type: .liveactivity)
                return test.shown.isEmpty
            }
        },
        RuleScenario(.extensionHasOwnFolder) { rules in
            try await TestPhone.run(rules: rules) { test in
                try await test.extensionApp(appGroups: ["group.chime"]) { FolderExtension($0) }
                try await test.push(["aps": ["alert": "hello", "mutable-content": 1]])
                let folder = test.phone.containerFolder(of: id)
                return !FileManager.default.fileExists(atPath: folder?.appending(path: "own.txt").path ?? "")
            }
        },
    ]
}
