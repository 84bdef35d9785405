import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonExtension
import CarillonMessaging
import Chime
import Foundation
import UIKit

/// One history: what a person, a network and a sender do to a phone with two apps, drawn from a seed.
@MainActor struct HistoryRun {
    private static let stepCount = 14
    private static let tinkerer = "com.example.tinkerer"

    private let app: AppUnderTest
    private let service: StubService
    private var random: SeededGenerator

    private var phone: Phone { app.phone }
    private var bundleIDs: [String] { [app.bundleID, Self.tinkerer] }

    /// Plays the history of a seed.
    ///
    /// - Returns: everything that can be seen of it: events, traces, requests to the service, what the phone shows.
    static func play(_ seed: UInt64) async throws -> String {
        let log = EventLog()
        let service = StubService(clock: ManualClock(start: AppUnderTest.usualStart))
        return try await AppUnderTest.run(try chime(service, log)) { configuration in
            configuration.seed = seed
            configuration.timeZone = .gmt
            configuration.patience = .zero
            configuration.runsTasksInOrder = true
        } _: { app in
            app.phone.install(tinkererBundle)
            var run = HistoryRun(app: app, service: service, random: SeededGenerator(seed: seed))
            try await run.begin()
            for number in 0..<stepCount { try await run.step(number) }
            try await app.advance(by: .seconds(60))
            return try await run.text(log)
        }
    }

    private static func chime(_ service: StubService, _ log: EventLog) throws -> AppBundle {
        guard let url = URL(string: "https://push.example.com") else { throw URLError(.badURL) }
        var configuration = ChimeConfiguration(
            service: url, podcastFeed: .list { Podcast.archive }, report: { log.add($0) }, signInToken: { "ada" })
        configuration.reach(service)
        return AppBundle(
            bundleID: "com.example.chime", name: "Chime", environment: .sandbox,
            appGroups: [ChimeConfiguration.appGroup], usesScenes: true,
            makeDelegate: { [configuration] in ChimeAppDelegate(configuration: configuration) },
            makeServiceExtension: { [configuration] in
                let notificationService = ChimeNotificationService(configuration: configuration)
                notificationService.makeTransport = { _ in service }
                return notificationService
            })
    }

    private static var tinkererBundle: AppBundle {
        AppBundle(
            bundleID: tinkerer, name: "Tinkerer", backgroundModes: [.remoteNotification, .fetch],
            makeDelegate: { TinkererApp() }, makeServiceExtension: { ShoutingExtension() })
    }

    /// Most histories begin with apps that may notify: else there is little to see in them.
    private mutating func begin() async throws {
        guard Int.random(in: 0..<5, using: &random) > 0 else { return }
        for id in bundleIDs {
            try await phone.openApp(id)
            try await phone.settled()
            try? await phone.answerPermission(allow: true)
            try await phone.settled()
        }
    }

