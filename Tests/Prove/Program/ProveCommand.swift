import ArgumentParser
import CarillonProve
import Foundation
import SDKWorld
import Synchronization

/// Plays every history that a bound allows, on the SDK's own decisions, and tells the shortest in which a promise breaks.
@main
struct ProveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove",
        abstract:
            "Plays every history up to a bound on the SDK's own decisions, and tells the shortest that breaks a promise.",
        discussion: """
            Without --scenario it plays all scenarios, one after another. Ctrl-C ends the search, and reports what was found so \
            far. The exit status is 1 if a promise breaks.
            """)

    @Option(help: "The greatest number of steps of a history.")
    var bound = 3

    @Option(help: "The greatest number of adversities in a history: pauses, endings, second deliveries, failures.")
    var adversities = SDKWorld.usualAdversities

    @Option(help: "The minutes after which the search ends, and reports what was found so far.")
    var minutes = 60.0

    @Option(help: "The number of states of a scenario after which its search ends, at 10 kB each.")
    var states = 1_000_000

    @Option(help: "The name of the only scenario to play.")
    var scenario: String?

    @Option(help: "The promise at whose first break the search of a scenario ends.")
    var promise: String?

    @Option(help: "The folder into which the histories are saved that break a promise.", completion: .directory)
    var output: String?

    @Option(help: "A saved history to play again, instead of a search.", completion: .file())
    var replay: String?

    @Flag(help: "Plays one of the states that count as equal too, and compares what follows.")
    var compare = false

    func validate() throws {
        guard bound > 0 else {
            throw ValidationError("--bound \(bound): a history has at least one step. Give 1 or more.")
        }
        guard adversities >= 0 else { throw ValidationError("--adversities \(adversities): give 0 or more.") }
        guard minutes > 0 else { throw ValidationError("--minutes \(minutes): give more than 0.") }
        guard states > 0 else { throw ValidationError("--states \(states): give 1 or more.") }
        if let promise, Promise(rawValue: promise) == nil {
            let names = Promise.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("there is no promise “\(promise)”. These are: \(names).")
        }
        guard let scenario, !SDKWorld.scenarios.contains(scenario) else { return }
        throw ValidationError(
            "there is no scenario “\(scenario)”. These are: \(SDKWorld.scenarios.joined(separator: ", ")).")
    }

    func run() throws {
        if let replay { return try play(URL(fileURLWithPath: replay)) }
        var report = SearchReport(bound: bound, adversities: adversities, output: output)
        Interruption.listen()
        let end = ContinuousClock.now + .seconds(minutes * 60)
        for name in scenario.map({ [$0] }) ?? SDKWorld.scenarios where !Interruption.isRequested {
            guard let world = SDKWorld(scenario: name, adversities: adversities) else { continue }
            let explorer = Explorer(world, bound: .init(steps: bound, states: states), checksMerging: compare)
            var progress = SearchProgress(name)
            let found = explorer.explore { so in
                progress.show(so)
                let isFound = promise.map { so.counterexamples[$0] != nil } ?? false
                return !isFound && !Interruption.isRequested && ContinuousClock.now < end
            }
            progress.end()
            try report.add(found)
        }
        report.end()
        if !report.isKept { throw ExitCode.failure }
    }

    private func play(_ file: URL) throws {
        let history = try History<SDKWorld>(file: file)
        let replay = try history.replay()
        print("Scenario: \(history.scenario)\n\(history.story)\n")
        print(replay.broken.isEmpty ? "The promise is kept now." : "The promise breaks.")
        if let departure = replay.departure { throw departure }
        if !replay.broken.isEmpty { throw ExitCode.failure }
    }
}

/// Whether the person has pressed Ctrl-C.
enum Interruption {
    private static let flag = Atomic(false)

    static func listen() { signal(SIGINT) { _ in Interruption.flag.store(true, ordering: .relaxed) } }

    static var isRequested: Bool { flag.load(ordering: .relaxed) }
}

/// The line that shows how far the search of a scenario is.
struct SearchProgress {
    private let name: String
    private let isTerminal = isatty(STDERR_FILENO) != 0
    private var shown = ContinuousClock.now

    init(_ name: String) { self.name = name }

    mutating func show(_ found: Exploration<SDKWorld>) {
        guard isTerminal, ContinuousClock.now - shown > .milliseconds(500) else { return }
        shown = .now
        write("\r\(name): \(found.depth) steps, \(found.stateCount) states, \(found.counterexamples.count) broken   ")
    }

    func end() { if isTerminal { write("\r\u{1B}[K") } }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

/// The report of all searches.
struct SearchReport {
    let bound: Int
    let adversities: Int
    let output: String?
    private(set) var isKept = true
    private var isWhole = true
    private var reached: Set<String> = []
    private var (stateCount, stepCount, historyCount) = (0, 0, 0.0)
    private let began = ContinuousClock.now

    init(bound: Int, adversities: Int, output: String?) {
        self.bound = bound
        self.adversities = adversities
        self.output = output
    }

    mutating func add(_ found: Exploration<SDKWorld>) throws {
        isWhole = isWhole && found.isWhole
        reached.formUnion(found.reached)
        stateCount += found.stateCount
        stepCount += found.stepCount
        historyCount += found.historyCount
        let extent =
            found.isWhole ? "all histories of at most \(bound) steps" : "not whole: all of at most \(found.depth) steps"
        print("\(found.scenario): \(found.stateCount) states, \(Self.text(found.historyCount)) histories (\(extent))")
        for (name, history) in found.counterexamples.sorted(by: { $0.key < $1.key }) {
            isKept = false
            // Only what happens again is a finding.
            _ = try history.replayExactly()
            print("\n\(history.story)\n")
            guard let output else { continue }
            let folder = URL(fileURLWithPath: output, isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appendingPathComponent("\(name) (\(found.scenario)).json")
            try history.save(to: file)
            print("Saved as \(file.path)")
        }
    }

    func end() {
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        let rate = Int(Double(stepCount) / max(seconds, 0.001))
        print(
            """

            Bounded: at most \(bound) steps and \(adversities) adversities in a history\(isWhole ? "" : ", and not all of them played").
            \(stateCount) states, \(stepCount) steps, \(Self.text(historyCount)) histories in \(Int(seconds)) s: \(rate) steps a second.
            """)
        let missing = DoorCase.all.filter { !reached.contains($0) }
        print("Doors by verdicts: \(DoorCase.all.count - missing.count) of \(DoorCase.all.count) reached.")
        if !missing.isEmpty { print("Not reached: \(missing.joined(separator: ", ")).") }
        print(isKept ? "No promise breaks within the bound." : "A promise breaks.")
    }

    private static func text(_ count: Double) -> String {
        count < 1e9 ? String(Int(count)) : String(format: "%.1e", count)
    }
}
