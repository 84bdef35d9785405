import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Foundation
import Testing
import UIKit
import UserNotifications

/// An app with Carillon and another SDK, joined by a chain.
private final class ChainedApp: UIResponder, UIApplicationDelegate, AppWithCarillon {
    private(set) var carillon: Carillon?
    /// The keys of what the other SDK was given.
    private(set) var passedOn: [[String]] = []
    private var chain: Carillon.DelegateChain?
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
        let platform = AppPlatform.current(appGroup: nil)
        let carillon = plan.makeCarillon(for: application)
        let chain = Carillon.DelegateChain(clock: platform.clock, report: plan.configuration.report)
        chain.add(.carillon(carillon))
        chain.add(
            Carillon.DelegateChain.Link(
                name: "Other", handles: Carillon.DelegateChain.Link.foreign,
                remoteNotification: { [weak self] userInfo, done in
                    self?.passedOn.append(userInfo.keys.compactMap { $0 as? String }.sorted())
                    done(.newData)
                }))
        carillon.start(launchOptions: launchOptions)
        self.carillon = carillon
        self.chain = chain
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { chain?.didRegisterForRemoteNotifications(withDeviceToken: deviceToken) }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) { chain?.didReceiveRemoteNotification(userInfo, fetchCompletionHandler: completionHandler) }
}

@MainActor @Suite("An app with another SDK beside Carillon") struct ChainedAppTests {
    @Test(
        "what is in no dialect, or looks like one and is not, shows nothing and goes to the other SDK alone",
        arguments: [
            #""other": {"id": 7}"#, #""internalData": "nonsense""#,
            #""internalData": {"silent": 5}, "messageId": ["a"]"#, #""crt": {"a": 1}, "title": []"#,
            #""carillon": {"v": "one"}"#,
        ])
    func nonConforming(members: String) async throws {
        try await AppFixture.run { fixture in
            try await fixture.open { ChainedApp(plan: $0) }
            try await fixture.goHome()
            let payload = try JSONValue(parsing: Data(#"{"aps": {"content-available": 1}, \#(members)}"#.utf8))
            let trace = try await fixture.push(payload)
            try await fixture.settle()
            #expect(app(fixture)?.passedOn.count == 1)
            #expect(trace.wake?.answer == .newData)
            #expect(fixture.onScreen.isEmpty)
            // The next one that is well made is shown as ever.
            try await fixture.silent("m1")
            try await fixture.settle()
            #expect(fixture.onScreen == ["m1"] && app(fixture)?.passedOn.count == 1)
        }
    }

    private func app(_ fixture: AppFixture) -> ChainedApp? {
        fixture.phone.delegate(of: AppFixture.bundleID) as? ChainedApp
    }
}
