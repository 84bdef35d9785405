import CarillonAPNs
import CarillonCore
import Foundation

/// Registers and changes installations, and records which installation has which device token.
struct Registering: SessionPart {
    let session: StoreSession
    private let devices: DevicesTable
    private let removals: RemovalsTable
    private let deliveries: DeliveriesTable
    private let events: EventsTable
    private let signingOut: SigningOut
    private let tokens: CheckingTokens
    private let losing: LosingTokens

    init(_ session: StoreSession) {
        self.session = session
        devices = DevicesTable(session)
        removals = RemovalsTable(session)
        deliveries = DeliveriesTable(session)
        events = EventsTable(session)
        signingOut = SigningOut(session)
        tokens = CheckingTokens(session)
        losing = LosingTokens(session)
    }

    func register(_ new: NewDevice) throws -> RegistrationOutcome {
        let existing = try devices.device(new.id)
        if let existing {
            guard SecretHash.isEqual(existing.secretHash, new.secretHash) else { return .wrongSecret }
            // An installation never changes its app.
            guard existing.app == new.app else { return .otherApp }
        } else if try !makeRoom(for: new) {
            return .wrongSecret
        }
        if let old = existing?.user, let user = new.user, !UserID.isEqual(old, user) {
            try signingOut.signOut(new.id, by: .service)
        }
        var device =
            existing
            ?? DeviceRecord(
                id: new.id, secretHash: new.secretHash, app: new.app, environment: new.environment, token: nil,
                tokenRegistered: now, state: .awaitingToken, user: nil, facts: new.facts, seen: now)
        device.user = new.user ?? device.user
        if new.user != nil { device.userIsImported = false }
        let imported = device.tagsAreImported ? device.facts.tags : nil
        device.tagsAreImported = device.tagsAreImported && new.facts.tags == nil
        device.facts = new.facts
        device.facts.tags = new.facts.tags ?? imported
        device.seen = now
        try devices.keep(device)
        if existing?.facts.tags ?? [] != device.facts.tags ?? [] {
            try devices.keepTags(device.facts.tags, of: device.id, device.app)
        }
        try boundDevices(of: device)
        try take(new.token, new.environment, for: device, nonce: new.nonce)
        return try outcome(new.id)
    }

    /// Deletes the rows that a new installation still has from a removed app.
    ///
    /// - Returns: false if the installation had another secret in the removed app, so that it must not get the id.
    /// - Throws: ``ServiceError`` if the installation's own app was removed, and the errors of the database.
    private func makeRoom(for new: NewDevice) throws -> Bool {
        let found = try row(
            """
            SELECT (SELECT number FROM apps WHERE number = ?) AS app,
                (SELECT secret_hash FROM devices WHERE id = ?) AS secret
            """, [new.app.number.rawValue, new.id])
        guard (found?["app"] as Int64?) != nil else { throw ServiceError.appIsRemoved }
        guard let secret = found?["secret"] as Data? else { return true }
        guard SecretHash.isEqual(secret, new.secretHash) else { return false }
        try RemovingApps(session).deleteDevice(new.id)
        return true
    }

    func change(_ id: String, _ update: DeviceUpdate) throws -> RegistrationOutcome {
        guard var device = try devices.device(id), device.state != .superseded else { return .unknown }
        if let old = device.user, let user = update.user, !UserID.isEqual(old, user) {
            try signingOut.signOut(id, by: .service)
        }
        device.user = update.user ?? device.user
        if update.user != nil { device.userIsImported = false }
        if update.facts["tags"] != nil { device.tagsAreImported = false }
        let tags = device.facts.tags
        device.facts = try device.facts.applying(update.facts)
        device.seen = now
        try devices.keep(device)
        if tags ?? [] != device.facts.tags ?? [] { try devices.keepTags(device.facts.tags, of: id, device.app) }
        try boundDevices(of: device)
        let environment = update.environment ?? device.environment
        // A token is valid in one environment, so a changed environment means another token.
        let isMoved = environment != device.environment
        if let token = update.token ?? (isMoved ? device.token : nil) {
            try take(token, environment, for: device, nonce: update.nonce)
        }
        return try outcome(id)
    }

    func outcome(_ id: String) throws -> RegistrationOutcome {
        guard let device = try devices.device(id) else { return .unknown }
        return .registered(device)
    }

    /// Signs the user of a device out on other devices, if the user is signed in on more than ``StoreLimits/devicesPerUser``
    /// devices.
    ///
    /// The user is signed out on those devices that have been inactive for longest. The given device stays signed in.
    private func boundDevices(of device: DeviceRecord) throws {
        guard let user = device.user else { return }
        for id in try devices.surplus(of: user, otherThan: device) { try signingOut.signOut(id, by: .service) }
    }

    // MARK: Holding a token

