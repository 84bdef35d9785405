/// The counts of a simulation, printed at its end.
struct SimulationTally: Sendable {
    private(set) var rounds = 0
    private(set) var messages = 0
    private(set) var pushes = 0
    /// Sends of a push after its first.
    private(set) var secondSends = 0
    private(set) var kills = 0
    private(set) var freezes = 0

    mutating func add(_ census: PushCensus, messages: Int, kills: Int, freezes: Int) {
        rounds += 1
        self.messages += messages
        pushes += census.taken.count
        secondSends += census.doubled.values.reduce(0) { $0 + $1 - 1 }
        (self.kills, self.freezes) = (kills, freezes)
    }

    var sentence: String {
        "\(rounds) rounds, \(messages) messages, \(pushes) pushes, \(kills) kills, \(freezes) standstills: "
            + "\(secondSends) pushes went twice, all of them counted"
    }
}
