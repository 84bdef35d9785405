import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Foundation
import Testing
import UIKit
import UserNotifications

/// An app with the two lines of the guide, and handlers that are set later.
private final class BeginnerApp: UIResponder, UIApplicationDelegate {
    private(set) var carillon: Carillon?
    private(set) var configuration: Carillon.Configuration?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        guard let service = URL(string: "https://push.example.com") else { return false }
        let configuration = Carillon.Configuration(service: service)
        let carillon = Carillon(configuration: configuration, appGroup: nil)
        self.configuration = configuration
        carillon.start(launchOptions: launchOptions)
        self.carillon = carillon
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) { carillon?.didReceiveRemoteNotification(userInfo, fetchCompletionHandler: completionHandler) }
}

@MainActor
@Suite("Setting Carillon up, and what goes wrong with it")
struct SetupTests {
    @Test("two lines suffice, and what comes before a handler is set waits for it, in its order")
    func beginner() async throws {
        try await AppUnderTest.run({ BeginnerApp() }) { app in
            try await app.open()
            for id in ["m1", "m2"] {
                try await app.push(
                    [
                        "aps": ["alert": ["body": .string(id)], "content-available": 1],
                        "carillon": ["v": 1, "id": .string(id)],
                    ],
                    collapseID: id)
            }
            let carillon = try #require(app.delegate(as: BeginnerApp.self)?.carillon)
            var heard: [String] = []
            carillon.onMessage = { heard.append($0.identifier) }
            await carillon.settle()
            #expect(heard == ["m1", "m2"])
            carillon.onMessage = { _ in Issue.record("told a second time") }
            await carillon.settle()
        }
    }

    @Test(
        "two lines find the topic and the environment of the app that runs, each app its own", arguments: [true, false])
    func defaults(isSandbox: Bool) async throws {
        let bundle = AppBundle(
            bundleID: isSandbox ? "com.example.first" : "com.example.second", name: "Beginner",
            environment: isSandbox ? .sandbox : .production, makeDelegate: { BeginnerApp() })
        try await AppUnderTest.run(bundle) { app in
            try await app.open()
            let configuration = try #require(app.delegate(as: BeginnerApp.self)?.configuration)
            #expect(configuration.topic == bundle.bundleID && configuration.environment == bundle.environment)
        }
    }

    @Test("a tap that waits ten seconds for appIsReady() is reported, and one that does not wait so long is not")
    func forgottenReadiness() async throws {
        for isForgotten in [true, false] {
            try await AppFixture.run { fixture in
                var plan = try fixture.plan()
                plan.isReadyAtLaunch = false
                try await fixture.openAllowed(plan)
                try await fixture.goHome()
                try await fixture.visible("m1")
                try await fixture.phone.tap("m1", in: AppFixture.bundleID)
                try await fixture.phone.settled()
                if !isForgotten { fixture.app?.carillon?.appIsReady() }
                fixture.clock.advance(by: .seconds(11))
                try await fixture.settle()
                let reported = fixture.log.all.filter { $0 == .appIsNotReady(waiting: 1) }
                #expect(reported.count == (isForgotten ? 1 : 0))
            }
        }
    }

    @Test("what was read out of the bundle is checked against what the configuration says")
    func mistakes() throws {
        let service = try #require(URL(string: "https://push.example.com"))
        let debug = BundleFacts(identifier: "com.example.app", version: "2.1", environment: .sandbox)
        let unknown = BundleFacts(identifier: nil, version: nil, environment: nil)
        let right = Carillon.Configuration(service: service, topic: "com.example.app", environment: .sandbox)
        #expect(right.mistakes(in: debug) == [] && right.mistakes(in: unknown) == [])
        let wrong = Carillon.Configuration(service: service, topic: "com.example.app", environment: .production)
        #expect(wrong.mistakes(in: debug) == [.environmentIsWrong(said: .production, signed: .sandbox)])
        #expect(wrong.mistakes(in: unknown) == [], "nothing says so")
        let nameless = Carillon.Configuration(service: service, topic: "", environment: .sandbox)
        #expect(nameless.mistakes(in: debug) == [.topicIsMissing])
        for event in wrong.mistakes(in: debug) + [
            .topicIsMissing, .appIsNotReady(waiting: 2), .appGroupIsUnusable("g"),
        ] {
            #expect(event.advice?.isEmpty == false)
        }
        #expect(CarillonEvent.completed(name: "a", milliseconds: 1).advice == nil)
    }

    @Test(
        "the environment is that of the profile with which the app was signed; without one, it is the App Store's",
        arguments: [
            ("<key>aps-environment</key><string>development</string>", APNsEnvironment.sandbox),
            ("<key>aps-environment</key><string>production</string>", .production),
            ("<key>get-task-allow</key><true/>", .production), ("", .production),
        ])
    func environment(entitlements: String, expected: APNsEnvironment) {
        let list =
            "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>Entitlements</key><dict>\(entitlements)</dict></dict></plist>"
        // A signature stands around the list, in bytes that are no text.
        let profile = Data([0x30, 0x82, 0xFF, 0x00]) + Data(list.utf8) + Data([0xA0, 0x82, 0x00])
        #expect(BundleFacts.environment(ofProfile: profile) == expected)
        #expect(BundleFacts.environment(ofProfile: nil) == .production)
        for damaged in [
            Data(), Data("<plist".utf8), Data("</plist><plist".utf8), profile.dropLast(20),
            Data("<plist></plist>".utf8),
        ] {
            #expect(BundleFacts.environment(ofProfile: damaged) == .production)
        }
    }

    @Test("what waits for a handler is bounded, the messages apart from the responses")
    func bounded() {
        var handOvers = HandOvers()
        let now = Timestamp(secondsSince1970: 1_800_000_000)
        let tap = HandOvers.Item(identifier: "tap", messageID: nil, userInfo: [:], reaction: .open)
        _ = handOvers.add(tap, at: now)
        for number in 0...AppLimits.unheard {
            _ = handOvers.add(HandOvers.Item(identifier: "m\(number)", messageID: nil, userInfo: [:]), at: now)
        }
        let kept = handOvers.keys.compactMap { handOvers[$0]?.identifier }
        #expect(kept.count == AppLimits.unheard + 1 && kept.prefix(2) == ["tap", "m1"])
    }
}
