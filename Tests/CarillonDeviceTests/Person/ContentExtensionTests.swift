import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit
import UserNotificationsUI

/// Shows an episode, plays it, and deals with its buttons.
final class EpisodeController: UIViewController, UNNotificationContentExtension {
    private let callLog: CallLog
    private let label = UILabel(frame: CGRect(x: 10, y: 10, width: 200, height: 20))
    private let star = UIButton(type: .system)
    var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { .overlay }
    var mediaPlayPauseButtonFrame: CGRect { CGRect(x: 100, y: 50, width: 44, height: 44) }
    var mediaPlayPauseButtonTintColor: UIColor { .red }

    init(_ callLog: CallLog) {
        self.callLog = callLog
        super.init(nibName: nil, bundle: nil)
    }

    required convenience init() { self.init(CallLog()) }
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        star.frame = CGRect(x: 10, y: 40, width: 44, height: 44)
        star.setTitle("Star", for: .normal)
        star.addAction(UIAction { [callLog] _ in callLog.write("starred") }, for: .touchUpInside)
        view.addSubview(label)
        view.addSubview(star)
        preferredContentSize = CGSize(width: 0, height: 120)
    }

    func didReceive(_ notification: UNNotification) {
        label.text = notification.request.content.title
        callLog.write("didReceive, \(extensionContext?.notificationActions.count ?? -1) actions")
    }

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        callLog.write("asked about \(response.actionIdentifier)")
        switch response.actionIdentifier {
        case "like":
            extensionContext?.notificationActions = [UNNotificationAction(identifier: "unlike", title: "Unlike")]
            completion(.doNotDismiss)
        case "unlike": completion(.dismiss)
        case "open": extensionContext?.performNotificationDefaultAction()
        case "close": extensionContext?.dismissNotificationContentExtension()
        default: completion(.dismissAndForwardAction)
        }
    }

    func mediaPlay() { callLog.write("plays") }
    func mediaPause() {
        callLog.write("pauses")
        extensionContext?.mediaPlayingPaused()
    }
}

/// Has the one method that must be there.
final class PlainController: UIViewController, UNNotificationContentExtension {
    func didReceive(_ notification: UNNotification) {}
}

@MainActor @Suite("A notification content extension") struct ContentExtensionTests {
    private let id = TestPhone.bundleID

    /// A phone with one notification of the category, in the background.
    private func run(
        make: @escaping @MainActor @Sendable (CallLog) -> any ContentExtension.Controller = { EpisodeController($0) },
        _ body: @MainActor (TestPhone) async throws -> Void
    ) async throws {
        try await TestPhone.run { test in
            let callLog = CallLog()
            test.callLogs[id] = callLog
            let actions = ["like", "share", "open", "close"].map { UNNotificationAction(identifier: $0, title: $0) }
            let category = UNNotificationCategory(identifier: "episode", actions: actions, intentIdentifiers: [])
            var bundle = AppBundle(
                bundleID: id, name: "Chime", makeDelegate: { AskingApp(callLog) { $0.categories = [category] } })
            bundle.contentExtensions = [
                ContentExtension(categories: ["episode"], hidesDefaultContent: true, make: { make(callLog) })
            ]
            test.phone.install(bundle)
            try test.phone.settings.setNotificationsAllowed(true, for: id)
            try await test.phone.openApp(id)
            await test.phone.pressHome()
            let alert: JSONValue = ["title": "Episode 7", "body": "Out now"]
            try await test.push(["aps": ["alert": alert, "category": "episode"]], collapseID: "m1")
            try await test.phone.screen.expand("m1", in: id)
            try await body(test)
        }
    }

    private func chosen(_ test: TestPhone) -> [String] { test.callLog.lines.filter { $0.contains(" on m1") } }

