import CarillonCore
import Foundation

/// Accepts a message: stores it, and begins to address it to its recipients.
struct Accepting: SessionPart {
    let session: StoreSession
    private let apps: AppsTable
    private let devices: DevicesTable
    private let messages: MessagesTable
    private let ranges: RangesTable
    private let audiences: AudienceQuery
    private let working: WorkingInSteps
    private let steering: Steering

    init(_ session: StoreSession) {
        self.session = session
        apps = AppsTable(session)
        devices = DevicesTable(session)
        messages = MessagesTable(session)
        ranges = RangesTable(session)
        audiences = AudienceQuery(session)
        working = WorkingInSteps(session)
        steering = Steering(session)
    }

    /// A message that was just stored, with the facts that ``Addressing`` needs to determine its recipients.
    private struct Written {
        var number: Int64
        var revision = 1
        /// Whether the previous revision of the message may have had another audience.
        var hasOtherAudience = false
    }

    /// Sends the first statements of accepting a message to named recipients, so that they can go out with those of other calls.
    ///
    /// Accepting other messages changes neither devices nor this message. If two of the calls have one id, one of them inserts
    /// nothing. If two have one idempotency key, the later one violates the key's uniqueness, and all calls run again one by one.
    static func foresee(_ message: NewMessage, in session: StoreSession) throws {
        guard session.foresees else { return }
        try Accepting(session).foresee(message)
    }

    private func foresee(_ message: NewMessage) throws {
        guard let recipients = NamedRecipients(message.audience, limit: room) else { return }
        try foresee(
            [
                MessagesTable.repetition(of: message), insertion(of: message),
                devices.reachable(recipients, of: message.app.number.rawValue),
            ].compactMap(\.self))
    }

    private func insertion(of message: NewMessage) throws -> SQLStatement {
        try messages.insertion(
            of: message, counting: audiences.condition(message.audience, of: message.app.number, at: now))
    }

    /// Accepts a message.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - found: the form in which to store the deliveries of a broadcast, which an earlier read has determined; `nil` for a
    ///     message to named recipients.
    /// - Returns: the outcome.
    /// - Throws: the errors of the database.
    func accept(_ message: NewMessage, _ found: DeliveryForm?) throws -> Acceptance {
        if let earlier = try messages.repetition(of: message) { return earlier }
        // Nearly every message is new, so the insertion itself finds out whether the id exists.
        let form: DeliveryForm
        if let found {
            form = try currentForm(of: message, found: found)
            if !form.isRefused, let number = try messages.insert(message, devices: form.devices) {
                session.cache.inserted = number
                if form == .ranges { return try acceptRanged(message, number) }
                return try address(message, Written(number: number), devices: form.devices)
            }
        } else {
            if let new = try messages.insert(message, by: insertion(of: message)) {
                session.cache.inserted = new.number
                return try address(message, Written(number: new.number), devices: new.devices)
            }
            form = .rows(devices: try audiences.count(message.audience, of: message.app.number))
        }
        return try acceptKnown(message, form)
    }

    /// Accepts a message that was not inserted, because its id exists, the app was removed, or it has too many devices.
    private func acceptKnown(_ message: NewMessage, _ form: DeliveryForm) throws -> Acceptance {
        try apps.require(message.app.number)
        let existing = try messages.row(of: message.id, of: message.app.number)
        if let existing, let answer = try answer(instead: existing, of: message) { return answer }
        if form.isRefused, !message.audience.isBroadcast { return .refused(.audienceTooLarge) }
        if let existing, try existing["ranged"] { return try replaceRanged(existing, with: message) }
        // Another call may have accepted the message with rows since the form was determined. In this case, the message keeps
        // its rows.
        let count = form == .ranges ? try audiences.broadcastCount(message) : form.devices
        guard let existing, count <= StoreLimits.audienceDevices else { return .refused(.needsRanges) }
        let written = Written(
            number: try existing["number"], revision: try existing["revision"] + 1,
            hasOtherAudience: try existing["audience"] != message.audience.fingerprint)
        try replace(written, with: message, devices: count)
        return try address(message, written, devices: count)
    }

