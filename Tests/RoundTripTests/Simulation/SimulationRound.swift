import CarillonCore

/// The steps of one round of the simulation, drawn from a seed.
///
/// Every fault comes in every round, at a place that is drawn; between them is what backends and people do.
struct SimulationRound: Sendable, Hashable {
    /// The number of users; phones are theirs in turn.
    static let users = 2
    static let phones = 4
    private static let messages = 16
    private static let changes = 10
    /// The most seconds by which a clock is set, either way.
    private static let clockSeconds = 5

    let steps: [SimulationStep]
    /// The milliseconds before each step.
    let pauses: [Int]

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let sends = (0..<Self.messages).map { _ in SimulationStep.send(Self.message(using: &generator)) }
        let others =
            (0..<Self.changes).map { _ in Self.change(using: &generator) } + Self.faults(using: &generator)
            + (0..<Self.phones * 2).map { _ in Self.person(using: &generator) }
        // A few messages come first, so that there is something to lose from the first fault on.
        steps = sends.prefix(4) + (sends.dropFirst(4) + others).shuffled(using: &generator)
        pauses = steps.map { _ in Int.random(in: 0...120, using: &generator) }
    }

    private static func message(using generator: inout SeededGenerator) -> SimulatedMessage {
        let user = Int.random(in: 0..<users * 2, using: &generator)
        let mode = ["visible", "visible", "silent"][Int.random(in: 0..<3, using: &generator)]
        return SimulatedMessage(user: user < users ? user : nil, mode: mode)
    }

    private static func change(using generator: inout SeededGenerator) -> SimulationStep {
        let message = Int.random(in: 0..<messages, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return .replace(message: message)
        case 1: return .read(message: message)
        default: return .recall(message: message)
        }
    }

    private static func person(using generator: inout SeededGenerator) -> SimulationStep {
        let phone = Int.random(in: 0..<phones, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .goOffline(phone: phone)
        case 1: return .goOnline(phone: phone)
        case 2: return .endApp(phone: phone)
        case 3: return .forceQuit(phone: phone)
        case 4: return .openApp(phone: phone)
        default: return .tap(phone: phone)
        }
    }

    private static func faults(using generator: inout SeededGenerator) -> [SimulationStep] {
        let sender = [SimulatedProgram.firstSender, .secondSender][Int.random(in: 0..<2, using: &generator)]
        let moment = FreezeMoment.allCases[Int.random(in: 0..<FreezeMoment.allCases.count, using: &generator)]
        let full = SimulatedProgram.allCases[Int.random(in: 0..<3, using: &generator)]
        let clocks = SimulatedProgram.allCases.map { program in
            SimulationStep.setClock(
                program, seconds: Int.random(in: -clockSeconds...clockSeconds, using: &generator))
        }
        return SimulatedProgram.allCases.map { .kill($0) } + clocks
            + APNsDisturbance.allCases.map { .disturbAPNs($0) } + [.freeze(sender, at: moment), .fillDisk(full)]
    }
}
