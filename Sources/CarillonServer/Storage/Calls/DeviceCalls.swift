import CarillonCore

/// The store's calls for installations and their reports.
package protocol DeviceCalls: Sendable {
    /// Creates or replaces a device and registers its token.
    ///
    /// If another installation holds the token, a nonce goes to the token instead.
    func register(_ device: NewDevice, at now: Timestamp) async throws -> RegistrationOutcome
    /// Imports devices from another provider, in the given order, without touching registered installations.
    ///
    /// It takes at most ``ServiceLimits/importedPerStep`` devices.
    func importDevices(_ devices: [ImportedDevice], at now: Timestamp) async throws -> [ImportOutcome]
    /// Changes only the given properties of a device.
    ///
    /// Only a given token is registered again. Otherwise APNs' answers about the present token keep their effect.
    func change(_ device: String, _ update: DeviceUpdate, at now: Timestamp) async throws -> RegistrationOutcome
    /// Gives a device the token that it claimed, if the nonce is the one that was pushed to the token.
    func claimToken(for device: String, nonce: String, at now: Timestamp) async throws -> RegistrationOutcome
    func device(_ id: String) async throws -> DeviceRecord?
    /// Returns the installations bound to a user, by id.
    func devices(of user: UserReference, limit: Int) async throws -> [DeviceRecord]
    /// Deletes an installation and cancels its queued pushes.
    ///
    /// - Returns: `nil` when there is no such device.
    func delete(_ device: String, at now: Timestamp) async throws -> [TimelineEvent]?
    /// Returns the answer to a device's sync, with at most `limit` removals, newest first; `nil` for an unknown device.
    func sync(_ device: String, limit: Int, at now: Timestamp) async throws -> SyncAnswer?
    /// Records receipts, each once, and applies their consequences.
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

    /// Writes a registration in steps, because it may sign another user out.
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