    private mutating func step(_ number: Int) async throws {
        let action: PhoneAction?
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3: action = .receive(try push(number))
        case 4...6: action = person()
        case 7: action = surroundings()
        case 8: action = system()
        default:
            action = nil
            try await app.advance(by: .seconds(Int.random(in: 1...20, using: &random)))
        }
        // What cannot be done at this moment is part of the run.
        if let action {
            let bundles = bundleIDs.compactMap { phone.bundle(of: $0) }
            try? await phone.perform(try Self.copied(action))
            // What was deleted comes back, as no value holds an app.
            for bundle in bundles where phone.bundle(of: bundle.bundleID) == nil { phone.install(bundle) }
        }
        // What arrives in the middle of something is part of it too.
        if Int.random(in: 0..<4, using: &random) > 0 { try await phone.settled() }
    }

    /// The action as it comes out of a file.
    private static func copied(_ action: PhoneAction) throws -> PhoneAction {
        try CarillonJSON.decode(PhoneAction.self, from: CarillonJSON.encode(action))
    }

    private mutating func anApp() -> String { bundleIDs[Int.random(in: 0..<2, using: &random)] }

    private mutating func push(_ number: Int) throws -> IncomingPush {
        let id = "m\(Int.random(in: 0..<4, using: &random))"
        let (topic, payload): (String, JSONValue) =
            switch Int.random(in: 0..<6, using: &random) {
            case 0...1: (app.bundleID, AppFixture.news(id))
            case 2: (app.bundleID, try silent(id))
            case 3: (app.bundleID, try removal(id))
            case 4: (Self.tinkerer, ["aps": ["alert": .string("Number \(number)"), "mutable-content": 1, "badge": 2]])
            default: (Self.tinkerer, ["aps": ["content-available": 1], "number": .int(Int64(number))])
            }
        let isAlert = payload["aps"]?["alert"] != nil
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let apnsID = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        return IncomingPush(
            topic: topic, pushType: isAlert ? .alert : .background, payload: try payload.encoded(),
            collapseID: topic == app.bundleID ? id : nil, apnsID: apnsID, priority: isAlert ? 10 : 5)
    }

    private func silent(_ id: String) throws -> JSONValue {
        var key = CarillonKey(id: try MessageID(id), now: phone.now, attempt: 1)
        key.silent = ["alert": ["title": "News", "body": "text"], "sound": "default"]
        return ["aps": ["content-available": 1], "carillon": key.json]
    }

    private func removal(_ id: String) throws -> JSONValue {
        let key = CarillonKey(now: phone.now, removals: [Removal(try MessageID(id))])
        return ["aps": ["content-available": 1], "carillon": key.json]
    }

    private mutating func person() -> PhoneAction? {
        let id = anApp()
        let shown = phone.deliveredNotifications(of: id).map(\.request.identifier)
        switch Int.random(in: 0..<10, using: &random) {
        case 0...1: return .openApp(id)
        case 2: return .pressHome
        case 3: return .lock
        case 4: return .unlock
        case 5: return shown.first.map { .tap($0, app: id) }
        case 6:
            guard let last = shown.last, let action = phone.actions(of: last, in: id).last else { return nil }
            return .choose(action.identifier, notification: last, app: id, text: nil)
        case 7: return shown.first.map { .dismiss($0, app: id) }
        case 8: return .answerPermission(Bool.random(using: &random))
        default: return .forceQuit(id)
        }
    }

    private mutating func surroundings() -> PhoneAction? {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .goOffline
        case 1: return .goOnline
        case 2:
            service[\.isDown].toggle()
            return nil
        case 3: return .setLowPowerMode(Bool.random(using: &random))
        case 4: return .setFocus(Bool.random(using: &random))
        default: return .setDarkMode(Bool.random(using: &random))
        }
    }

    private mutating func system() -> PhoneAction? {
        let id = anApp()
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return .restart
        case 1: return .terminateBySystem(id)
        case 2: return .performBackgroundFetch(id)
        case 3: return .install(id)
        case 4: return .uninstall(id)
        case 5: return .warnOfMemory(id)
        default:
            app.clock.advance(by: .seconds(Int.random(in: 1...15, using: &random) * 3600))
            return nil
        }
    }

    // MARK: the text

    private func text(_ log: EventLog) async throws -> String {
        var lines = phone.history.map(\.description)
        lines += try phone.traces.map { String(decoding: try CarillonJSON.encode($0), as: UTF8.self) }
        lines += service[\.requests].map {
            "\($0.method) \($0.url) \(String(decoding: $0.body ?? Data(), as: UTF8.self))"
        }
        // What Foundation says of a file names its place.
        lines += log.all.map { "\($0)".components(separatedBy: " Error Domain")[0] }
        for id in bundleIDs {
            lines.append("\(id): \(phone.runningState(of: id)), badge \(phone.badge(of: id))")
            lines.append("token \(phone.deviceToken(of: id)?.base64EncodedString() ?? "none")")
            lines += phone.deliveredNotifications(of: id).map {
                "\($0.request.identifier) \($0.date.timeIntervalSince1970) \($0.request.content.body)"
            }
            try? await phone.openApp(id)
            try await phone.settled()
            await phone.run(in: id) {
                lines.append("vendor \(UIDevice.current.identifierForVendor?.uuidString ?? "none")")
            }
            lines.append(phone.screen.viewTree(of: id).map { "\($0)" } ?? "no view")
        }
        return lines.joined(separator: "\n")
    }
}

/// Does much of what depends on the order of something: observers, animations that interrupt each other, timers.
private final class TinkererApp: UIResponder, UIApplicationDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    private let view = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    private var count = 0

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        center.requestAuthorization(options: [.alert, .badge, .sound]) { _, _ in }
        application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
        application.registerForRemoteNotifications()
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = UIViewController()
        window.rootViewController?.view.addSubview(view)
        window.makeKeyAndVisible()
        for number in 1...3 {
            _ = NotificationCenter.default.addObserver(
                forName: UIApplication.didBecomeActiveNotification, object: nil, queue: nil
            ) { [weak self] _ in
                MainActor.assumeIsolated { self?.note("active-\(number)") }
            }
        }
        return true
    }

    /// Leaves a trace of the order in which things come.
    private func note(_ name: String) {
        count += 1
        let content = UNMutableNotificationContent()
        content.body = "\(name) \(count)"
        UNUserNotificationCenter.current().add(
            UNNotificationRequest(
                identifier: name, content: content,
                trigger: UNTimeIntervalNotificationTrigger(timeInterval: 3, repeats: false)))
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        for number in 1...3 {
            UIView.animate(
                withDuration: 2, animations: { move(number) },
                completion: { [weak self] in
                    self?.note("moved-\(number)-\($0)")
                })
        }
        // Interrupts all of them, and is over at once.
        view.removeFromSuperview()
    }

    private func move(_ number: Int) {
        switch number {
        case 1: view.alpha = view.alpha < 1 ? 1 : 0.5
        case 2: view.frame.origin.x += 10
        default: view.transform = CGAffineTransform(scaleX: 2, y: 2)
        }
    }

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        note("fetched")
        completionHandler(.noData)
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        note("pushed")
        Task { @MainActor in
            try? await UNUserNotificationCenter.current().setBadgeCount(count)
            completionHandler(.newData)
        }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) { completionHandler([.banner, .list, .badge]) }
}

/// Changes what arrives.
private final class ShoutingExtension: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
            return contentHandler(request.content)
        }
        content.body = content.body.uppercased()
        contentHandler(content)
    }
}
