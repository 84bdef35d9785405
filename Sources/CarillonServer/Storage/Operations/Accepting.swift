import CarillonCore
import Foundation

/// A message is accepted: written down, and begun to be brought to those whom it is for.
struct Accepting: SessionPart {
    let session: StoreSession
    private let apps: AppsTable
    private let devices: DevicesTable
    private let messages: MessagesTable
    private let ranges: RangesTable
    private let audiences: AudienceQuery
    private let working: Working
    private let ending: Ending

    init(_ session: StoreSession) {
        self.session = session
        apps = AppsTable(session)
        devices = DevicesTable(session)
        messages = MessagesTable(session)
        ranges = RangesTable(session)
        audiences = AudienceQuery(session)
        working = Working(session)
        ending = Ending(session)
    }

    /// A message as it stands in its row.
    private struct Written {
        var number: Int64
        var revision = 1
        /// Whether the revision before may have been for others.
        var hasOtherAudience = false
    }

    func accept(_ message: NewMessage, _ form: DeliveryForm?) throws -> Acceptance {
        if let earlier = try messages.repetition(of: message) { return earlier }
        let form = try currentForm(of: message, found: form)
        // Nearly every message is new: whether there is one with its id, its insertion tells.
        if !form.isRefused, let number = try messages.insert(message, devices: form.devices) {
            if form == .ranges { return try acceptRanged(message, number) }
            return try address(message, Written(number: number), devices: form.devices)
        }
        let existing = try messages.row(of: message.id, of: message.app.number)
        if let existing, let answer = try answer(instead: existing, of: message) { return answer }
        if form.isRefused, !message.audience.isBroadcast { return .refused(.audienceTooLarge) }
        if let existing, existing["ranged"] { return try replaceRanged(existing, with: message) }
        // One with rows keeps having them, and may have been accepted just now.
        let count = form == .ranges ? try audiences.broadcastCount(message) : form.devices
        guard let existing, count <= ServiceLimits.audienceDevices else { return .refused(.needsRanges) }
        let former: Data? = existing["audience"]
        let written = Written(
            number: existing["number"], revision: existing["revision"] + 1,
            hasOtherAudience: former != message.audience.fingerprint)
        try replace(written, with: message, devices: count)
        return try address(message, written, devices: count)
    }

    // MARK: Form

    /// Since those whom nobody names were counted, devices may have come and gone: those that have rows are counted anew.
    private func currentForm(of message: NewMessage, found: DeliveryForm?) throws -> DeliveryForm {
        switch found {
        case .ranges: .ranges
        case .rows: try broadcastForm(message)
        case nil: .rows(devices: try audienceCount(message))
        }
    }

    /// How a message for nobody by name is sent.
    ///
    /// An app with few devices has rows, for which it is counted; else it costs the same whatever the audience. What has
    /// been accepted one way stays so in its later revisions.
    func broadcastForm(_ message: NewMessage) throws -> DeliveryForm {
        let existing = try row(
            "SELECT ranged FROM messages WHERE app = ? AND id = ?", [message.app.number.rawValue, message.id.rawValue])
        let isRanged = try existing.map { $0["ranged"] as Bool } ?? audiences.hasMany(message.app.number)
        return isRanged ? .ranges : .rows(devices: try audiences.broadcastCount(message))
    }

    /// How many devices a message is for; those of a single user are kept for the message to be addressed.
    func audienceCount(_ message: NewMessage) throws -> Int {
        guard case .users(let users) = message.audience, users.count == 1, let user = users.first else {
            return try audiences.count(message.audience, of: message.app.number)
        }
        let devices = try self.devices.reachable(user, of: message.app.number.rawValue)
        session.cache.counted = (user, message.app.number.rawValue, devices)
        return devices.count
    }

    // MARK: A message with rows

    /// Begins to bring a message that was written to those whom it is for.
    private func address(_ message: NewMessage, _ written: Written, devices: Int) throws -> Acceptance {
        try messages.writeVariables(of: message, written.number)
        try messages.remember(message, written.number, devices: devices)
        let addressing = StepwiseWork.Addressing(
            message: written.number, id: message.id, app: message.app.number.rawValue,
            recipients: try recipients(of: message), revision: written.revision, devices: devices,
            countsAsUnread: message.countsAsUnread, until: message.until, isScheduled: message.sendAt != nil,
            hasOtherAudience: written.hasOtherAudience)
        if let sendAt = message.sendAt, sendAt > now {
            try working.schedule(.accept(addressing), at: sendAt)
        } else {
            try working.begin(.accept(addressing))
        }
        return .accepted(SendAnswer(id: message.id, state: message.state(at: now), devices: devices), session.events)
    }

