import CarillonApp
import CarillonBanner
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Foundation
import Testing
import UIKit

@MainActor @Suite("What the documentation shows") struct DocumentedCode {
    @Test("beside Firebase each gets what is its own, and both get the device token")
    func firebase() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            let carillon = try #require(fixture.app?.carillon)
            let chain = Carillon.DelegateChain(clock: fixture.clock, report: { _ in })
            var settings = 0
            besideFirebase(chain, carillon) { settings += 1 }
            chain.didRegisterForRemoteNotifications(withDeviceToken: Data([1, 2, 3]))
            chain.didFailToRegisterForRemoteNotifications(withError: URLError(.notConnectedToInternet))
            chain.openSettings(for: nil)
            var answers: [UIBackgroundFetchResult] = []
            chain.didReceiveRemoteNotification(["gcm.message_id": "1"]) { answers.append($0) }
            #expect(Messaging.messaging().apnsToken == Data([1, 2, 3]) && Messaging.messaging().received == 1)
            #expect(answers == [.newData] && settings == 1)
            let told = fixture.log.all.filter { if case .noDeviceToken = $0 { true } else { false } }
            #expect(told.count == 1)
        }
    }

    @Test("one service extension hands each of two SDKs its own", arguments: [true, false])
    func twoExtensions(isOurs: Bool) async throws {
        try await AppFixture.run { fixture in
            fixture.install(try fixture.plan(), makeServiceExtension: { SharedNotificationService() })
            try fixture.phone.settings.setNotificationsAllowed(true, for: AppFixture.bundleID)
            var payload: [String: JSONValue] = ["aps": ["alert": "A", "mutable-content": 1]]
            payload[isOurs ? "carillon" : "other"] = isOurs ? ["v": 1, "id": "m1"] : 1
            try await fixture.push(.object(payload), type: .alert, collapseID: "m1")
            let shown = fixture.phone.deliveredNotifications(of: AppFixture.bundleID).first
            #expect(shown?.request.content.subtitle == (isOurs ? "" : "by the other SDK"))
        }
    }

    @Test("a banner's body may be the app's own: its words and its height are there")
    func ownBody() async throws {
        try await AppUnderTest.run({ BrandApp() }) { app in
            try await app.open()
            try await app.advance(by: .seconds(1))
            #expect(app.texts.contains("In our own colours"))
            let tree = try #require(app.phone.screen.viewTree(of: app.bundleID))
            #expect(tree.first { $0.frame.height == 44 && $0.cornerRadius == 12 } != nil)
        }
    }
}
