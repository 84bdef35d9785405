import CarillonProve
import Foundation
import SDKWorld
import Testing

/// The SDK keeps its promises in every history up to a bound, which is small here; `make prove` goes further.
@Suite("Every history of the SDK")
struct SDKHistoryTests {
    private func explore(
        _ scenario: String, steps: Int, adversities: Int, compare: Bool = false
    ) throws -> Exploration<SDKWorld> {
        let world = try #require(SDKWorld(scenario: scenario, adversities: adversities))
        return Explorer(world, bound: .init(steps: steps), checksMerging: compare).explore()
    }

    private func expectKept(_ found: Exploration<SDKWorld>) {
        #expect(found.isWhole && found.stateCount > 15)
        for history in found.counterexamples.values { Issue.record("\(found.scenario):\n\(history.story)") }
    }

    @Test("no history of four steps without adversities breaks a promise", arguments: SDKWorld.scenarios)
    func calm(scenario: String) throws { expectKept(try explore(scenario, steps: 4, adversities: 0)) }

    @Test("no history of two steps with an adversity breaks a promise", arguments: SDKWorld.scenarios)
    func adverse(scenario: String) throws { expectKept(try explore(scenario, steps: 2, adversities: 1)) }

    @Test("states that count as equal go on equally", arguments: ["recalled alert", "sign-out", "replaced message"])
    func merging(scenario: String) throws {
        let found = try explore(scenario, steps: 3, adversities: 0, compare: true)
        #expect(found.counterexamples.isEmpty && found.comparedCount > 0)
    }

    @Test("every door is reached, with most of the verdicts on it")
    func doors() throws {
        let reached = try SDKWorld.scenarios.reduce(into: Set<String>()) { reached, scenario in
            reached.formUnion(try explore(scenario, steps: 3, adversities: 0).reached)
        }
        for door in DoorCase.doors { #expect(reached.contains { $0.hasPrefix("\(door): ") }, "\(door)") }
        #expect(reached.isSubset(of: DoorCase.all))
        #expect(reached.count >= 45, "Not reached: \(DoorCase.all.filter { !reached.contains($0) })")
    }

    @Test("each promise has a sentence, and a name of its own")
    func promises() {
        #expect(Set(Promise.allCases.map(\.sentence)).count == Promise.allCases.count)
        #expect(Promise.allCases.allSatisfy { $0.sentence.hasSuffix(".") })
    }

    /// The histories that a planted fault or an earlier state of the SDK broke.
    private static let saved: [URL] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Histories")
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
    }()

    @Test("a history that once broke a promise keeps it now", arguments: saved)
    func kept(file: URL) throws { #expect(try History<SDKWorld>(file: file).replay().broken.isEmpty) }

    @Test("there are such histories")
    func savedHistories() { #expect(Self.saved.count >= 4) }
}
