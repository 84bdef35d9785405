import CarillonCore

/// Installations and what they report.
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
