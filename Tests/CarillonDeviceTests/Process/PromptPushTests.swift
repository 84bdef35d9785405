import CarillonCore
import Foundation
import Testing
import UIKit
@_spi(Simulation) import UserNotifications

@testable import CarillonDevice

/// Responds to silent pushes within the call.
@MainActor private final class PromptApp: CallLoggingResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        callLog.write("push \(userInfo["number"] as? Int ?? 0)")
        completionHandler(.newData)
    }
}

@MainActor @Suite("A push whose app responds at once") struct PromptPushTests {
    private func push(_ number: Int64) throws -> IncomingPush {
        try TestPhone.push(["aps": ["content-available": 1], "number": .int(number)], type: .background)
    }

    @Test("is handled as it arrives, in no task, though its app waits for its turn")
    func atOnce() async throws {
        try await TestPhone.run { test in
            try await test.openPermitted { PromptApp($0) }
            try await test.phone.settled()
            test.phone.pushes.arrived(try push(1))
            #expect(test.phone.pushLog.map(\.wake?.kind) == [.called])
            // What the app has said to the first goes before the second.
            test.phone.pushes.arrived(try push(2))
            #expect(test.phone.kernel.tasks.labels == ["push 1 for app.chime", "push 2 for app.chime"])
            try await test.phone.settled()
            #expect(test.callLog.lines == ["push 1", "push 2"])
            #expect(test.phone.kernel.tasks.isEmpty)
        }
    }

    @Test("waits for a round where an app's code has it arrive, so that it is not handled as that app")
    func byAnApp() async throws {
        try await TestPhone.run { test in
            try await test.openPermitted { PromptApp($0) }
            let push = try push(1)
            await test.phone.run(in: TestPhone.bundleID) {
                test.phone.pushes.arrived(push)
                #expect(test.phone.pushLog.map(\.wake) == [nil])
            }
            try await test.phone.settled()
            #expect(test.callLog.lines == ["push 1"])
        }
    }

    @Test("leaves nothing behind in the app's process")
    func leavesNothing() async throws {
        try await TestPhone.run { test in
            try await test.openPermitted { PromptApp($0) }
            for number in 1...3 as ClosedRange<Int64> { _ = await test.phone.receive(try push(number)) }
            try await test.phone.settled()
            let process = try #require(test.phone.life.process(of: TestPhone.bundleID))
            #expect(process.endActions.isEmpty)
        }
    }

    @Test("has its userInfo made once, and only when somebody asks for it")
    func userInfo() {
        let count = LockedValue(0)
        let content = UNMutableNotificationContent()
        content.promiseUserInfo {
            count.value += 1
            return ["number": 7]
        }
        let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
        #expect(count.value == 0)
        for _ in 0..<2 { #expect(request.content.userInfo["number"] as? Int == 7) }
        #expect(content.userInfo["number"] as? Int == 7)
        #expect(count.value == 1)
        content.userInfo = [:]
        #expect(request.content.userInfo.count == 1)
    }
}
