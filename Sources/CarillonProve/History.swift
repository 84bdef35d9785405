import Foundation

/// A history that breaks a promise: the steps, and what happened at each when it was recorded.
package struct History<World: ExploredSystem>: Sendable {
    /// The version of the file's format that this program writes.
    package static var currentFormat: Int { 1 }

    /// The name of the scenario in which the history begins.
    package let scenario: String
    /// The promise that breaks.
    package let promise: BrokenPromise
    /// Whether the promise breaks only when everything has come to an end.
    package let isAtEnd: Bool
    /// The recorded steps.
    package let steps: [RecordedStep<World.Step>]
    /// The recorded end; `nil` if the promise breaks at the last step.
    package let end: Recorded?

    /// Plays the steps with these numbers, and records what happens.
    init(_ start: World, choices: [Int], _ promise: BrokenPromise, isAtEnd: Bool) {
        var world = start
        scenario = start.scenario
        self.promise = promise
        self.isAtEnd = isAtEnd
        steps = choices.map { choice in
            let step = world.steps[choice]
            return RecordedStep(step: step, happened: Recorded(world.take(step)))
        }
        end = isAtEnd ? Recorded(world.ending()) : nil
    }

    /// The story: one numbered line a step, and a last line that says which promise broke.
    package var story: String {
        var lines = steps.enumerated().map { "\($0 + 1). \($1.happened.sentence)" }
        if let end { lines.append("At last: \(end.sentence)") }
        lines.append("Broken: \(promise.name). \(promise.reason)")
        return lines.joined(separator: "\n")
    }

    /// Plays the history again, step by step.
    ///
    /// - Returns: the promises that break now, and the first step at which something else happened than was recorded.
    /// - Throws: ``HistoryError`` if there is no such scenario, or if a step is not possible any more.
    package func replay() throws(HistoryError) -> Replay {
        guard var world = World(scenario: scenario) else { throw .unknownScenario(scenario) }
        var replay = Replay()
        for (index, recorded) in steps.enumerated() {
            guard world.steps.contains(recorded.step) else {
                throw .stepIsImpossible(number: index + 1, recorded.happened.sentence)
            }
            replay.note(world.take(recorded.step), recorded.happened, number: index + 1)
        }
        if let end { replay.note(world.ending(), end, number: steps.count + 1) }
        return replay
    }

    /// Plays the history again, and requires that it happens as it was recorded.
    ///
    /// - Throws: ``HistoryError/leftTheRecordedWay(number:recorded:happened:)`` at the first difference.
    package func replayExactly() throws(HistoryError) -> Replay {
        let replay = try replay()
        if let departure = replay.departure { throw departure }
        return replay
    }
}

/// A step of a history, with what happened when it was recorded.
package struct RecordedStep<Step: Codable & Hashable & Sendable>: Sendable, Hashable, Codable {
    /// The step.
    package let step: Step
    /// The sentence and the effects of the step.
    package let happened: Recorded
}

/// The sentence and the effects of a step, as recorded.
package struct Recorded: Sendable, Hashable, Codable {
    /// The sentence of the story.
    package let sentence: String
    /// The visible effects.
    package let effects: [String]

    init(_ report: StepReport) { (sentence, effects) = (report.sentence, report.effects) }
}

/// The result of playing a history again.
package struct Replay: Sendable {
    /// The promises that broke.
    package private(set) var broken: [BrokenPromise] = []
    /// The first difference from the recorded history; `nil` if there is none.
    package private(set) var departure: HistoryError?

    mutating func note(_ report: StepReport, _ recorded: Recorded, number: Int) {
        broken += report.broken
        guard departure == nil, report.effects != recorded.effects else { return }
        departure = .leftTheRecordedWay(number: number, recorded: recorded.effects, happened: report.effects)
    }
}

/// The reason why a history cannot be read or played.
package enum HistoryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file has no history.
    case unreadable(file: String, reason: String)
    /// The file's format is newer than this program.
    case newerFormat(Int, newest: Int)
    /// There is no scenario of this name.
    case unknownScenario(String)
    /// A step is not possible any more.
    case stepIsImpossible(number: Int, String)
    /// Something else happened at a step than was recorded.
    case leftTheRecordedWay(number: Int, recorded: [String], happened: [String])

    package var description: String {
        switch self {
        case .unreadable(let file, let reason):
            "\(file) is no history: \(reason). Save one with `make prove`."
        case .newerFormat(let format, let newest):
            "the history has format \(format), and this program reads formats up to \(newest). Use a newer Carillon."
        case .unknownScenario(let name):
            "there is no scenario “\(name)” any more. Search again with `make prove`."
        case .stepIsImpossible(let number, let sentence):
            "step \(number) of the history is not possible any more: “\(sentence)” The code has changed since: search again."
        case .leftTheRecordedWay(let number, let recorded, let happened):
            """
            step \(number) of the history goes another way than when it was recorded. \
            Then: \(Self.list(recorded)). Now: \(Self.list(happened)). The code has changed since.
            """
        }
    }

    private static func list(_ effects: [String]) -> String {
        effects.isEmpty ? "nothing" : effects.joined(separator: "; ")
    }
}

extension History: Codable {
    private enum Key: String, CodingKey { case format, scenario, promise, isAtEnd, steps, end }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let format = try values.decode(Int.self, forKey: .format)
        guard format <= Self.currentFormat else {
            throw HistoryError.newerFormat(format, newest: Self.currentFormat)
        }
        scenario = try values.decode(String.self, forKey: .scenario)
        promise = try values.decode(BrokenPromise.self, forKey: .promise)
        isAtEnd = try values.decode(Bool.self, forKey: .isAtEnd)
        steps = try values.decode([RecordedStep<World.Step>].self, forKey: .steps)
        end = try values.decodeIfPresent(Recorded.self, forKey: .end)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(Self.currentFormat, forKey: .format)
        try values.encode(scenario, forKey: .scenario)
        try values.encode(promise, forKey: .promise)
        try values.encode(isAtEnd, forKey: .isAtEnd)
        try values.encode(steps, forKey: .steps)
        try values.encodeIfPresent(end, forKey: .end)
    }

    /// Reads a history from a file.
    package init(file: URL) throws(HistoryError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
        } catch let error as HistoryError {
            throw error
        } catch {
            throw .unreadable(file: file.lastPathComponent, reason: "\(error)")
        }
    }

    /// Writes the history to a file, as JSON with sorted keys.
    package func save(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: file)
    }
}
