import CarillonDevice
import Ferry
import Foundation
import Testing

/// The whole way: a sender, APNs with its checks and its store, the phone's network, the app.
///
/// It needs the program `carillon`, with its path in the environment variable CARILLON.
@MainActor @Suite("Through the APNs simulator", .serialized, .enabled(if: SimulatorProgram.path != nil))
struct ThroughAPNsTests {
    private let late = #"{"aps": {"alert": "F7 is 20 minutes late"}}"#

    @Test("a push that was sent to the app's token while the phone was offline arrives when it is back")
    func storeAndForward() async throws {
        try await run { app, simulator, token in
            await app.phone.goOffline()
            let answer = try await simulator.push(late, to: token, collapseID: "F7")
            #expect(answer.hasPrefix("200"))
            #expect(app.notifications.isEmpty)
            await app.phone.goOnline()
            try await app.phone.until("the push is there") { $0.pushLog.first?.isFinished == true }
            #expect(app.notifications.map(\.request.identifier) == ["F7"])
        }
    }

    @Test("the token of an app that was deleted is Unregistered")
    func deletedApp() async throws {
        try await run { app, simulator, token in
            try await app.phone.uninstall(ferry.bundleID)
            let answer = try await simulator.push(late, to: token)
            #expect(answer.hasPrefix("410 Unregistered"))
        }
    }

    /// Runs a test with Ferry on a phone at a simulator of its own, with notifications allowed and a device token.
    private func run(_ body: @MainActor (AppUnderTest, SimulatorProgram, Data) async throws -> Void) async throws {
        let simulator = try await SimulatorProgram.start(topic: ferry.bundleID)
        defer { simulator.stop() }
        let link = AdminPushLink(adminURL: simulator.adminURL, clock: SystemClock())
        try await AppUnderTest.run(ferry, link: link) { app in
            try await app.openAndAllow()
            try await app.phone.until("the app has its token") { $0.deviceToken(of: ferry.bundleID) != nil }
            try await body(app, simulator, #require(app.phone.deviceToken(of: ferry.bundleID)))
        }
    }
}
