@_spi(Simulation) import UserNotifications

/// Carries out an app's donations of interactions to the system.
extension RunningProcess {
    func donate(_ donation: InteractionDonation, completion: @escaping @Sendable () -> Void) {
        post(
            SystemCall(name: "donate", needsProcess: false) { system, process in
                system.records.donated(donation, by: process.bundle.bundleID)
                process.reply(completion)
            })
    }

    func deleteDonations(
        identifiers: [String]?, groupIdentifier: String?, completion: @escaping @Sendable () -> Void
    ) {
        post(
            SystemCall(name: "deleteDonations", needsProcess: false) { system, process in
                system.records.forgetDonations(of: process.bundle.bundleID, identifiers, groupIdentifier)
                process.reply(completion)
            })
    }
}

/// The facts of the process's app that Apple's modules ask for: its bundle ID, entitlements and App Groups.
extension RunningProcess {
    var memory: SimulatedMemory { kernel.memory }
    var appGroups: Set<String> { containers.appGroups }
    var bundleIdentifier: String { bundle.bundleID }
    var apsEnvironment: String? { bundle.environment.map { $0 == .sandbox ? "development" : "production" } }
}
