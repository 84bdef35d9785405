/// The counts of a simulation, printed at its end.
struct SimulationTally: Sendable {
    private(set) var rounds = 0
    private(set) var messages = 0
    private(set) var pushes = 0
    /// Sends of a push after its first.
    private(set) var secondSends = 0
    private(set) var kills = 0
    private(set) var freezes = 0
    private(set) var aimedFreezes = 0

    @MainActor
    mutating func add(_ census: PushCensus, messages: Int, of service: SimulatedService) {
        rounds += 1
        self.messages += messages
        pushes += census.taken.count
        secondSends += census.doubled.values.reduce(0) { $0 + $1 - 1 }
        (kills, freezes, aimedFreezes) = (service.kills, service.freezes, service.aimedFreezes)
    }

    var sentence: String {
        "\(rounds) rounds, \(messages) messages, \(pushes) pushes, \(kills) kills, \(freezes) standstills (\(aimedFreezes) at their moment): "
            + "\(secondSends) pushes went twice, all of them counted"
    }
}
