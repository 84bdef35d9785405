import CarillonDevice
import Foundation
import TestSupport
import Testing

/// In a process of its own: there is one main queue, so how long a call of an app waits depends on what else runs there.
@MainActor @Suite("The history of a phone that is alone") struct HistoryRepetitionTests {
    /// Set in that process.
    nonisolated private static let isAlone = ProcessInfo.processInfo.environment["CARILLON_HISTORY_ALONE"] != nil
    /// In that process those that it was given.
    private static let seeds = Seeds(fixed: 1...50, drawn: 150, filter: "CarillonDeviceTests.HistoryRepetitionTests")

    @Test("is the same twice for the same inputs, with 200 seeds")
    func aloneInAProcess() async throws {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let run = try await ProgramRun.of(
            URL(fileURLWithPath: "/usr/bin/env"),
            [
                "CARILLON_HISTORY_ALONE=1", "CARILLON_SEED=\(Self.seeds.text)", program, "--testing-library",
                "swift-testing", "--filter",
                "HistoryRepetitionTests/sameTwice",
            ])
        #expect(run.status == 0 && run.transcript.contains("1 test in 1 suite passed"), "\(run.transcript)")
    }

    @Test("is the same twice", .enabled(if: isAlone, "played by the other"))
    func sameTwice() async throws {
        var lengths: Set<Int> = []
        for seed in Self.seeds.all {
            let (one, other) = (try await RandomRun.play(seed), try await RandomRun.play(seed))
            lengths.insert(one.count)
            guard one != other else { continue }
            let first = zip(one, other).first { $0 != $1 }
            Issue.record(
                "\(one.count) and \(other.count) events; first \(String(describing: first)); \(Self.seeds.again(seed))")
            return
        }
        #expect(lengths.count > Self.seeds.all.count / 10, "the plays are too much alike to say anything")
    }
}
