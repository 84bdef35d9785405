import BackgroundTasks
import CarillonDevice
import Foundation
import Testing
import UIKit

/// `BGTaskScheduler`: what an app submits runs when a test lets it.
@MainActor @Suite("Background tasks") struct BackgroundTaskTests {
    private let id = "com.example.task"
    private let refresh = "com.example.task.refresh"

    private func run(
        modes: Set<AppBundle.BackgroundMode> = [.fetch, .processing], permitted: Set<String>? = nil,
        completes: Bool? = true, _ body: @MainActor (AppUnderTest, CallLog) async throws -> Void
    ) async throws {
        let callLog = CallLog()
        var bundle = AppBundle(
            bundleID: id, name: "Task", backgroundModes: modes,
            makeDelegate: { ScheduledTaskApp(callLog, completes: completes) }
        )
        bundle.permittedTaskIdentifiers = permitted
        try await AppUnderTest.run(bundle) { app in
            try await app.open()
            try await body(app, callLog)
        }
    }

    @Test("a submitted task launches the app, runs once and is done")
    func runs() async throws {
        try await run { app, callLog in
            #expect(app.phone.system.scheduledTasks(of: id) == [refresh])
            try app.phone.system.terminate(id)
            let number = try await app.phone.system.runBackgroundTask(refresh, in: id)
            try await app.phone.settled()
            let wake = try #require(try app.entry(number).wake)
            #expect(wake.kind == .launched && wake.answer == .newData)
            #expect(callLog.lines == ["registered: true", "registered: true", "runs com.example.task.refresh"])
            let again = try await app.phone.system.runBackgroundTask("none", in: id)
            #expect(try app.entry(again).wake?.why == "not called: the app has submitted no task of this identifier")
        }
    }

    @Test(
        "a task that takes too long has its expiration handler called, and the app is terminated if that does not end it"
    )
    func expires() async throws {
        for ends in [false, true] {
            try await run(completes: ends ? nil : false) { app, callLog in
                try await app.suspend()
                let number = try await app.phone.system.runBackgroundTask(refresh, in: id)
                try await app.advance(by: .seconds(30))
                #expect(callLog.lines.last == "expired")
                #expect(app.state == (ends ? .suspended : .notRunning))
                #expect(try app.entry(number).wake?.answer == (ends ? .failed : .never))
            }
        }
    }

    @Test("what Info.plist does not permit is neither registered nor submitted; a force-quit app is not called")
    func refused() async throws {
        try await run(permitted: []) { app, callLog in
            #expect(callLog.lines == ["registered: false"] && app.phone.system.scheduledTasks(of: id) == [])
        }
        try await run(modes: []) { app, _ in #expect(app.phone.system.scheduledTasks(of: id) == []) }
        try await run { app, _ in
            try await app.forceQuit()
            let number = try await app.phone.system.runBackgroundTask(refresh, in: id)
            #expect(try app.entry(number).wake?.why.contains("force-quit") == true)
        }
    }
}

final class ScheduledTaskApp: UIResponder, UIApplicationDelegate {
    private let callLog: CallLog
    /// `nil`: only when the time is over.
    private let completes: Bool?

    init(_ callLog: CallLog, completes: Bool?) {
        self.callLog = callLog
        self.completes = completes
        super.init()
    }

    override convenience init() { self.init(CallLog(), completes: true) }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let name = "com.example.task.refresh"
        let isRegistered = BGTaskScheduler.shared.register(forTaskWithIdentifier: name, using: nil) {
            [callLog, completes] task in
            MainActor.assumeIsolated { callLog.write("runs \(task.identifier)") }
            if completes == true { return task.setTaskCompleted(success: true) }
            task.expirationHandler = { [weak task] in
                MainActor.assumeIsolated { callLog.write("expired") }
                if completes == nil { task?.setTaskCompleted(success: false) }
            }
        }
        callLog.write("registered: \(isRegistered)")
        try? BGTaskScheduler.shared.submit(BGAppRefreshTaskRequest(identifier: name))
        return true
    }
}