    @Test("draws in the expanded notification, in the size it prefers, with a button that plays and pauses")
    func drawing() async throws {
        try await run { test in
            let content = try #require(test.phone.screen.expanded?.content)
            #expect(content.width == 390 && content.height == 120 && content.hidesDefaultContent)
            #expect(content.mediaButton?.frame.x == 100 && content.mediaButton?.isOverlay == true)
            let tree = try #require(test.phone.screen.expandedViewTree)
            #expect(tree.frame.height == 120 && TestPhone.texts(tree) == ["Episode 7", "Star"])
            #expect(test.callLog.contains("didReceive, 4 actions"))
            try await test.phone.screen.pressMediaButton()
            #expect(test.phone.screen.expanded?.content?.mediaButton?.isPlaying == true)
            try await test.phone.screen.pressMediaButton()
            #expect(test.phone.screen.expanded?.content?.mediaButton?.isPlaying == false)
            #expect(test.callLog.lines.suffix(2) == ["plays", "pauses"])
            try await test.phone.screen.touchExpanded(atX: 20, y: 50, phase: .began)
            try await test.phone.screen.touchExpanded(atX: 20, y: 50, phase: .ended)
            #expect(test.callLog.lines.last == "starred")
        }
    }

    @Test("is asked about an action first: it may keep the notification open, close it, or let the app have it")
    func actions() async throws {
        try await run { test in
            try await test.phone.choose("like", on: "m1", in: id)
            try await test.phone.settled()
            #expect(test.phone.screen.expanded != nil && chosen(test) == [])
            #expect(test.phone.actions(of: "m1", in: id).map(\.identifier) == ["unlike"])
            try await test.phone.choose("unlike", on: "m1", in: id)
            try await test.phone.settled()
            #expect(test.phone.screen.expanded == nil && chosen(test) == [] && test.shown.isEmpty)
        }
        try await run { test in
            try await test.phone.choose("share", on: "m1", in: id)
            try await test.phone.settled()
            #expect(test.callLog.contains("asked about share"))
            #expect(test.phone.screen.expanded == nil && chosen(test) == ["share on m1"])
        }
    }

    @Test("may open the app, or close itself")
    func context() async throws {
        try await run { test in
            try await test.phone.choose("close", on: "m1", in: id)
            try await test.phone.settled()
            #expect(test.phone.screen.expanded == nil && test.shown.count == 1 && chosen(test) == [])
        }
        try await run { test in
            try await test.phone.choose("open", on: "m1", in: id)
            try await test.phone.until("the app is in front") { $0.frontApp == TestPhone.bundleID }
            try await test.phone.settled()
            #expect(chosen(test) == ["\(UNNotificationDefaultActionIdentifier) on m1"])
        }
    }

    @Test("that has only the one method lets every action through, and is square until it prefers something else")
    func plain() async throws {
        try await run(make: { _ in PlainController() }) { test in
            #expect(test.phone.screen.expanded?.content?.height == 390)
            #expect(test.phone.screen.expanded?.content?.mediaButton == nil)
            try await test.phone.choose("share", on: "m1", in: id)
            try await test.phone.settled()
            #expect(chosen(test) == ["share on m1"])
            await #expect(throws: PhoneError.self) { try await test.phone.screen.pressMediaButton() }
        }
    }

    @Test("ends when the notification is closed, tapped, or the phone is locked; another category has none")
    func ends() async throws {
        try await run { test in
            test.phone.screen.collapse()
            #expect(test.phone.screen.expandedViewTree == nil && test.shown.count == 1)
            try await test.phone.screen.expand("m1", in: id)
            await test.phone.lock()
            #expect(test.phone.screen.expanded == nil)
            await test.phone.unlock()
            try await test.push(["aps": ["alert": "Other"]], collapseID: "m2")
            try await test.phone.screen.expand("m2", in: id)
            #expect(test.phone.screen.expanded != nil && test.phone.screen.expanded?.content == nil)
            try await test.phone.tap("m2", in: id)
            #expect(test.phone.screen.expanded == nil)
        }
    }
}
