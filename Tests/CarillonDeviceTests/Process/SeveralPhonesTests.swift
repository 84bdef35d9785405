import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// Hops to the main queue after every push, twice, and badges whatever app it then finds.
final class HoppingApp: CallLoggingResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        let mine = ObjectIdentifier(application)
        DispatchQueue.main.async {
            DispatchQueue.main.async { [callLog = self.callLog] in
                callLog.write(ObjectIdentifier(UIApplication.shared) == mine ? "mine" : "another phone's")
                Task { @MainActor in
                    let center = UNUserNotificationCenter.current()
                    try? await center.setBadgeCount(7)
                    callLog.write(ObjectIdentifier(UIApplication.shared) == mine ? "mine" : "another phone's")
                    completionHandler(.newData)
                }
            }
        }
    }
}

/// Lays out a view when its screen is looked at, as a view controller of a tab does that nobody has opened yet.
private final class LateApp: UIResponder, UIApplicationDelegate {
    private final class LateView: UIView {
        var onLayout: () -> Void = {}
        override func layoutSubviews() { onLayout() }
    }

    private let window = UIWindow(frame: UIScreen.main.bounds)
    private(set) var sawItself: Bool?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window.makeKeyAndVisible()
        return true
    }

    func addLateView() {
        let view = LateView(frame: window.bounds)
        view.onLayout = { [weak self] in self?.sawItself = UIApplication.shared.delegate === self }
        window.addSubview(view)
    }
}

@MainActor @Suite("Several phones in one process") struct SeveralPhonesTests {
    @Test("an app that lays itself out because its screen is looked at finds its phone, whoever looks")
    func lookedAt() async throws {
        try await TestPhone.run { looker in
            try await TestPhone.run { other in
                for test in [looker, other] {
                    test.install { _ in LateApp() }
                    try await test.phone.openApp(TestPhone.bundleID)
                    try await test.phone.settled()
                }
                let app = try #require(other.phone.delegate(of: TestPhone.bundleID) as? LateApp)
                app.addLateView()
                await looker.phone.run(in: TestPhone.bundleID) {
                    _ = other.phone.screen.viewTree(of: TestPhone.bundleID)
                }
                #expect(app.sawItself == true)
            }
        }
    }

    @Test("each phone's code finds its own app and its own center, through main-queue hops and tasks")
    func ownCurrent() async throws {
        let phones = (0..<4).map { TestPhone(seed: UInt64($0)) }
        for test in phones {
            try test.installPermitted { HoppingApp($0) }
        }
        let push = try TestPhone.push(["aps": ["content-available": 1]], type: .background)
        for _ in 0..<5 { for test in phones { test.phone.receiveLater(push) } }
        for test in phones {
            try await test.phone.settled()
            #expect(test.callLog.lines == Array(repeating: "mine", count: 10))
            #expect(test.phone.badge(of: TestPhone.bundleID) == 7)
        }
        for test in phones { await test.finish() }
    }

    @Test("two apps on one phone have their own lists, badges and folders")
    func twoApps() async throws {
        try await TestPhone.run { test in
            for id in ["app.one", "app.two"] {
                test.install(id) { HoppingApp($0) }
                try test.phone.settings.setNotificationsAllowed(true, for: id)
            }
            try await test.push(["aps": ["alert": "One", "badge": 1]], to: "app.one")
            #expect(test.phone.deliveredNotifications(of: "app.two").isEmpty)
            #expect(test.phone.badge(of: "app.one") == 1 && test.phone.badge(of: "app.two") == 0)
        }
    }

    @Test("the same seed makes the same tokens")
    func seeds() async throws {
        func token(seed: UInt64) async throws -> Data? {
            let test = TestPhone(seed: seed)
            try await test.openAllowed()
            let token = test.phone.deviceToken(of: TestPhone.bundleID)
            await test.finish()
            return token
        }
        let first = try await token(seed: 1)
        #expect(try await token(seed: 1) == first)
        #expect(try await token(seed: 2) != first)
    }
}

extension Phone {
    /// Hands the push over without waiting for it.
    func receiveLater(_ push: IncomingPush) { Task { await self.receive(push) } }
}
