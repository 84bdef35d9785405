import ArgumentParser

/// Something broken on purpose, so that one can see the demo notice.
enum Sabotage: String, CaseIterable, ExpressibleByArgument {
    /// The simulated APNs goes away after the phones are registered.
    case simulatorStopped = "simulator-stopped"
    /// The service signs with a key that APNs does not know.
    case keyCorrupted = "key-corrupted"
    /// The SDK inside the app ignores removals.
    case recallOff = "recall-off"
}