    // MARK: Form

    /// Returns the form in which to store the deliveries of a message: in one row for each device, or as bitmaps
    /// (``RangeRules``).
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - found: the form that an earlier read has determined. If that form is one row for each device and the app has few
    ///     devices, the function counts them again, because some may have come or gone since.
    /// - Returns: the form.
    /// - Throws: the errors of the database.
    private func currentForm(of message: NewMessage, found: DeliveryForm) throws -> DeliveryForm {
        switch found {
        case .ranges: .ranges
        case .rows(let devices):
            // In an app that has grown since the first revision, a count is not for a writing transaction.
            try audiences.has(moreThan: StoreLimits.audienceDevices, message.app.number)
                ? .rows(devices: devices) : broadcastForm(message)
        }
    }

    /// Returns the form in which to store the deliveries of a broadcast: in one row for each device, or as bitmaps
    /// (``RangeRules``).
    ///
    /// In an app with few devices, each device gets a row, and the function counts the devices. In an app with many devices,
    /// the deliveries are kept as bitmaps, so that accepting a broadcast costs no more for a larger audience. Later revisions
    /// of a message keep the form of the first revision.
    func broadcastForm(_ message: NewMessage) throws -> DeliveryForm {
        let existing = try row(
            "SELECT ranged FROM messages WHERE app = ? AND id = ?", [message.app.number.rawValue, message.id.rawValue])
        let isRanged = try existing.map { try $0["ranged"] as Bool } ?? audiences.hasMany(message.app.number)
        return isRanged ? .ranges : .rows(devices: try audiences.broadcastCount(message))
    }

    // MARK: A message with rows

    /// Begins the task that finds a stored message's recipients and queues a push for each of their devices.
    ///
    /// Each push gets a row of its own. The task for a scheduled message waits until the scheduled time.
    private func address(_ message: NewMessage, _ written: Written, devices: Int) throws -> Acceptance {
        let state = message.state(at: now)
        let reason =
            devices == 0 && state != .scheduled
            ? try audiences.reasonForNobody(in: message.audience, of: message.app.number) : nil
        if let reason { try messages.note(reason, of: written.number) }
        let addressing = StepwiseWork.Addressing(
            message: written.number, id: message.id, app: message.app.number.rawValue,
            recipients: try recipients(of: message), revision: written.revision, devices: devices,
            countsAsUnread: message.countsAsUnread, until: message.lastMoment(SendingRules(), at: now),
            isScheduled: message.sendAt != nil,
            hasOtherAudience: written.hasOtherAudience, local: message.local)
        if let sendAt = message.sendAt, sendAt > now {
            try working.schedule(.accept(addressing), at: sendAt)
        } else {
            try working.begin(.accept(addressing))
        }
        // After the devices were read, which were asked for before anything was written.
        try messages.writeVariables(of: message, written.number)
        try messages.remember(message, written.number, devices: devices)
        return .accepted(SendAnswer(id: message.id, state: state, devices: devices, reason: reason))
    }

    /// Returns a message's recipients: the named users or devices, or the condition of a broadcast.
    ///
    /// For a broadcast, the result also has a greatest ordinal: that of the app's newest device. An ordinal is a device's running
    /// number in the app. So devices that get their ordinals later do not get the message.
    func recipients(of message: NewMessage) throws -> StepwiseWork.Addressing.Recipients {
        switch message.audience {
        case .users(let users): .users(users)
        case .devices(let devices): .devices(devices)
        case .everyone: .everyone(upTo: try apps.lastOrdinal(of: message.app.number))
        case .matching(let expression):
            .matching(upTo: try apps.lastOrdinal(of: message.app.number), condition: expression.description, at: now)
        case .unseen(let number):
            .devices(try UnseenDevices(session).ids(of: number, limit: StoreLimits.audienceDevices))
        }
    }

    // MARK: A message whose deliveries are kept as bitmaps

