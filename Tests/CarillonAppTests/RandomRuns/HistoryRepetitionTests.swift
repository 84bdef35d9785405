import CarillonCore
import Foundation
import TestSupport
import Testing

/// Each time in a process of its own: what a process knows of others, of its machine, or of what it has done before, must
/// change nothing.
@MainActor @Suite("The history of a phone with Chime") struct HistoryRepetitionTests {
    /// In a process that plays: where the histories go, and in which order they are played.
    nonisolated private static let folder = ProcessInfo.processInfo.environment["CARILLON_HISTORY_FOLDER"]
    nonisolated private static let isReversed = ProcessInfo.processInfo.environment["CARILLON_HISTORY_REVERSED"] != nil
    /// In a process that plays: those that it was given.
    private static let seeds = Seeds(
        fixed: Array(1...50) + [293_077_939, 665_232_232, 924_688_440], drawn: 147,
        filter: "CarillonAppTests.HistoryRepetitionTests")

    @Test("is the same in two processes for the same inputs, with 200 seeds")
    func inTwoProcesses() async throws {
        let (one, other) = (try TemporaryFolder(), try TemporaryFolder())
        async let first: Void = Self.process(into: one, [])
        // Another machine, which has played the others before.
        async let second: Void = Self.process(
            into: other, ["CARILLON_HISTORY_REVERSED=1", "LANG=ar_EG.UTF-8", "TZ=Asia/Kolkata"])
        _ = try await (first, second)
        var differences: [String] = []
        var lengths: Set<Int> = []
        for seed in Self.seeds.all {
            let texts = try [one, other].map { try String(contentsOf: Self.file(seed, in: $0.url), encoding: .utf8) }
            lengths.insert(texts[0].count)
            guard texts[0] != texts[1] else { continue }
            differences.append("\(Self.seeds.again(seed))\(Self.difference(texts[0], texts[1]))")
        }
        #expect(lengths.count > Self.seeds.all.count / 2, "the histories are too much alike to say anything")
        #expect(
            differences.isEmpty,
            "\(differences.count) of \(Self.seeds.all.count) differ:\n\(differences.prefix(3).joined(separator: "\n"))")
    }

    /// The first line in which two histories differ, and some before it.
    private static func difference(_ one: String, _ other: String) -> String {
        let lines = [one, other].map { $0.components(separatedBy: "\n") }
        let number =
            zip(lines[0], lines[1]).enumerated().first { $1.0 != $1.1 }?.offset ?? lines.map(\.count).min() ?? 0
        let excerpts = lines.map { $0.dropFirst(max(0, number - 3)).prefix(4).joined(separator: "\n") }
        return "\nline \(number + 1):\n\(excerpts[0])\n— or —\n\(excerpts[1])"
    }

    private static func process(into folder: TemporaryFolder, _ environment: [String]) async throws {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let run = try await ProgramRun.of(
            URL(fileURLWithPath: "/usr/bin/env"),
            environment + [
                "CARILLON_HISTORY_FOLDER=\(folder.url.path)", "CARILLON_SEED=\(seeds.text)", program,
                "--testing-library", "swift-testing", "--filter", "HistoryRepetitionTests/isPlayed",
            ])
        #expect(run.status == 0 && run.transcript.contains("1 test in 1 suite passed"), "\(run.transcript)")
    }

    @Test("is played", .enabled(if: folder != nil, "played by the other"))
    func isPlayed() async throws {
        let folder = URL(filePath: try #require(Self.folder), directoryHint: .isDirectory)
        for seed in Self.isReversed ? Self.seeds.all.reversed() : Self.seeds.all {
            let text = try await HistoryRun.play(seed)
            try text.write(to: Self.file(seed, in: folder), atomically: false, encoding: .utf8)
        }
    }

    nonisolated private static func file(_ seed: UInt64, in folder: URL) -> URL {
        folder.appending(path: "\(seed).txt")
    }
}
