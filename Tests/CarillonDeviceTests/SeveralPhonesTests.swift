import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// Hops to the main queue after every push, twice, and badges whatever app it then finds.
final class HoppingApp: UIResponder, UIApplicationDelegate {
    let diary: Diary

    init(_ diary: Diary) {
        self.diary = diary
        super.init()
    }

    required init() {
        diary = Diary()
        super.init()
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        let mine = ObjectIdentifier(application)
        DispatchQueue.main.async {
            DispatchQueue.main.async { [diary = self.diary] in
                diary.write(ObjectIdentifier(UIApplication.shared) == mine ? "mine" : "another phone's")
                Task { @MainActor in
                    let center = UNUserNotificationCenter.current()
                    try? await center.setBadgeCount(7)
                    diary.write(ObjectIdentifier(UIApplication.shared) == mine ? "mine" : "another phone's")
                    completionHandler(.newData)
                }
            }
        }
    }
}

@MainActor @Suite("Several phones in one process") struct SeveralPhonesTests {
    @Test("each phone's code finds its own app and its own centre, through main-queue hops and tasks")
    func ownCurrent() async throws {
        let phones = (0..<4).map { TestPhone(seed: UInt64($0)) }
        for test in phones {
            try test.installPermitted { HoppingApp($0) }
        }
        let push = try TestPhone.push(["aps": ["content-available": 1]], type: .background)
        for _ in 0..<5 { for test in phones { test.phone.receiveLater(push) } }
        for test in phones {
            try await test.phone.settled()
            #expect(test.diary.lines == Array(repeating: "mine", count: 10))
            #expect(test.phone.badge(of: TestPhone.bundleID) == 7)
        }
        for test in phones { await test.finish() }
    }

    @Test("two apps on one phone have their own lists, badges and folders")
    func twoApps() async throws {
        try await TestPhone.run { test in
            for id in ["app.one", "app.two"] {
                test.install(id) { HoppingApp($0) }
                try test.phone.setNotificationsAllowed(true, for: id)
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
