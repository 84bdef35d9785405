import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Testing
import UIKit
import UserNotifications

/// An app that has forgotten the center's delegate, and sets it when it is too late.
private final class ForgetfulApp: UIResponder, UIApplicationDelegate, AppWithCarillon, UNUserNotificationCenterDelegate
{
    private(set) var carillon: Carillon?
    private var plan: HostApp.Plan?

    convenience init(plan: HostApp.Plan) {
        self.init()
        self.plan = plan
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        guard let plan else { return false }
        let carillon = Carillon(
            configuration: plan.configuration, platform: .current(appGroup: "group.misspelt"),
            transport: plan.transport, center: .current(), application: application,
            randomness: SystemRandomNumberGenerator())
        carillon.start(launchOptions: launchOptions)
        self.carillon = carillon
        return true
    }

    func setDelegate() { UNUserNotificationCenter.current().delegate = self }
}

private final class OtherDelegate: NSObject, UNUserNotificationCenterDelegate {}

@MainActor
@Suite("A wrong set-up is told with what to do about it")
struct DiagnosisTests {
    @Test("an app that is set up well has nothing to be told, and a failure of the service is over when it answers")
    func well() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            let carillon = try #require(fixture.app?.carillon)
            #expect(await carillon.diagnose() == [])
            fixture.service[\.isDown] = true
            try await fixture.goHome()
            try await fixture.open()
            try await fixture.settle()
            #expect(await carillon.diagnose().count == 1)
            fixture.service[\.isDown] = false
            try await fixture.goHome()
            try await fixture.open()
            try await fixture.settle()
            #expect(await carillon.diagnose() == [])
        }
    }

    @Test("no entitlement, no App Group, no delegate, and one that comes late")
    func mistakes() async throws {
        try await AppFixture.run { fixture in
            try await fixture.open { ForgetfulApp(plan: $0) }
            let app = try #require(fixture.phone.delegate(of: AppFixture.bundleID) as? ForgetfulApp)
            let carillon = try #require(app.carillon)
            #expect(await carillon.diagnose() == [.appGroupIsUnusable("group.misspelt"), .centerDelegateIsMissing])
            #expect(fixture.log.all.contains(.centerDelegateIsMissing))
            _ = await fixture.phone.run(in: AppFixture.bundleID) { app.setDelegate() }
            #expect(await carillon.diagnose().contains(.centerDelegateIsLate))
            struct NoEntitlement: Error {}
            carillon.didFailToRegisterForRemoteNotifications(withError: NoEntitlement())
            #expect(await carillon.diagnose().contains { if case .noDeviceToken = $0 { true } else { false } })
            carillon.didRegisterForRemoteNotifications(withDeviceToken: fixture.deviceToken)
            #expect(await !carillon.diagnose().contains { if case .noDeviceToken = $0 { true } else { false } })
        }
    }

    @Test("a category that is not declared, and a delegate that another has taken")
    func categories() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            try await fixture.push(
                ["aps": ["alert": "A", "category": "CHAT"], "carillon": ["v": 1, "id": "m1"]], type: .alert,
                collapseID: "m1")
            let carillon = try #require(fixture.app?.carillon)
            #expect(await carillon.diagnose() == [.categoryIsUnknown("CHAT")])
            let other = OtherDelegate()
            fixture.app?.center?.delegate = other
            let mistakes = await carillon.diagnose()
            #expect(mistakes == [.delegateWasReplaced(by: "OtherDelegate"), .categoryIsUnknown("CHAT")])
            #expect(mistakes.allSatisfy { $0.advice?.isEmpty == false })
        }
    }
}
