import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CarillonServer

/// A sender that stands still in the middle of its work, as in a suspended machine or a paused container, and goes on when
/// another has taken over.
@Suite("Senders that stand still for longer than their lease", .serialized, .timeLimit(.minutes(5)))
struct FrozenSenderTests {
    /// The time without a sign of life after which another sender takes over.
    private static let lease = Duration.seconds(10)

    struct Case: Sendable, CustomTestStringConvertible {
        let moment: FreezeMoment
        let isPostgreSQL: Bool

        var testDescription: String { "\(moment), \(isPostgreSQL ? "PostgreSQL" : "SQLite")" }
    }

    static let cases = [false, true].flatMap { isPostgreSQL in
        FreezeMoment.allCases.map { Case(moment: $0, isPostgreSQL: isPostgreSQL) }
    }

    @Test(
        "the other takes over, and the first writes no push of its former lease: nothing goes twice uncounted",
        arguments: LongTests.all(cases))
    func takenOver(_ each: Case) async throws {
        var address: String?
        if each.isPostgreSQL {
            let server = PostgreSQLForTests(suffix: "frozen-\(each.moment)")
            address = "postgres://carillon@/postgres?host=\(try await server.folder().path)"
        }
        let options = address == nil ? ["--lease", "\(Self.lease.components.seconds)"] : []
        // The answers that come meanwhile make room for pushes whose time is over.
        let streams = each.moment == .answering ? 8 : 1000
        try await SendingSystem.run(at: address, options: options, streams: streams) { system in
            let ids = (0..<8).map { "m-\($0)" }
            let first = try system.startSender()
            await first.untilSending()
            let hasCome = try await each.moment.stop(at: system.apns, within: .seconds(60), by: system.clock) {
                try await system.accept(ids)
            } freeze: {
                first.freeze()
            }
            #expect(hasCome)
            let second = try system.startSender()
            let isTakenOver = try await Self.takesOver(ids, in: system)
            let before = system.taken(Set(ids))
            if isTakenOver { #expect(await Self.end(second) == 0) }
            first.letGo()
            // What works again has written all that it was about to write.
            try await system.accept(["last"])
            try await system.untilDone(ids + ["last"])
            #expect(await first.interrupt() == 0)
            if !isTakenOver { #expect(await Self.end(second) == 0) }
            try await system.expectCounted(ids)
            let late = system.taken(Set(ids)).filter { $0.value > before[$0.key] ?? 0 }
            if isTakenOver { #expect(late.isEmpty, "\(late.count) of \(before.count) written after their lease") }
        }
    }

    /// - Returns: the exit status. Before a program says that it sends, an interrupt ends it as it ends any program.
    private static func end(_ sender: RunningProgram) async -> Int32 {
        await sender.untilSending()
        return await sender.interrupt()
    }

    /// Waits until another sender has sent everything.
    ///
    /// - Returns: whether it has. The one that stands still may have been stopped within a transaction, which nobody can end.
    private static func takesOver(_ ids: [String], in system: SendingSystem) async throws -> Bool {
        let end = system.clock.now + lease * 4
        while system.clock.now < end {
            if try await system.isDone(ids) { return true }
            await Task.yield()
        }
        return false
    }
}
