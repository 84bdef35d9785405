@_spi(Simulation) import UserNotifications

/// Who speaks, as an app tells the system.
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
