import CarillonProve
import Foundation
import TestSupport
import Testing

@Suite("A saved history")
struct HistoryTests {
    private func seven() throws -> History<CounterSystem> {
        let world = try #require(CounterSystem(scenario: "forbidden 7"))
        return try #require(Explorer(world, bound: .init(steps: 6)).explore().counterexamples["no-seven"])
    }

    /// Saves the history, changes the file's text, and reads it again.
    private func read(_ change: (String) -> String) throws -> History<CounterSystem> {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("history.json")
        try seven().save(to: file)
        try change(String(contentsOf: file, encoding: .utf8)).write(to: file, atomically: true, encoding: .utf8)
        return try History(file: file)
    }

    private func description(_ work: () throws -> Void) -> String {
        do {
            try work()
            return "no error"
        } catch {
            return "\(error)"
        }
    }

    @Test("it is played again in one line, and breaks the promise again")
    func replay() throws {
        #expect(try read { $0 }.replayExactly().broken.map(\.name) == ["no-seven"])
    }

    @Test("a file of a newer format says so")
    func newer() throws {
        let text = description { _ = try read { $0.replacing("\"format\" : 1", with: "\"format\" : 2") } }
        #expect(text == "the history has format 2, and this program reads formats up to 1. Use a newer Carillon.")
    }

    @Test("a file that is no history names the file")
    func noHistory() throws {
        let text = description { _ = try read { _ in "{}" } }
        #expect(text.hasPrefix("history.json is no history: ") && text.hasSuffix("Save one with `make prove`."))
    }

    @Test("a history that leaves its recorded way says at which step, and what happened instead")
    func departure() throws {
        let history = try read { $0.replacing("\"3\"", with: "\"30\"") }
        #expect(try history.replay().broken.count == 1, "it is played to its end all the same")
        let text = description { _ = try history.replayExactly() }
        #expect(
            text == """
                step 2 of the history goes another way than when it was recorded. Then: 30. Now: 3. The code has \
                changed since.
                """)
    }

    @Test("a step that is not possible any more is named")
    func impossible() throws {
        let history = try read { $0.replacing("\"step\" : \"add\"", with: "\"step\" : \"double\"") }
        let text = description { _ = try history.replay() }
        #expect(text.hasPrefix("step 4 of the history is not possible any more: “The counter shows 7.”"), "\(text)")
    }

    @Test("a scenario that is gone is named")
    func scenario() throws {
        let text = description { _ = try read { $0.replacing("forbidden 7", with: "forbidden 8") }.replay() }
        #expect(text == "there is no scenario “forbidden 8” any more. Search again with `make prove`.")
    }
}
