import CarillonCore

/// Installations and what they report.
package protocol DeviceCalls: Sendable {
    /// Creates or replaces a device, whose token is thereby registered (again), unless another installation holds it:
    /// then a nonce goes to the token.
    func register(_ device: NewDevice, at now: Timestamp) async throws -> RegistrationOutcome
    /// Takes over devices that another provider knew, without touching installations that are registered: in the order in
    /// which they are given, at most ``ServiceLimits/importedPerStep`` of them.
    func importDevices(_ devices: [ImportedDevice], at now: Timestamp) async throws -> [ImportOutcome]
    /// Changes what is named and nothing else; only a token that is named is registered again, and what APNs said about
    /// it stands otherwise.
    func change(_ device: String, _ update: DeviceUpdate, at now: Timestamp) async throws -> RegistrationOutcome
    /// Gives a device the token it claimed, if that is the nonce which was pushed to it.
    func claimToken(for device: String, nonce: String, at now: Timestamp) async throws -> RegistrationOutcome
    func device(_ id: String) async throws -> DeviceRecord?
    /// The installations bound to a user, by id.
    func devices(of user: UserReference, limit: Int) async throws -> [DeviceRecord]
    /// Forgets an installation: what is queued for it is cancelled.
    /// - Returns: `nil` when there is no such device.
    func delete(_ device: String, at now: Timestamp) async throws -> [TimelineEvent]?
    /// What the device must know, with at most `limit` removals, newest first; `nil` for an unknown device.
    func sync(_ device: String, limit: Int, at now: Timestamp) async throws -> SyncAnswer?
    /// Writes receipts down, each once, with what follows from them.
    func record(_ receipts: [Receipt], from device: String, at now: Timestamp) async throws -> ReceiptOutcome
}

extension TransactionalStore {
    package func register(_ device: NewDevice, at now: Timestamp) async throws -> RegistrationOutcome {
        try await writeOutcome(at: now) { try Registering($0).register(device) }
    }

    package func importDevices(_ devices: [ImportedDevice], at now: Timestamp) async throws -> [ImportOutcome] {
        try await write(at: now) { try Importing($0).importDevices(devices) }
    }

    package func change(
        _ device: String, _ update: DeviceUpdate, at now: Timestamp
    ) async throws -> RegistrationOutcome {
        try await writeOutcome(at: now) { try Registering($0).change(device, update) }
    }

    package func claimToken(
        for device: String, nonce: String, at now: Timestamp
    ) async throws -> RegistrationOutcome {
        try await writeOutcome(at: now) { try Registering($0).claimToken(for: device, nonce: nonce) }
    }

    /// A registration may sign another user out.
    private func writeOutcome(
        at now: Timestamp, _ body: @escaping @Sendable (StoreSession) throws -> RegistrationOutcome
    ) async throws -> RegistrationOutcome {
        let (outcome, events) = try await writeInSteps(at: now, body)
        guard case .registered(let device, _) = outcome else { return outcome }
        return .registered(device, events)
    }

    package func device(_ id: String) async throws -> DeviceRecord? {
        try await read { try DevicesTable($0).device(id) }
    }

    package func devices(of user: UserReference, limit: Int) async throws -> [DeviceRecord] {
        try await read { try DevicesTable($0).devices(of: user, limit: limit) }
    }

    package func delete(_ device: String, at now: Timestamp) async throws -> [TimelineEvent]? {
        try await write(at: now) { session in
            guard try DevicesTable(session).device(device) != nil else { return nil }
            try Registering(session).delete(device, why: "the installation was deleted")
            return session.events
        }
    }

    package func sync(_ device: String, limit: Int, at now: Timestamp) async throws -> SyncAnswer? {
        try await read(at: now) { try Syncing($0).answer(to: device, limit: limit) }
    }

    package func record(
        _ receipts: [Receipt], from device: String, at now: Timestamp
    ) async throws -> ReceiptOutcome {
        try await write(at: now) { session in
            let recorded = try Recording(session).record(receipts, from: device)
            return ReceiptOutcome(recorded: recorded, events: session.events)
        }
    }
}
