import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// The mistakes for which iOS ends an app: the phone ends it too, or says so.
@MainActor @Suite("Mistakes that end an app") struct MistakeTests {
    private let id = TestPhone.bundleID

    /// Plays a mistake, and returns the sentences about it and whether the app still runs.
    private func outcome(
        of scenario: MistakeScenario, warned: Set<AppMistake>?
    ) async throws -> (sentences: [String], runs: Bool) {
        var rules = PhoneRules()
        if let warned { rules.onlyWarnedMistakes = warned }
        return try await AppUnderTest.run(
            backgroundModes: [.remoteNotification, .fetch], rules: rules, asking: scenario.make
        ) { app, _ in
            try app.phone.settings.setNotificationsAllowed(true, for: id)
            try await app.open()
            try await scenario.play(app)
            let notes = app.phone.traces.flatMap(\.notes)
            return (notes.filter { $0.contains("terminate") }, app.state != .notRunning)
        }
    }

    @Test("each has a way to make it")
    func isComplete() {
        #expect(Set(MistakeScenario.all.map(\.mistake)) == Set(AppMistake.allCases))
    }

    @Test("a phone ends the app, and says why", arguments: AppMistake.allCases)
    func ends(_ mistake: AppMistake) async throws {
        for scenario in MistakeScenario.all where scenario.mistake == mistake {
            let outcome = try await outcome(of: scenario, warned: [])
            #expect(!outcome.runs && outcome.sentences.count == 1)
            #expect(outcome.sentences.first?.hasPrefix("iOS terminated the app: ") == true, "\(outcome.sentences)")
        }
    }

    @Test("a phone that only warns of it lets the app run, and says so", arguments: AppMistake.allCases)
    func warns(_ mistake: AppMistake) async throws {
        for scenario in MistakeScenario.all where scenario.mistake == mistake {
            let outcome = try await outcome(of: scenario, warned: Set(AppMistake.allCases))
            #expect(outcome.runs)
            #expect(outcome.sentences.first?.hasPrefix("an iPhone may terminate the app here: ") == true)
        }
    }

