import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@MainActor @Suite("Code that runs later") struct AsyncCallTests {
    private let id = TestPhone.bundleID

    /// Three phones set out; each comes back to itself.
    private func expectReturn(
        _ setOut: @escaping @MainActor @Sendable (@escaping @Sendable () -> Void) -> Void
    ) async throws {
        var phones: [TestPhone] = []
        for _ in 0..<3 {
            let test = TestPhone()
            try await test.openPermitted { AskingApp($0) }
            phones.append(test)
            await test.phone.run(in: id) { setOut { UNUserNotificationCenter.current().setBadgeCount(3) } }
        }
        for test in phones {
            try await test.phone.until("its app has badged itself") { $0.badge(of: TestPhone.bundleID) == 3 }
        }
        for test in phones { await test.finish() }
    }

    @Test("finds its own phone among several, in a file that imports UIKit", arguments: AsyncCall.allCases)
    func call(_ call: AsyncCall) async throws { try await expectReturn { call.perform($0) } }

    @Test(
        "finds its own phone in a file that imports Foundation as well", arguments: AsyncCallBesideFoundation.allCases)
    func besideFoundation(_ call: AsyncCallBesideFoundation) async throws {
        try await expectReturn { call.perform($0) }
    }

    @Test("an observer hears what its own app posts and what nobody's does, and nothing once its app has ended")
    func observers() async throws {
        let name = Notification.Name("AsyncCallTests.observers")
        try await TestPhone.run { one in
            try await TestPhone.run { two in
                let heard = [CallLog(), CallLog()]
                for (test, callLog) in zip([one, two], heard) {
                    try await test.openPermitted { AskingApp($0) }
                    await test.phone.run(in: id) {
                        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { note in
                            let text = note.object as? String ?? ""
                            MainActor.assumeIsolated { callLog.write(text) }
                        }
                    }
                }
                await one.phone.run(in: id) { NotificationCenter.default.post(name: name, object: "one") }
                NotificationCenter.default.post(name: name, object: "nobody")
                try one.phone.system.terminate(id)
                NotificationCenter.default.post(name: name, object: "after the end")
                try await two.phone.settled()
                #expect(heard[0].lines == ["one", "nobody"])
                #expect(heard[1].lines == ["nobody", "after the end"])
            }
        }
    }
}
