import Testing
@_spi(Simulation) import UserNotifications

@testable import CarillonDevice

/// The sentences for which people look at a phone: each has a scene that has it, and one beside it that has not.
@Suite("Why a notification is shown as it is") struct PresentationReasonTests {
    /// A scene, the sentences about it, and a change after which they are not said.
    struct Scene: CustomTestStringConvertible {
        let why: [String]
        /// The places and the sound: `banner`, `lock`, `list`, `summary`, and the sound's name.
        let shown: String
        var rules = PhoneRules()
        let scene: @Sendable (inout PresentationInput) -> Void
        let change: @Sendable (inout PresentationInput) -> Void
        /// The sentences after the change.
        var instead: [String] = []

        var testDescription: String { why.joined(separator: "; ") }
    }

    /// An alert with a sound for an app to which everything is allowed, on an unlocked phone that shows another app.
    private static let usual: PresentationInput = {
        var settings = UNNotificationSettings.Values()
        settings.authorizationStatus = .authorized
        (settings.sound, settings.badge, settings.alert) = (.enabled, .enabled, .enabled)
        (settings.notificationCenter, settings.lockScreen) = (.enabled, .enabled)
        var input = PresentationInput(hasText: true)
        (input.soundName, input.settings) = (Presentation.defaultSound, settings)
        return input
    }()

    private static let ada = Communication(kind: .message, senderName: "Ada", senderIdentifiers: ["ada"])

    private static let permission = [
        Scene(
            why: ["not shown: the person has not been asked for permission yet"], shown: "",
            scene: { $0.settings.authorizationStatus = .notDetermined },
            change: { $0.settings.authorizationStatus = .authorized }),
        Scene(
            why: ["not shown: the person has not answered yet whether the app may notify"], shown: "",
            scene: { ($0.settings.authorizationStatus, $0.isAskedForPermission) = (.notDetermined, true) },
            change: { $0.isAskedForPermission = false },
            instead: ["not shown: the person has not been asked for permission yet"]),
        Scene(
            why: ["not shown: the person does not allow notifications of this app"], shown: "",
            scene: { $0.settings.authorizationStatus = .denied },
            change: { $0.settings.authorizationStatus = .authorized }),
        Scene(
            why: ["permission is provisional: in the list only, without a sound"], shown: "list",
            scene: {
                $0.settings.authorizationStatus = .provisional
                ($0.settings.alert, $0.settings.lockScreen, $0.settings.sound) = (.disabled, .disabled, .disabled)
            },
            change: { $0.settings.authorizationStatus = .authorized }),
        Scene(
            why: ["not shown: alerts are switched off in Settings"], shown: "default",
            scene: {
                ($0.settings.alert, $0.settings.lockScreen, $0.settings.notificationCenter) = (
                    .disabled, .disabled, .disabled
                )
            },
            change: { $0.settings.notificationCenter = .enabled }),
        Scene(
            why: ["it has no text, so there is nothing to show"], shown: "default", scene: { $0.hasText = false },
            change: { $0.hasText = true }),
    ]

    private static let foreground = [
        Scene(
            why: ["the app is in the foreground and answered willPresent with list, banner"], shown: "banner list",
            scene: { $0.foreground = .answered([.banner, .list]) }, change: { $0.foreground = .notInForeground }),
        Scene(
            why: ["the app is in the foreground and answered willPresent with nothing"], shown: "",
            scene: { $0.foreground = .answered([]) }, change: { $0.foreground = .notInForeground }),
        Scene(
            why: ["not shown: the app is in the foreground, and the center's delegate has no willPresent"], shown: "",
            scene: { $0.foreground = .notImplemented }, change: { $0.foreground = .notInForeground }),
        Scene(
            why: [
                "not shown: the app is in the foreground, and the completion handler of willPresent was not called "
                    + "within 10 s"
            ], shown: "", scene: { $0.foreground = .late }, change: { $0.foreground = .notInForeground }),
        Scene(
            why: ["the app is in the foreground and its notification center has no delegate"], shown: "",
            scene: { $0.foreground = .noDelegate }, change: { $0.foreground = .notInForeground }),
    ]

    private static let sounds = [
        Scene(
            why: ["the default sound: the app has no sound file bell.caf"], shown: "banner list default",
            scene: { ($0.soundName, $0.soundFiles) = ("bell.caf", [:]) }, change: { $0.soundFiles = ["bell.caf": 1] }),
        Scene(
            why: ["the default sound: bell.caf is longer than 30 seconds"], shown: "banner list default",
            scene: { ($0.soundName, $0.soundFiles) = ("bell.caf", ["bell.caf": 30.1]) },
            change: { $0.soundFiles = ["bell.caf": 30] }),
        Scene(
            why: ["no sound: the phone is muted"], shown: "banner list", scene: { $0.isMuted = true },
            change: { $0.isMuted = false }),
    ]

