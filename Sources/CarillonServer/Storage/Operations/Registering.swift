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
    private let activities: ActivityPhonesTable

    init(_ session: StoreSession) {
        self.session = session
        devices = DevicesTable(session)
        removals = RemovalsTable(session)
        deliveries = DeliveriesTable(session)
        events = EventsTable(session)
        signingOut = SigningOut(session)
        tokens = CheckingTokens(session)
        losing = LosingTokens(session)
        activities = ActivityPhonesTable(session)
    }

    func register(_ new: NewDevice) throws -> RegistrationOutcome {
        try foresee(Self.first(for: new))
        let app = new.app.number
        let existing = try devices.device(new.id)
        if let existing {
            guard SecretHash.isEqual(existing.secretHash, new.secretHash) else { return .wrongSecret }
            // An installation never changes its app.
            guard existing.app == new.app else { return .otherApp }
            if let sequence = new.sequence, sequence < existing.sequence { return .outdated(existing) }
        } else if try !makeRoom(for: new) {
            return .wrongSecret
        }
        // The changes below concern neither the token's holder nor the user's other devices.
        let holder = try devices.holder(of: new.token, new.environment, app: app, otherThan: new.id)
        let surplus = try (new.user ?? existing?.user).map { try self.surplus(of: $0, otherThan: new.id, app) } ?? []
        if let old = existing?.user, let user = new.user, !UserID.isEqual(old, user) {
            try signingOut.signOut(new.id, by: .service)
        }
        var device = existing ?? record(of: new)
        device.user = new.user ?? device.user
        if new.user != nil { device.userIsImported = false }
        let imported = device.tagsAreImported ? device.facts.tags : nil
        device.tagsAreImported = device.tagsAreImported && new.facts.tags == nil
        device.facts = new.facts
        device.facts.tags = new.facts.tags ?? imported
        device.seen = now
        device.sequence = new.sequence ?? device.sequence
        try devices.keep(device)
        if existing?.facts.tags ?? [] != device.facts.tags ?? [] {
            try devices.keepTags(device.facts.tags, of: device.id, device.app)
        }
        try moveZone(of: device, after: existing)
        emit(device, after: existing, isMoved: existing?.token != new.token)
        for id in surplus { try signingOut.signOut(id, by: .service) }
        try take(new.token, new.environment, from: holder, for: device, nonce: new.nonce)
        try keep(new.liveActivities, new.widgets, of: device)
        return try outcome(new.id)
    }

    /// Stores the tokens with which a device has registered.
    private func keep(
        _ activities: [LiveActivityToken], _ widgets: [WidgetToken], of device: DeviceRecord
    ) throws {
        try foresee([
            ActivityPhonesTable.tokens(of: device.id), WidgetTokensTable.tokens(of: device.id),
            DevicesTable.query(device.id),
        ])
        try ChangingActivities(session).keep(activities, of: device)
        try ReloadingWidgets(session).keep(widgets, of: device)
    }

    /// Returns the queries with which ``register(_:)`` begins.
    private static func first(for new: NewDevice) -> [SQLStatement] {
        let user = new.user.map { UserReference($0, of: new.app.number) }
        return [
            DevicesTable.query(new.id), room(for: new),
            DevicesTable.holder(of: new.token, new.environment, app: new.app.number, otherThan: new.id),
        ] + (user.map { [DevicesTable.surplus(of: $0, otherThan: new.id)] } ?? [])
    }

    private func record(of new: NewDevice) -> DeviceRecord {
        DeviceRecord(
            id: new.id, secretHash: new.secretHash, app: new.app, environment: new.environment, token: nil,
            tokenRegistered: now, state: .awaitingToken, user: nil, facts: new.facts, seen: now)
    }

    /// Deletes the rows that a new installation still has from a removed app.
    ///
    /// - Returns: false if the installation had another secret in the removed app, so that it must not get the id.
    /// - Throws: ``ServiceError`` if the installation's own app was removed, and the errors of the database.
    private func makeRoom(for new: NewDevice) throws -> Bool {
        let found = try row(Self.room(for: new))
        guard (found?["app"] as Int64?) != nil else { throw ServiceError.appIsRemoved }
        guard let secret = found?["secret"] as Data? else { return true }
        guard SecretHash.isEqual(secret, new.secretHash) else { return false }
        try RemovingApps(session).deleteDevice(new.id)
        return true
    }

    private static func room(for new: NewDevice) -> SQLStatement {
        SQLStatement(
            sql: """
                SELECT (SELECT number FROM apps WHERE number = ?) AS app,
                    (SELECT secret_hash FROM devices WHERE id = ?) AS secret
                """, arguments: [new.app.number.rawValue, new.id])
    }

    func change(_ id: String, _ update: DeviceUpdate) throws -> RegistrationOutcome {
        guard var device = try devices.device(id), device.state != .superseded else { return .unknown }
        if let sequence = update.sequence, sequence < device.sequence { return .outdated(device) }
        if let old = device.user, let user = update.user, !UserID.isEqual(old, user) {
            try signingOut.signOut(id, by: .service)
        }
        device.user = update.user ?? device.user
        if update.user != nil { device.userIsImported = false }
        if update.facts["tags"] != nil { device.tagsAreImported = false }
        let (tags, former) = (device.facts.tags, device)
        device.facts = try device.facts.applying(update.facts)
        device.seen = now
        device.sequence = update.sequence ?? device.sequence
        try devices.keep(device)
        if tags ?? [] != device.facts.tags ?? [] { try devices.keepTags(device.facts.tags, of: id, device.app) }
        try moveZone(of: device, after: former)
        emit(device, after: former, isMoved: update.token.map { $0 != device.token } ?? false)
        if let user = device.user {
            let surplus = try surplus(of: user, otherThan: id, device.app.number)
            for other in surplus { try signingOut.signOut(other, by: .service) }
        }
        let environment = update.environment ?? device.environment
        // A token is valid in one environment, so a changed environment means another token.
        let isMoved = environment != device.environment
        if let token = update.token ?? (isMoved ? device.token : nil) {
            let holder = try devices.holder(of: token, environment, app: device.app.number, otherThan: id)
            try take(token, environment, from: holder, for: device, nonce: update.nonce)
        }
        if let tokens = update.liveActivities { try ChangingActivities(session).keep(tokens, of: device) }
        if let tokens = update.widgets { try ReloadingWidgets(session).keep(tokens, of: device) }
        return try outcome(id)
    }

    /// Gives the messages in local time that wait for a device their new moments, if its time zone has changed.
    private func moveZone(of device: DeviceRecord, after former: DeviceRecord?) throws {
        guard let former, former.facts.timeZone != device.facts.timeZone else { return }
        try ChangingZones(session).move(device.id, of: device.app.number, to: device.facts.timeZone)
    }

    /// Adds to the app's feed how a device differs from its former state; `former` is `nil` for a new device.
    ///
    /// `isMoved` says whether the device has another token than before.
    private func emit(_ device: DeviceRecord, after former: DeviceRecord?, isMoved: Bool) {
        let app = device.app.number
        if former == nil {
            session.emit(.deviceRegistered, on: device.id, of: app, user: device.user)
        } else if isMoved || former?.facts != device.facts {
            session.emit(.deviceChanged, on: device.id, of: app, user: device.user)
        }
        if former?.facts.permission.allowsNotifications == true, device.facts.permission == .denied {
            session.tally.add(.optOut, app: app)
        }
        guard let user = device.user, !(former?.user.map { UserID.isEqual($0, user) } ?? false) else { return }
        session.emit(.userSignedIn, on: device.id, of: app, user: user)
    }

    func outcome(_ id: String) throws -> RegistrationOutcome {
        guard let device = try devices.device(id) else { return .unknown }
        return .registered(device)
    }

    /// Returns the devices on which a user must be signed out, because the user is signed in on more than
    /// ``StoreLimits/devicesPerUser`` devices.
    ///
    /// These are the devices that have been inactive for longest. The given device stays signed in.
    private func surplus(of user: String, otherThan device: String, _ app: AppNumber) throws -> [String] {
        try devices.surplus(of: UserReference(user, of: app), otherThan: device)
    }

    // MARK: Holding a token

    /// Gives a device a token, unless another installation holds the token.
    ///
    /// If another installation holds it, the service pushes a nonce to the token. That installation keeps the token until the
    /// device sends the nonce back.
    private func take(
        _ token: DeviceToken, _ environment: APNsEnvironment, from holder: DeviceRecord?, for device: DeviceRecord,
        nonce: String
    ) throws {
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
        try foresee([
            LiveActivityPushes(session).waiting(on: device.id), ActivityPhonesTable.tokens(of: device.id),
            WidgetPushes(session).waiting(on: device.id), WidgetTokensTable.tokens(of: device.id),
            DevicesTable.query(device.id),
        ])
        try LiveActivityPushes(session).queue(on: device.id)
        try WidgetPushes(session).queue(on: device.id)
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
        try activities.drop(of: device)
        try WidgetTokensTable(session).drop(of: device)
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
        try activities.move(from: imported.id, to: id)
        let hasTags = own.facts.tags?.isEmpty == false
        let tags = hasTags ? own.facts.tags : imported.facts.tags
        try devices.adopt(
            imported, tags: tags, tagsAreImported: !hasTags && tags?.isEmpty == false, into: id)
        try devices.keepTags(tags, of: id, own.app)
        try losing.delete(imported.id, why: "an installation has registered this device's token")
    }
}

extension PermissionState {
    /// Whether the person gets to see notifications.
    fileprivate var allowsNotifications: Bool {
        switch self {
        case .authorized, .provisional, .ephemeral: true
        case .notDetermined, .denied: false
        }
    }
}