    /// The recipients of a message, fixed at this moment.
    func recipients(of message: NewMessage) throws -> StepwiseWork.Addressing.Recipients {
        switch message.audience {
        case .users(let users): .users(users)
        case .devices(let devices): .devices(devices)
        case .everyone: .everyone(upTo: try apps.lastOrdinal(of: message.app.number))
        case .matching(let expression):
            .matching(upTo: try apps.lastOrdinal(of: message.app.number), condition: expression.description, at: now)
        }
    }

    // MARK: A message that is sent by ranges

    /// Leaves it open whom a message is for until it is sent: as many as there may be, accepting it costs the same.
    private func acceptRanged(_ message: NewMessage, _ number: Int64) throws -> Acceptance {
        try messages.remember(message, number, devices: 0)
        try ranges.plan(message, number)
        try messages.markRanged(number)
        return .accepted(SendAnswer(id: message.id, state: message.state(at: now), devices: nil), session.events)
    }

    /// A newer revision of a message that is sent by ranges is sent by the same ranges, even to named users.
    private func replaceRanged(_ existing: SQLRow, with message: NewMessage) throws -> Acceptance {
        let number: Int64 = existing["number"]
        try replace(Written(number: number, revision: existing["revision"] + 1), with: message, devices: 0)
        try messages.writeVariables(of: message, number)
        if existing.timestamp("paused") != nil { try ending.holdRange(number, false) }
        try ranges.replan(message, number)
        try messages.remember(message, number, devices: 0)
        return .accepted(SendAnswer(id: message.id, state: message.state(at: now), devices: nil), session.events)
    }

    // MARK: A message whose id is known

    /// The answer to a message that does not replace the one with its id; `nil` when it does.
    ///
    /// The same body is a repetition: a caller that chose the id and lost the answer may ask again without a second
    /// alert.
    private func answer(instead row: SQLRow, of message: NewMessage) throws -> Acceptance? {
        if row["fingerprint"] == message.fingerprint {
            // A repeated request must not bring back a message that was taken back meanwhile.
            guard row.timestamp("recalled") == nil else { return .refused(.recalled) }
            guard row.timestamp("cancelled") == nil else { return .refused(.cancelled) }
            let devices: Int? = row["ranged"] ? nil : row["devices"]
            return .repeated(SendAnswer(id: message.id, state: message.state(at: now), devices: devices))
        }
        guard try message.replacesOtherAudience || isForTheSame(row, as: message) else {
            return .refused(.otherAudience)
        }
        let number: Int64 = row["number"]
        if message.state(at: now) == .scheduled, try integer(Self.hasGoneOut, [number, number]) > 0 {
            return .refused(.alreadySent)
        }
        return nil
    }

    private static let hasGoneOut = """
        SELECT EXISTS (SELECT 1 FROM deliveries WHERE message = ?) OR EXISTS (SELECT 1 FROM chunks WHERE message = ?)
        """

    /// Whether nobody loses the message by its replacement, and nobody else gets it.
    private func isForTheSame(_ row: SQLRow, as message: NewMessage) throws -> Bool {
        if let fingerprint: Data = row["audience"] { return fingerprint == message.audience.fingerprint }
        // Accepted before audiences were kept: it is enough that nobody loses it.
        let number: Int64 = row["number"]
        guard case .users(let users) = message.audience else {
            let (condition, names) = try audiences.condition(message.audience, of: message.app.number, at: now)
            return try integer(
                """
                SELECT count(*) FROM deliveries WHERE message = ? AND purpose = 'show'
                    AND device NOT IN (SELECT id FROM devices WHERE \(condition))
                """, [number] + names) == 0
        }
        return try integer(
            "SELECT count(*) FROM inbox WHERE message = ? AND user NOT IN (SELECT value FROM \(dialect.textsOfJSON) AS named)",
            [number, try Self.json(users)]) == 0
    }

    /// Writes a newer revision, and drops the work and the values of the earlier one.
    private func replace(_ written: Written, with message: NewMessage, devices: Int) throws {
        try messages.replace(revision: written.revision, with: message, devices: devices)
        try WorkTable(session).drop(on: written.number)
        try messages.dropVariables(of: written.number)
    }
}

/// How a message is sent.
enum DeliveryForm: Equatable {
    /// By ranges, to whoever fulfils its condition then.
    case ranges
    /// To so many devices that have a row each, counted up to one more than ``ServiceLimits/audienceDevices``.
    case rows(devices: Int)

    /// How many devices it is for, as far as that is known.
    var devices: Int {
        switch self {
        case .ranges: 0
        case .rows(let devices): devices
        }
    }

    /// Whether those are too many for rows.
    var isRefused: Bool { devices > ServiceLimits.audienceDevices }
}