    @Test("by default the app ends for those that every iPhone ends it for")
    func defaults() {
        #expect(
            PhoneRules().onlyWarnedMistakes
                == [.emptyIdentifier, .centerHandlerTwice, .uiOffMain, .transfersHandlerOffMain])
    }

    @Test("each has a row in the ledger, with its source and its default")
    func ledger() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let text = try String(contentsOf: root.appending(path: "docs/apple-coverage.md"), encoding: .utf8)
        for mistake in AppMistake.allCases {
            let row = try #require(
                text.components(separatedBy: "\n").first { $0.contains("| `\(mistake.rawValue)` |") },
                "\(mistake.rawValue) has no row")
            #expect(row.contains("](https://"), "\(mistake.rawValue) has no source")
            let isWarned = PhoneRules().onlyWarnedMistakes.contains(mistake)
            #expect(row.hasSuffix(isWarned ? "| warned |" : "| ended |"))
        }
    }

    @Test("a handler that is called on the main queue in the end is no mistake")
    func onMain() async throws {
        try await AppUnderTest.run(asking: { _ in RespondingApp(.onMain) }) { app, _ in
            try app.phone.settings.setNotificationsAllowed(true, for: id)
            try await app.open()
            try await MistakeScenario.tapped(app)
            #expect(
                app.state == .foregroundActive && !app.phone.traces.flatMap(\.notes).contains { $0.contains("iOS") })
        }
    }

    @Test("an async didReceive ends the app unless the main actor runs it", arguments: [true, false], [true, false])
    func asyncResponse(_ isOnMain: Bool, _ calls: Bool) async throws {
        try await AppUnderTest.run(asking: { _ in
            isOnMain ? MainActorApp(calls) as any UIApplicationDelegate : OffActorApp(calls)
        }) { app, _ in
            try app.phone.settings.setNotificationsAllowed(true, for: id)
            try await app.open()
            try await MistakeScenario.tapped(app)
            #expect(app.state == (isOnMain ? .foregroundActive : .notRunning))
        }
    }

    @Test("an app that ends while it is launched is not in front, and a push may launch it again")
    func atLaunch() async throws {
        try await AppUnderTest.run(asking: { callLog in
            WatchfulApp(callLog) {
                $0.onLaunch = { _ in _ = UNTimeIntervalNotificationTrigger(timeInterval: -1, repeats: false) }
            }
        }) { app, callLog in
            try await app.open()
            #expect(app.phone.frontApp == nil && app.state == .notRunning)
            let push = try await app.phone.receive(app.incoming(["aps": ["content-available": 1]], type: .background))
            try await app.phone.settled()
            let wake = try app.entry(push).wake
            #expect(wake?.kind == .launched && wake?.answer == .ended)
            #expect(callLog.lines == ["launched", "launched"])
        }
    }

    @Test("an entry point that makes no delegate ends its app, and another app on the phone goes on")
    func noDelegate() async throws {
        try await AppUnderTest.run(asking: { AskingApp($0) }) { app, _ in
            app.phone.install(AppBundle(bundleID: "empty", name: "Empty", main: {}))
            try await app.phone.openApp("empty")
            try await app.phone.settled()
            #expect(app.phone.runningState(of: "empty") == .notRunning && app.phone.frontApp == nil)
            #expect(app.phone.traces.flatMap(\.notes).contains { $0.contains("made no app delegate (empty)") })
            try await app.openAndAllow()
            #expect(app.state == .foregroundActive)
        }
    }

    @Test("the trace has the sentence that Xcode prints, with the value")
    func sentence() async throws {
        try await AppUnderTest.run(asking: { AskingApp($0) }) { app, _ in
            try await app.openAndAllow()
            await app.phone.run(in: id) {
                NSException(name: .rangeException, reason: "index 3 beyond bounds [0 .. 2]").raise()
            }
            try await app.phone.settled()
            let note = "an exception was not caught ('NSRangeException', reason: 'index 3 beyond bounds [0 .. 2]')"
            #expect(app.phone.traces.flatMap(\.notes).contains { $0.contains(note) })
        }
    }

    @Test("an app that has ended for a mistake changes nothing any more")
    func afterwards() async throws {
        try await AppUnderTest.run(asking: { AskingApp($0) }) { app, _ in
            try await app.openAndAllow()
            await app.phone.run(in: id) {
                _ = UNTimeIntervalNotificationTrigger(timeInterval: 0, repeats: false)
                let content = UNMutableNotificationContent()
                content.body = "too late"
                UNUserNotificationCenter.current().add(
                    UNNotificationRequest(identifier: "m1", content: content, trigger: nil))
                UIApplication.shared.applicationIconBadgeNumber = 3
            }
            try await app.phone.settled()
            #expect(app.notifications.isEmpty && app.badge == 0)
        }
    }

    @Test("what a local notification may carry", arguments: UserInfoValue.allCases)
    func userInfo(_ value: UserInfoValue) async throws {
        try await AppUnderTest.run(asking: { AskingApp($0) }) { app, callLog in
            try await app.openAndAllow()
            await app.phone.run(in: id) {
                let content = UNMutableNotificationContent()
                content.body = "Hello"
                content.userInfo = ["key": value.value]
                UNUserNotificationCenter.current().add(
                    UNNotificationRequest(identifier: "m1", content: content, trigger: nil)
                ) { error in
                    let code = (error as? UNError)?.code
                    DispatchQueue.main.async { callLog.write("added: \(code.map { "\($0)" } ?? "yes")") }
                }
            }
            try await app.phone.settled()
            switch value.treatment {
            case .kept: #expect(callLog.contains("added: yes"))
            case .refused: #expect(callLog.contains("added: notificationInvalidNoContent"))
            case .ends: #expect(app.state == .notRunning)
            }
        }
    }
}

/// Values of a local notification's `userInfo`.
enum UserInfoValue: String, CaseIterable, Sendable {
    case text, number, flag, date, data, list, members, something, nothing, null, url, identifier, structure, tuple,
        object

    enum Treatment { case kept, refused, ends }

    var treatment: Treatment {
        switch self {
        case .text, .number, .flag, .date, .data, .list, .members, .something: .kept
        case .nothing, .null, .url, .identifier: .refused
        case .structure, .tuple, .object: .ends
        }
    }

    private struct Structure {}
    private final class Object {}

    var value: Any {
        switch self {
        case .text: "text"
        case .number: 7.5
        case .flag: true
        case .date: Date(timeIntervalSince1970: 0)
        case .data: Data([1])
        case .list: [1, "two", ["three": 3]] as [Any]
        case .members: ["a": ["b": NSNumber(value: 1)]]
        case .something: Optional("text") as Any
        case .nothing: Optional<String>.none as Any
        case .null: ["deep": NSNull()]
        case .url: URL(filePath: "/tmp")
        case .identifier: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        case .structure: [Structure()]
        case .tuple: (1, 2)
        case .object: Object()
        }
    }
}

/// Its async methods belong to the main actor, and may call others.
private final class MainActorApp: UIResponder, UIApplicationDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    private let calls: Bool

    init(_ calls: Bool) {
        self.calls = calls
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        application.registerForRemoteNotifications()
        return true
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async { if calls { await Self.elsewhere() } }

    private nonisolated static func elsewhere() async {}
}

/// Its async methods belong to no actor, as Xcode suggests.
private final class OffActorApp: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    private let calls: Bool

    init(_ calls: Bool) {
        self.calls = calls
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        application.registerForRemoteNotifications()
        return true
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async { if calls { await MainActor.run {} } }
}
