import ArgumentParser
import CarillonCore
import CarillonSimulator
import CommandSupport
import Foundation
import UnixSignals

/// `carillon check-sender`: plays the situations of a sender's life to a sender in any language.
struct CheckSenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-sender",
        abstract: "Checks a sender of pushes, in any language, in the situations that APNs puts it into.",
        discussion: """
            Runs COMMAND once for each situation, against a simulated APNs of its own. The command must send one alert to \
            each device token in $APNS_DEVICE_TOKENS (separated by spaces), and end. It finds APNs by $APNS_URL, \
            $APNS_HOST and $APNS_PORT, trusts $APNS_CA, signs with $APNS_KEY, $APNS_KEY_ID and $APNS_TEAM_ID (or, \
            where these are absent, uses $APNS_CERTIFICATE), and sends $APNS_PAYLOAD to the topic $APNS_TOPIC. A \
            sender with a payload of its own, or without certificates, is not judged in the situations about them. The \
            requests that come are what counts; its exit status counts where a push did not arrive.

            Exit status: 0 when the sender did in every situation what it should, 1 when it did not, 2 when COMMAND \
            reached APNs in no situation, 64 for a wrong option.

            Examples:
              carillon check-sender -- python3 send.py
              carillon check-sender --only goaway --only refused-stream --output -- ./my-sender
              carillon check-sender --json -- node send.mjs > report.json
              carillon check-sender --html report.html -- node send.mjs
              carillon check-sender --list
            """)

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The sender, with its arguments.", valueName: "command"))
    var command: [String] = []

    @Option(help: ArgumentHelp("A situation to play; can be repeated. (default: all)", valueName: "name"))
    var only: [String] = []

    @Option(help: ArgumentHelp("How many seconds COMMAND may take in a situation.", valueName: "s"))
    var timeout = 30

    @Flag(help: "List the situations, with what is asked of a sender and by whom.")
    var list = false

    @Flag(help: "Show the command's output.")
    var output = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @Option(help: ArgumentHelp("Write the report as a page for a browser or a printer, too.", valueName: "file"))
    var html: String?

    func validate() throws {
        guard list || !command.isEmpty else {
            throw ValidationError("the sender's command is missing: carillon check-sender -- COMMAND ARGUMENTS")
        }
        guard (1...3600).contains(timeout) else { throw ValidationError("--timeout must be between 1 and 3600") }
        let names = SenderSituation.all.map(\.name)
        if let unknown = only.first(where: { !names.contains($0) }) {
            throw ValidationError("--only \(unknown): there are \(names.joined(separator: ", "))")
        }
    }

    func run() async throws {
        let situations = SenderSituation.all.filter { only.isEmpty || only.contains($0.name) }
        guard !list else { return try StandardOutput.write(situations.map(Self.description).joined(separator: "\n")) }
        // A mistake here should not show after minutes of playing.
        try html.map { try Self.write("", to: $0) }
        let start = SystemClock().now
        // A signal ends the sender with the command, and removes the simulator's folder.
        let verdicts = try await withThrowingTaskGroup(of: [SenderVerdict].self) { group in
            group.addTask { try await play(situations) }
            group.addTask {
                for await signal in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup) {
                    throw ExitCode(128 + signal.rawValue)
                }
                return []
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
        try html.map { path in
            try Self.write(SenderReportPage(command: command, verdicts: verdicts, date: start).text, to: path)
        }
        try report(verdicts)
    }

    private static func write(_ page: String, to path: String) throws {
        do {
            try Data(page.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw ValidationError("--html \(path): cannot be written (\(error.localizedDescription))")
        }
    }

    private func play(_ situations: [SenderSituation]) async throws -> [SenderVerdict] {
        let trial = SenderTrial(
            command: command, timeLimit: .seconds(timeout), clock: SystemClock(), showsOutput: output)
        var verdicts: [SenderVerdict] = []
        for situation in situations {
            let verdict = try await verdict(on: situation, by: trial)
            verdicts.append(verdict)
            if !json { try StandardOutput.write(verdict.text) }
        }
        return verdicts
    }

    private func verdict(on situation: SenderSituation, by trial: SenderTrial) async throws -> SenderVerdict {
        do {
            return SenderVerdict(situation, try await trial.run(situation))
        } catch let error as SimulatorError where situation.needsIPv6 {
            return SenderVerdict(situation, obstacle: "this machine cannot: \(error.description)")
        }
    }

    private func report(_ verdicts: [SenderVerdict]) throws {
        let played = verdicts.filter(\.isPlayed)
        let good = played.count(where: \.isGood)
        if json {
            try StandardOutput.write(
                json: try JSONValue.object([
                    "command": .array(command.map(JSONValue.string)), "situations": .array(verdicts.map(\.json)),
                    "good": .int(Int64(good)),
                ]).encoded(pretty: true))
        } else {
            let rest = verdicts.count - played.count
            try StandardOutput.write(
                "\n\(good) of \(played.count) situations handled" + (rest > 0 ? ", \(rest) not played" : ""))
        }
        guard verdicts.contains(where: \.hasReachedAPNs) else { throw ExitCode(2) }
        guard good == played.count else { throw ExitCode.failure }
    }

    private static func description(of situation: SenderSituation) -> String {
        """
        \(situation.name): \(situation.story)
          \(situation.demand)
          \(situation.source)
        """
    }
}

/// The findings about a sender in one situation.
struct SenderVerdict {
    let situation: SenderSituation
    /// The sender's requests; `nil` for a situation that this machine cannot play.
    let observation: SenderObservation?
    /// The faults of the sender, each as a sentence; of a situation that was not played, the reason.
    let findings: [String]
    /// Whether the sender was put into the situation, and can be judged in it.
    let isPlayed: Bool

    init(_ situation: SenderSituation, _ observation: SenderObservation) {
        let obstacle = situation.obstacle(observation)
        (self.situation, self.observation, isPlayed) = (situation, observation, obstacle == nil)
        findings = obstacle.map { ["not played: \($0)"] } ?? situation.findings(observation)
    }

    /// Makes the verdict on a situation that could not be played, because of an obstacle on this machine.
    init(_ situation: SenderSituation, obstacle: String) {
        (self.situation, observation, isPlayed) = (situation, nil, false)
        findings = ["not played: \(obstacle)"]
    }

    var isGood: Bool { findings.isEmpty }
    var hasReachedAPNs: Bool { observation.map { $0.connectionCount > 0 } ?? false }

    /// The line of the report; for a sender that did something wrong, also what is asked of it.
    var text: String {
        guard !isGood else { return "✔ \(situation.story)" }
        let lines = findings.map { "    \($0)" }
        guard isPlayed else { return (["– \(situation.story)  [\(situation.name)]"] + lines).joined(separator: "\n") }
        return
            (["✘ \(situation.story)  [\(situation.name)]"] + lines + [
                "    asked for: \(situation.demand)", "    \(situation.source)",
            ]).joined(separator: "\n")
    }

    var json: JSONValue {
        let status: JSONValue =
            switch observation?.ending {
            case .exited(let status): .int(Int64(status))
            case .ranOutOfTime, nil: .null
            }
        return [
            "name": .string(situation.name), "story": .string(situation.story), "demand": .string(situation.demand),
            "source": .string(situation.source), "good": .bool(isGood), "played": .bool(isPlayed),
            "findings": .array(findings.map(JSONValue.string)),
            "did": observation.map { .string($0.account) } ?? .null,
            "requests": .int(Int64(observation?.requests.count ?? 0)),
            "connections": .int(Int64(observation?.connectionCount ?? 0)), "exit_status": status,
        ]
    }
}
