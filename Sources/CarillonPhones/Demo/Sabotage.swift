import ArgumentParser

/// A part that is broken on purpose, to show that the demo detects it.
enum Sabotage: String, CaseIterable, ExpressibleByArgument {
    /// The simulated APNs stops listening after the phones are registered.
    case simulatorStopped = "simulator-stopped"
    /// The service signs with a key that APNs does not know.
    case keyCorrupted = "key-corrupted"
    /// The SDK inside the app ignores removals.
    case recallOff = "recall-off"
}