    /// Gives a device a token, unless another installation holds the token.
    ///
    /// If another installation holds it, the service pushes a nonce to the token. That installation keeps the token until the
    /// device sends the nonce back.
    func take(
        _ token: DeviceToken, _ environment: APNsEnvironment, for device: DeviceRecord, nonce: String
    ) throws {
        let holder = try devices.holder(of: token, environment, app: device.app.number, otherThan: device.id)
        if let holder, holder.isImported { return try takeOver(holder, token, environment, device) }
        if let holder, holder.state == .active {
            return try tokens.claim(token, environment, for: device, nonce: nonce)
        }
        if let holder { try supersede(holder.id, by: device.id) }
        try hold(token, environment, device)
    }

    /// Gives a device the token that another installation holds, if `nonce` is correct.
    ///
    /// It is correct if it equals the nonce that the service has pushed to this token.
    func claimToken(for id: String, nonce: String) throws -> RegistrationOutcome {
        guard let claim = try devices.openClaim(of: id), let device = try devices.device(id),
            let token = device.claimedToken, SecretHash.isEqual(SecretHash.of(claim.nonce), SecretHash.of(nonce))
        else { return .unknown }
        let former = try devices.holder(of: token, claim.environment, app: device.app.number, otherThan: id)
        if let former { try supersede(former.id, by: id) }
        try hold(token, claim.environment, device)
        try devices.confirm(id)
        return try outcome(id)
    }

    /// Merges an imported device into an installation that registers with the imported device's token; the installation keeps the
    /// token.
    private func takeOver(
        _ imported: DeviceRecord, _ token: DeviceToken, _ environment: APNsEnvironment, _ device: DeviceRecord
    ) throws {
        try leaveImportedUser(of: device)
        try adopt(imported, into: device.id)
        try hold(token, environment, device, confirmed: imported.state == .active ? imported.confirmed : nil)
    }

    /// Signs out a device's user when the device changes its token, if the user comes from an import and has not signed in on
    /// the device.
    ///
    /// The import does not prove that the new token belongs to this user. Without the sign-out, somebody who knows a user's token
    /// could register it, then register their own token, and get that user's pushes.
    private func leaveImportedUser(of device: DeviceRecord) throws {
        if device.userIsImported, device.token != nil { try signingOut.signOut(device.id, by: .service) }
    }

    // `confirmed` is the time at which APNs accepted the token, if an imported device had the token before; `nil` if unknown.
    private func hold(
        _ token: DeviceToken, _ environment: APNsEnvironment, _ device: DeviceRecord, confirmed: Timestamp? = nil
    ) throws {
        let isSame = device.token == token && device.environment == environment
        if !isSame, confirmed == nil { try leaveImportedUser(of: device) }
        try devices.hold(token, environment, by: device.id, isSame: isSame, confirmed: confirmed)
        // An installation that was deleted and registered again may still have waiting pushes.
        if device.environment != environment || device.token == nil {
            try deliveries.moveDeliveries(
                of: device.id, to: SendingChannel.number(device.app.number.rawValue, environment))
        }
        if confirmed == nil, !isSame || device.confirmed == nil { try tokens.queueCheck(device) }
    }

    /// Retires `device`, and takes its token and user from it, because the installation `other` has registered the token.
    ///
    /// Both installations belong to one phone. If `other` has no ordinal (running number in the app), it gets the ordinal of
    /// `device`. A ``RangeChunk`` stores deliveries by ordinal, so the phone neither loses a broadcast nor gets it twice.
    private func supersede(_ device: String, by other: String) throws {
        if try devices.passOnOrdinal(of: device, to: other) {
            let ranged = "message IN (SELECT message FROM ranges)"
            try events.move(from: device, to: other, where: ranged)
            try removals.move(from: device, to: other, where: ranged)
            try deliveries.move(from: device, to: other, where: ranged)
        }
        try losing.retire(device, as: .superseded, why: "another installation has registered this device's token")
        try devices.dispossess(device)
    }

    /// Merges an imported device into an installation that registers with the imported device's token.
    ///
    /// The installation gets the imported device's ordinal (running number in the app), tags and deliveries.
    private func adopt(_ imported: DeviceRecord, into id: String) throws {
        guard let own = try devices.device(id) else { return }
        // Takes the token and the ordinal from the imported device first, because they are unique.
        try devices.release(imported: imported.id)
        try events.moveDelivered(from: imported.id, to: id)
        try deliveries.move(from: imported.id, to: id)
        try removals.move(from: imported.id, to: id)
        let hasTags = own.facts.tags?.isEmpty == false
        let tags = hasTags ? own.facts.tags : imported.facts.tags
        try devices.adopt(
            imported, tags: tags, tagsAreImported: !hasTags && tags?.isEmpty == false, into: id)
        try devices.keepTags(tags, of: id, own.app)
        try losing.delete(imported.id, why: "an installation has registered this device's token")
    }
}
