import Foundation
import Testing

/// Plays each harness on its examples, so that the harnesses compile and hold when nobody runs the fuzzer.
@Suite("The fuzzer's harnesses")
struct SeedTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Seeds")

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
    }

    @Test("each has examples, and all examples have a harness")
    func folders() throws {
        #expect(try Self.names(in: Self.folder) == Harness.all.map(\.name).sorted())
    }

    @Test(
        "hold for their examples, for an empty input, and for examples that are cut off or doubled",
        arguments: Harness.all)
    func holds(_ harness: Harness) throws {
        let folder = Self.folder.appending(path: harness.name)
        let examples = try Self.names(in: folder).map { [UInt8](try Data(contentsOf: folder.appending(path: $0))) }
        #expect(!examples.isEmpty)
        for example in examples {
            [example, Array(example.prefix(example.count / 2)), example + example].forEach(harness.run)
        }
        harness.run([])
    }
}

func claimFailed(_ claim: String) { Issue.record("does not hold: \(claim)") }
