/// Why a simulation cannot go on, or what it has found, in a sentence.
struct SimulationFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