    private static let levels = [
        Scene(
            why: ["passive: in the list only"], shown: "list", scene: { $0.level = .passive },
            change: { $0.level = .active }),
        Scene(
            why: ["a Focus is on: in the list only"], shown: "list", scene: { $0.isFocusOn = true },
            change: { $0.isFocusOn = false }),
        Scene(
            why: ["a Focus is on: in the list only"], shown: "list",
            scene: { ($0.isFocusOn, $0.settings.timeSensitive) = (true, .enabled) },
            change: { $0.level = .timeSensitive }),
        Scene(
            why: ["waits in the list for the scheduled summary"], shown: "list summary",
            scene: { ($0.settings.scheduledDelivery, $0.settings.timeSensitive) = (.enabled, .enabled) },
            change: { $0.level = .timeSensitive }),
        Scene(
            why: [
                "waits in the list for the scheduled summary",
                "time-sensitive without the entitlement: treated like any other",
            ], shown: "list summary",
            scene: { ($0.settings.scheduledDelivery, $0.level) = (.enabled, .timeSensitive) },
            change: { ($0.settings.timeSensitive, $0.entitlements) = (.enabled, [.timeSensitive]) }),
        Scene(
            why: ["time-sensitive, but the person does not allow such notifications: treated like any other"],
            shown: "banner list default",
            scene: {
                ($0.level, $0.entitlements, $0.settings.timeSensitive) = (.timeSensitive, [.timeSensitive], .disabled)
            },
            change: { $0.settings.timeSensitive = .enabled }),
        Scene(
            why: ["critical without the entitlement: treated like any other"], shown: "banner list default",
            scene: { $0.level = .critical }, change: { $0.level = .active }),
        Scene(
            why: ["critical, but the person does not allow critical alerts: treated like any other"],
            shown: "banner list default", scene: { ($0.level, $0.entitlements) = (.critical, [.criticalAlerts]) },
            change: { $0.settings.criticalAlert = .enabled }),
        Scene(
            why: [
                "from a person whom the Focus allows, but the app lacks the communication entitlement",
                "a Focus is on: in the list only",
            ], shown: "list",
            scene: { ($0.isFocusOn, $0.communication, $0.peopleAllowedInFocus) = (true, ada, ["ada"]) },
            change: { $0.entitlements = [.communication] }, instead: ["from a person whom the Focus allows"]),
        Scene(
            why: ["from a person whom the Focus allows"], shown: "banner list default",
            scene: {
                ($0.isFocusOn, $0.communication, $0.peopleAllowedInFocus) = (true, ada, ["ada"])
                $0.entitlements = [.communication]
            },
            change: { $0.peopleAllowedInFocus = ["grace"] }, instead: ["a Focus is on: in the list only"]),
    ]

    private static let categories = [
        Scene(
            why: ["the app has declared no category C, so there are no buttons"], shown: "banner list default",
            scene: { $0.unknownCategory = "C" }, change: { $0.unknownCategory = nil }),
        Scene(
            why: ["not shown: the app has declared no category C"], shown: "",
            rules: {
                var rules = PhoneRules()
                rules.unknownCategoryIsShown = false
                return rules
            }(), scene: { $0.unknownCategory = "C" }, change: { $0.unknownCategory = nil }),
    ]

    private static func places(_ shown: Presentation) -> String {
        let places = [
            (shown.banner, "banner"), (shown.lockScreen, "lock"), (shown.list, "list"),
            (shown.waitsForSummary, "summary"),
        ]
        return (places.filter(\.0).map(\.1) + [shown.sound].compactMap(\.self)).joined(separator: " ")
    }

    @Test(
        "is said where it is so, and not beside it",
        arguments: permission + foreground + sounds + levels + categories)
    func said(_ scene: Scene) {
        var input = Self.usual
        scene.scene(&input)
        let shown = Presentation.decide(input, rules: scene.rules)
        #expect(shown.why == scene.why)
        #expect(Self.places(shown) == scene.shown)
        scene.change(&input)
        #expect(Presentation.decide(input, rules: scene.rules).why == scene.instead, "after the change")
    }

    @Test("nothing is said of what is shown as usual, on the lock screen or as a banner", arguments: [true, false])
    func usual(isLocked: Bool) {
        var input = Self.usual
        input.isLocked = isLocked
        let shown = Presentation.decide(input, rules: PhoneRules())
        #expect(shown.why == [] && Self.places(shown) == (isLocked ? "lock list default" : "banner list default"))
    }
}
