import CarillonCore
import CarillonDevice
import Testing
import UIKit

/// The commonest mistake of beginners: an app that never registers.
@MainActor @Suite("An app without a device token") struct TokenlessAppTests {
    private func run(
        rules: PhoneRules = PhoneRules(), registers: Bool = false, environment: APNsEnvironment? = .production,
        _ body: @MainActor (AppUnderTest) async throws -> Void
    ) async throws {
        let bundle = AppBundle(
            bundleID: "com.example.app", name: "App", environment: environment, makeDelegate: { ShyApp(registers) })
        try await AppUnderTest.run(bundle, rules: rules) { app in
            try await app.openAndAllow()
            try await app.suspend()
            try await body(app)
        }
    }

    @Test("5: gets no push, and the trace says that it has not registered", arguments: [true, false])
    func unregistered(_ isSilent: Bool) async throws {
        try await run { app in
            let push = try await app.push(
                isSilent ? ["aps": ["content-available": 1]] : ["aps": ["alert": "Hello"]])
            #expect(push.presentation == nil && push.wake == nil && push.isFinished && app.notifications.isEmpty)
            #expect(
                push.notes == [
                    "did not arrive: the app has no device token, since it has not called registerForRemoteNotifications"
                ])
        }
    }

    @Test("5: gets the push in a test that asks for it")
    func otherwise() async throws {
        var rules = PhoneRules()
        rules.pushNeedsToken = false
        try await run(rules: rules) { app in
            let push = try await app.push(["aps": ["alert": "Hello"]])
            #expect(push.presentation?.isShown == true)
        }
    }

    @Test("5: an app that has registered gets it, also after a launch by it")
    func registered() async throws {
        try await run(registers: true) { app in
            try app.phone.system.terminate(app.bundleID)
            #expect(try await app.push(["aps": ["alert": "Hello"]]).presentation?.isShown == true)
        }
    }

    @Test("5: an app without the entitlement has registered in vain")
    func withoutEntitlement() async throws {
        try await run(registers: true, environment: nil) { app in
            let push = try await app.push(["aps": ["alert": "Hello"]])
            #expect(push.notes == ["did not arrive: the app has registered, and has got no device token"])
        }
    }

    @Test("the short form of run has the background mode, so that a silent push wakes its app")
    func shortForm() async throws {
        try await AppUnderTest.run({ ShyApp(true) }) { app in
            try await app.openAndAllow()
            try await app.suspend()
            #expect(try await app.push(["aps": ["content-available": 1]]).wake?.kind == .called)
        }
    }
}

/// Asks for permission, and registers if it is told to.
private final class ShyApp: UIResponder, UIApplicationDelegate {
    private let registers: Bool

    init(_ registers: Bool) {
        self.registers = registers
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        if registers { application.registerForRemoteNotifications() }
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult { .newData }
}
