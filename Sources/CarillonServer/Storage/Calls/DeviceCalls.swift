import CarillonCore

/// The store's calls about installations: registration, token, user and deletion.
package struct DeviceCalls: Sendable {
    let transactions: Transactions

    /// Creates or replaces a device and registers its token.
    ///
    /// If another installation holds the token, the device does not get the token at once. Instead, the service pushes a nonce to
    /// the token. The device gets the token when it sends the nonce back.
    package func register(_ device: NewDevice, at now: Timestamp) async throws -> RegistrationOutcome {
        try await transactions.writeInSteps(at: now) { try Registering($0).register(device) }
    }

    /// Imports devices from another provider, in the given order.
    ///
    /// Registered installations are not changed. One call takes at most ``StoreLimits/importedPerStep`` devices.
    package func importDevices(_ devices: [ImportedDevice], at now: Timestamp) async throws -> [ImportOutcome] {
        try await transactions.write(at: now) { try Importing($0).importDevices(devices) }
    }

    /// Changes those properties of a device that `update` contains.
    ///
    /// The token is registered again only if `update` has a token or another APNs environment. Otherwise, APNs' earlier answers
    /// about the token stay in effect.
    package func change(
        _ device: String, _ update: DeviceUpdate, at now: Timestamp
    ) async throws -> RegistrationOutcome {
        try await transactions.writeInSteps(at: now) { try Registering($0).change(device, update) }
    }

    /// Gives a device the token that another installation holds, if `nonce` is correct.
    ///
    /// It is correct if it equals the nonce that the service has pushed to this token.
    package func claimToken(
        for device: String, nonce: String, at now: Timestamp
    ) async throws -> RegistrationOutcome {
        try await transactions.writeInSteps(at: now) { try Registering($0).claimToken(for: device, nonce: nonce) }
    }

    /// Returns the device that holds each of some tokens; tokens that nobody holds are missing.
    ///
    /// A token that devices of both environments hold belongs to the device of `environment`.
    func holders(
        of tokens: Set<DeviceToken>, in app: AppNumber, _ environment: APNsEnvironment
    ) async throws -> [DeviceToken: TokenHolder] {
        try await transactions.read { try TokenHolders($0).holders(of: tokens, in: app, environment) }
    }

    package func device(_ id: String) async throws -> DeviceRecord? {
        try await transactions.read { try DevicesTable($0).device(id) }
    }

    /// Returns devices of an app, the newest first, each with the number that stands for it in the list.
    ///
    /// A device whose token APNs has not accepted yet has no place in the list, unless the list is of one user.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - filter: the devices to return.
    ///   - number: the number before which the list begins; `nil` to begin with the newest device.
    ///   - limit: the greatest number of devices.
    ///   - now: the time of the call.
    /// - Returns: the devices.
    /// - Throws: the errors of the database.
    package func list(
        of app: AppReference, _ filter: DeviceFilter, before number: Int64?, limit: Int, at now: Timestamp
    ) async throws -> [(number: Int64, device: DeviceRecord)] {
        try await transactions.costlyRead(for: app.number, at: now) {
            try DevicesTable($0).list(of: app.number, filter, before: number ?? .max, limit: limit)
        }
    }

    /// Returns a page of a device's messages, the newest first; `nil` if the app has no such device.
    ///
    /// - Parameters:
    ///   - device: the installation's id.
    ///   - app: its app.
    ///   - number: the mark that the previous page gave; `nil` for the first page.
    ///   - limit: the greatest number of messages.
    ///   - now: the time of the call.
    /// - Returns: the page.
    /// - Throws: the errors of the database.
    package func messages(
        of device: String, _ app: AppReference, before number: Int64?, limit: Int, at now: Timestamp
    ) async throws -> DeviceMessageList? {
        try await transactions.costlyRead(for: app.number, at: now) {
            try DeviceMessages($0).page(of: device, app.number, before: number, limit: limit)
        }
    }

    /// Signs the user of a device out, and cancels the pushes that are queued for this user on the device.
    ///
    /// - Parameters:
    ///   - device: the installation's id.
    ///   - caller: the caller.
    ///   - sequence: the number of the installation's request; `nil`, the default, if it counts none.
    ///   - now: the time of the call.
    /// - Returns: `nil`, or the number of a newer request, if this one has changed nothing because of that.
    /// - Throws: the errors of the database.
    @discardableResult
    package func signOut(
        _ device: String, by caller: SignOutCaller, sequence: Int64? = nil, at now: Timestamp
    ) async throws -> Int64? {
        try await transactions.writeInSteps(at: now) { session in
            if let sequence, let newer = try DevicesTable(session).newer(than: sequence, on: device) { return newer }
            try SigningOut(session).signOut(device, by: caller)
            return nil
        }
    }

    /// Deletes an installation and cancels its queued pushes.
    ///
    /// - Returns: whether there was such a device.
    package func delete(_ device: String, at now: Timestamp) async throws -> Bool {
        try await transactions.write(at: now) { session in
            guard try DevicesTable(session).device(device) != nil else { return false }
            try LosingTokens(session).delete(device, why: "the installation was deleted")
            return true
        }
    }

    /// Makes quarantined devices active again; a device is quarantined after APNs has rejected its token.
    ///
    /// - Parameters:
    ///   - app: the app whose devices are meant.
    ///   - reason: APNs' reason for rejecting the tokens; `nil` for any.
    ///   - moment: the earliest time of the rejection; `nil` for any.
    ///   - now: the time of the call.
    /// - Returns: the number of devices that the call has made active.
    /// - Throws: the store's errors. Even after an error, some devices may be active again.
    package func release(
        _ app: AppReference, reason: String?, since moment: Timestamp?, at now: Timestamp
    ) async throws -> Int {
        let found = try await transactions.read {
            try DevicesTable($0).quarantined(of: app.number, reason: reason, since: moment)
        }
        var count = 0
        for start in stride(from: 0, to: found.count, by: StoreLimits.devicesPerStep) {
            let step = Array(found[start...].prefix(StoreLimits.devicesPerStep))
            count += try await transactions.write(at: now) { session in
                let released = try DevicesTable(session).release(step)
                for device in step {
                    try LiveActivityPushes(session).queue(on: device)
                    try WidgetPushes(session).queue(on: device)
                }
                return released
            }
        }
        return count
    }
}
