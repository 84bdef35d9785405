import CarillonDevice
import Dispatch
import Swift4App
import Testing
import UIKit
import UserNotifications

/// `beginBackgroundTask` and `endBackgroundTask` as code of Swift 5 calls them: where the work is.
@MainActor @Suite("Background tasks off the main queue") struct OffMainTaskTests {
    @Test("begin and end on whatever thread there is, and the app is suspended when all have ended")
    func offMain() async throws {
        try await AppUnderTest.run(asking: { WorkingApp($0) }) { app, callLog in
            try await app.openAndAllow()
            try await app.phone.until("the work is done") { _ in callLog.lines.count == WorkingApp.count }
            await app.phone.pressHome()
            // A task that had not ended would keep the app running for 30 seconds.
            try await app.advance(by: .seconds(10))
            #expect(app.phone.runningState(of: app.bundleID) == .suspended)
        }
    }
}

private final class WorkingApp: UIResponder, UIApplicationDelegate {
    static let count = 200
    private let callLog: CallLog
    private let queue = DispatchQueue(label: "work", attributes: .concurrent)

    init(_ callLog: CallLog) {
        self.callLog = callLog
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        let worked: @Sendable () -> Void = { [callLog] in Task { @MainActor in callLog.write("worked") } }
        for _ in 0..<Self.count { work(for: application, on: queue, worked) }
        return true
    }
}
