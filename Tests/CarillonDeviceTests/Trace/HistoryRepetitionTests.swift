import CarillonDevice
import Foundation
import TestSupport
import Testing

/// In a process of its own: there is one main queue, so how long a call of an app waits depends on what else runs there.
@MainActor @Suite("The history of a phone that is alone") struct HistoryRepetitionTests {
    /// Set in that process; the number of plays.
    nonisolated private static let seeds = ProcessInfo.processInfo.environment["CARILLON_HISTORY_SEEDS"].flatMap(
        UInt64.init)

    @Test("is the same twice for the same inputs, with 200 seeds")
    func aloneInAProcess() async throws {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let run = try await ProgramRun.of(
            URL(fileURLWithPath: "/usr/bin/env"),
            [
                "CARILLON_HISTORY_SEEDS=200", program, "--testing-library", "swift-testing", "--filter",
                "HistoryRepetitionTests/sameTwice",
            ])
        #expect(run.status == 0 && run.transcript.contains("1 test in 1 suite passed"), "\(run.transcript)")
    }

    @Test("is the same twice", .enabled(if: seeds != nil, "played by the other"))
    func sameTwice() async throws {
        var lengths: Set<Int> = []
        for seed in 1...max(1, Self.seeds ?? 1) {
            let (one, other) = (try await RandomRun.play(seed), try await RandomRun.play(seed))
            lengths.insert(one.count)
            guard one != other else { continue }
            let first = zip(one, other).first { $0 != $1 }
            Issue.record("seed \(seed): \(one.count) and \(other.count) events; first \(String(describing: first))")
            return
        }
        #expect(lengths.count > 20, "the plays are too much alike to say anything")
    }
}
