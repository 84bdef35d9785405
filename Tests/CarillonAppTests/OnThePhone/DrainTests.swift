import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Foundation
import Testing

/// A flood of pushes: how much the SDK reads and writes for each, and how long all of them take.
@MainActor @Suite("A flood of pushes", .serialized) struct DrainTests {
    @Test(
        "costs few small appends, and nothing is read but what the extension has left",
        arguments: [false, true])
    func accesses(isInForeground: Bool) async throws {
        try await AppFixture.run { fixture in
            try await flood(fixture, isInForeground: isInForeground, pushCount: 20)
            let files = try #require(fixture.storeFiles)
            let before = files.counts
            for number in 0..<50 { try await fixture.visible("n\(number)") }
            try await fixture.settle()
            let counts = files.counts
            // Before the app's handler is called, and when it has returned; in the foreground also how it is shown.
            #expect(counts.appends - before.appends <= (isInForeground ? 150 : 100))
            #expect(counts.longestAppend < 4096)
            // What the extension has decided, and that its receipt was sent.
            #expect(counts.reads - before.reads <= 100)
            #expect(counts.writes == before.writes, "no snapshot")
            #expect(counts.appends > before.appends && counts.reads > before.reads, "they are counted")
        }
    }

    @Test(
        "how long it takes, in seconds of CPU",
        .enabled(if: pushCount != nil, "CARILLON_PUSHES=2000 measures"), arguments: [false, true])
    func measured(isInForeground: Bool) async throws {
        try await AppFixture.run { fixture in
            let start = clock()
            let count = try #require(Self.pushCount)
            try await flood(fixture, isInForeground: isInForeground, pushCount: count)
            let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
            print(
                "\(count) pushes, app \(isInForeground ? "in the foreground" : "in the background"): \(seconds) CPU s")
        }
    }

    nonisolated private static let pushCount = ProcessInfo.processInfo.environment["CARILLON_PUSHES"].flatMap {
        Int($0)
    }

    /// Pushes that the service extension handles first and the app then, which reports to the service.
    private func flood(_ fixture: AppFixture, isInForeground: Bool, pushCount: Int) async throws {
        fixture.countsStoreFiles = true
        try await HostExtension.suspended(fixture, HostExtension.Plan(service: fixture.service))
        if isInForeground { try await fixture.open() }
        for number in 0..<pushCount { try await fixture.visible("m\(number)") }
        try await fixture.settle()
        #expect(fixture.onScreen.count > 0)
    }
}
