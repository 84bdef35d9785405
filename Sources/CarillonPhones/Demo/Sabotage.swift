import ArgumentParser

/// A fault that the demo causes on purpose, to show that its checks detect the fault.
enum Sabotage: String, CaseIterable, ExpressibleByArgument {
    /// The simulated APNs stops listening after the phones are registered.
    case simulatorStopped = "simulator-stopped"
    /// The service signs with a key that APNs does not know.
    case keyCorrupted = "key-corrupted"
    /// The SDK inside the app ignores removals.
    case recallOff = "recall-off"
}
