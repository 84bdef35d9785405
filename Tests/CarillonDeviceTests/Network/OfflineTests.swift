import CarillonCore
import CarillonDevice
import Foundation
import FoundationNetworking
import Testing
import UIKit

/// Asks a server for something whenever it becomes active.
final class FetchingApp: UIResponder, UIApplicationDelegate {
    let callLog: CallLog
    let url: URL

    init(_ callLog: CallLog, _ url: URL) {
        self.callLog = callLog
        self.url = url
        super.init()
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        let url = url
        Task { @MainActor [callLog] in
            do {
                _ = try await URLSession.shared.data(from: url)
                callLog.write("loaded")
            } catch let error as URLError {
                callLog.write(error.code == .notConnectedToInternet ? "not connected" : "refused")
            } catch {
                callLog.write("\(error)")
            }
            UIApplication.shared.applicationIconBadgeNumber += 1
        }
    }
}

@MainActor @Suite("An offline phone") struct OfflineTests {
    @Test("an app's request fails as in aeroplane mode, and one from outside of the phone does not")
    func requests() async throws {
        // Nothing listens on port 9 of the loopback: a request that is let through is refused at once.
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        try await TestPhone.run { test in
            try test.installPermitted { FetchingApp($0, url) }
            await test.phone.goOffline()
            try await test.phone.openApp(TestPhone.bundleID)
            try await test.phone.until("the app has noticed") { $0.badge(of: TestPhone.bundleID) == 1 }
            #expect(test.callLog.lines == ["not connected"])
            do {
                _ = try await URLSession.shared.data(from: url)
                Issue.record("nothing can listen on port 9")
            } catch let error as URLError {
                #expect(error.code != .notConnectedToInternet)
            }
            await test.phone.goOnline()
            await test.phone.pressHome()
            try await test.phone.openApp(TestPhone.bundleID)
            try await test.phone.until("the app has noticed") { $0.badge(of: TestPhone.bundleID) == 2 }
            #expect(test.callLog.lines == ["not connected", "refused"])
        }
    }

    @Test("a token that was asked for offline comes once there is a network")
    func token() async throws {
        let link = TokenLink()
        try await TestPhone.run(link: link) { test in
            await test.phone.boot()
            #expect(link.isConnected)
            await test.phone.goOffline()
            #expect(!link.isConnected)
            try await test.openAllowed()
            #expect(test.phone.deviceToken(of: TestPhone.bundleID) == nil)
            await test.phone.goOnline()
            try await test.phone.settled()
            #expect(test.phone.deviceToken(of: TestPhone.bundleID)?.count == 40)
            #expect(test.callLog.contains("token: 40 bytes"))
        }
    }
}