    /// Accepts a message whose deliveries will be kept as bitmaps (``RangeRules``), not in one row for each device.
    ///
    /// The service determines the recipients while it sends the message, so the cost of accepting does not depend on their
    /// number.
    private func acceptRanged(_ message: NewMessage, _ number: Int64) throws -> Acceptance {
        try messages.remember(message, number, devices: 0)
        try ranges.plan(message, number)
        try messages.markRanged(number)
        return .accepted(SendAnswer(id: message.id, state: message.state(at: now), devices: nil))
    }

    /// Replaces a message with a newer revision.
    ///
    /// Call it for a message whose deliveries are kept as bitmaps with a bit for each device (``RangeRules``). The deliveries of
    /// the newer revision are kept as bitmaps too, even if the revision is for named users.
    private func replaceRanged(_ existing: SQLRow, with message: NewMessage) throws -> Acceptance {
        let number: Int64 = try existing["number"]
        try replace(Written(number: number, revision: existing["revision"] + 1), with: message, devices: 0)
        try messages.writeVariables(of: message, number)
        if existing.timestamp("paused") != nil { try steering.holdChunks(of: number, false) }
        try ranges.replan(message, number)
        try messages.remember(message, number, devices: 0)
        return .accepted(SendAnswer(id: message.id, state: message.state(at: now), devices: nil))
    }

    // MARK: A message whose id is known

    /// Returns the answer to a request if its message must not replace the stored message in `row`; otherwise `nil`.
    ///
    /// A request whose body is equal to the earlier request's is a repetition. So a caller that has not received the answer can
    /// repeat its request without a second alert on the phones.
    private func answer(instead row: SQLRow, of message: NewMessage) throws -> Acceptance? {
        if try row["fingerprint"] == message.fingerprint {
            // A repeated request must not bring back a message that has been recalled or cancelled.
            guard row.timestamp("recalled") == nil else { return .refused(.recalled) }
            guard row.timestamp("cancelled") == nil else { return .refused(.cancelled) }
            let devices: Int? = try row["ranged"] ? nil : row["devices"]
            return .repeated(
                SendAnswer(
                    id: message.id, state: message.state(at: now), devices: devices, reason: try row.nobody()))
        }
        guard try message.replacesOtherAudience || row["audience"] == message.audience.fingerprint else {
            return .refused(.otherAudience)
        }
        let number: Int64 = try row["number"]
        if message.state(at: now) == .scheduled, try integer(Self.hasGoneOut, [number, number]) > 0 {
            return .refused(.alreadySent)
        }
        return nil
    }

    private static let hasGoneOut = """
        SELECT EXISTS (SELECT 1 FROM deliveries WHERE message = ?) OR EXISTS (SELECT 1 FROM chunks WHERE message = ?)
        """

    /// Replaces a stored message with its newer revision.
    ///
    /// Also deletes the earlier revision's variables, and the unfinished work on it (``StepwiseWork``).
    private func replace(_ written: Written, with message: NewMessage, devices: Int) throws {
        try messages.replace(written.number, revision: written.revision, with: message, devices: devices)
        try WorkTable(session).drop(on: written.number)
        try messages.dropVariables(of: written.number)
    }
}

/// The form in which the store keeps a message's deliveries: as bitmaps, or in one row for each device.
enum DeliveryForm: Equatable {
    /// The deliveries are kept as bitmaps, a bit for each device (``RangeRules``); the message goes to the devices that meet its
    /// condition while it is being sent.
    case ranges
    /// The deliveries are stored in one row for each device; `devices` is the number of the message's devices.
    ///
    /// The count for a broadcast stops at one more than ``StoreLimits/audienceDevices``.
    case rows(devices: Int)

    /// The number of the message's devices; 0 in the form ``ranges``, in which the devices are not counted.
    var devices: Int {
        switch self {
        case .ranges: 0
        case .rows(let devices): devices
        }
    }

    /// Whether the message has too many devices to get a row for each of them: more than ``StoreLimits/audienceDevices``.
    var isRefused: Bool { devices > StoreLimits.audienceDevices }
}
