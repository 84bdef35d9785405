import CarillonCore
import Foundation

/// Starts, updates and ends Live Activities for backends.
struct ChangingActivities: SessionPart {
    let session: StoreSession
    private let activities: ActivitiesTable
    private let phones: ActivityPhonesTable
    private let channels: ActivityChannelsTable
    private let pushes: LiveActivityPushes
    private let audiences: AudienceQuery

    init(_ session: StoreSession) {
        self.session = session
        activities = ActivitiesTable(session)
        phones = ActivityPhonesTable(session)
        channels = ActivityChannelsTable(session)
        pushes = LiveActivityPushes(session)
        audiences = AudienceQuery(session)
    }

    /// Starts a Live Activity on the phones of its audience.
    ///
    /// - Parameters:
    ///   - new: the request.
    ///   - counted: the number of the audience's devices, counted before this transaction; `nil` to count it now.
    /// - Returns: the Live Activity, or the reason why it was refused.
    /// - Throws: the errors of the database.
    func start(_ new: NewActivity, counted: Int?) throws -> ActivityAcceptance {
        let app = new.app.number
        if let repeated = try repetition(of: new.idempotencyKey, new.fingerprint, in: app) { return repeated }
        let count = try counted ?? audiences.count(new.audience, of: app)
        let hasChannels = count > new.channelFrom || new.audience.isBroadcast
        guard let number = try activities.insert(new) else {
            try AppsTable(session).require(app)
            guard let known = try activities.activity(new.id, of: app), known.fingerprint == new.fingerprint else {
                return .refused(.exists)
            }
            guard known.ended == nil else { return .refused(.ended) }
            return .accepted(try report(known))
        }
        try activities.remember(new.idempotencyKey, new.fingerprint, number, of: app)
        let reason = count == 0 ? try audiences.reasonForNobody(in: new.audience, of: app) : nil
        if hasChannels, count > 0 {
            try activities.note(devices: count, reason, of: number)
            try beginChannels(of: number, new)
        } else {
            let condition = try audiences.condition(new.audience, of: app, at: now)
            try activities.note(devices: phones.insert(number, of: app, where: condition), reason, of: number)
            try pushes.queue(where: "activity_phones.activity = ?", [number])
        }
        return try answer(number)
    }

    /// Lets senders make a channel for each APNs environment of the app's devices; the phones are started when they are open.
    private func beginChannels(of number: Int64, _ new: NewActivity) throws {
        let recipients = try DevicesInSteps(session).recipients(new.audience, of: new.app.number)
        try activities.keep(recipients, of: number)
        for environment in APNsEnvironment.allCases {
            let isUsed = try integer(
                "SELECT EXISTS (SELECT 1 FROM devices WHERE app = ? AND environment = ? AND state = 'active')",
                [new.app.number.rawValue, environment.rawValue])
            if isUsed > 0 { try channels.insert(number, of: new.app.number, environment) }
        }
    }

    /// Updates or ends a Live Activity on all its phones; the audit list names who has ended it.
    func change(_ change: LiveActivityChange, by actor: AuditActor) throws -> ActivityAcceptance {
        let app = change.app.number
        if let repeated = try repetition(of: change.idempotencyKey, change.fingerprint, in: app) { return repeated }
        guard var known = try activities.activity(change.id, of: app) else { return .refused(.unknown) }
        if known.ended != nil { return change.isEnd ? .accepted(try report(known)) : .refused(.ended) }
        if !change.isEnd, now >= known.isOver { return .refused(.over) }
        let newest = known.content["content-state"]
        known.content = change.content
        known.content["content-state"] = change.content["content-state"] ?? newest
        known.revision += 1
        known.stamp = DeliveryLimits.activityStamp(after: known.stamp, at: now)
        known.changed = now
        if change.isEnd { known.ended = now }
        if let problem = known.tooLarge { return .refused(.tooLarge(problem)) }
        try activities.keep(known)
        if change.isEnd {
            try AuditTable(session).add(
                AuditNote(.liveActivityEnded, by: actor, app: change.app.topic, subject: change.id.rawValue))
        }
        try activities.remember(change.idempotencyKey, change.fingerprint, known.number, of: app)
        if try channels.channels(of: known).isEmpty {
            try pushes.queue(where: "activity_phones.activity = ?", [known.number])
        } else {
            try channels.hurry(known.number)
            try followTokens(of: known.number, in: app)
        }
        return try answer(known.number)
    }

    /// Queues the newest state for the phones with a token of their own, in steps.
    ///
    /// A task that has not begun brings the newest state to all of them, so ten updates in a second are not ten tasks.
    func followTokens(of number: Int64, in app: AppNumber) throws {
        let task = StepwiseWork.Task.tokens(StepwiseWork.Following(activity: number, app: app.rawValue))
        guard try !WorkTable(session).waits(StepwiseWork(task)) else { return }
        try WorkingInSteps(session).begin(task)
    }

    /// Returns the answer to a request whose idempotency key has come before; `nil` for a new one.
    private func repetition(
        of key: IdempotencyKey?, _ fingerprint: Data, in app: AppNumber
    ) throws -> ActivityAcceptance? {
        guard let key, let earlier = try activities.request(key) else { return nil }
        guard earlier.fingerprint == fingerprint, let known = try activities.activity(earlier.activity),
            known.app == app
        else { return .refused(.idempotencyKeyReused) }
        return .accepted(try report(known))
    }

    private func answer(_ number: Int64) throws -> ActivityAcceptance {
        guard let known = try activities.activity(number) else { return .refused(.unknown) }
        return .accepted(try report(known))
    }

    // MARK: Reports

    func report(_ id: MessageID, of app: AppNumber) throws -> LiveActivityReport? {
        try activities.activity(id, of: app).map(report)
    }

    private func report(_ known: StoredActivity) throws -> LiveActivityReport {
        var counts: [String: Int] = [:]
        var receipts: [String: Int] = [:]
        let channels = try channels.channels(of: known)
        // A change of very many phones must not count them: it holds up all other writers.
        for group in channels.isEmpty || !session.mayWrite ? try phones.groups(of: known) : [] {
            counts[group.phone.standing(isQueued: group.isQueued, at: now).rawValue, default: 0] += group.count
            for event in group.receipts { receipts[event.rawValue, default: 0] += group.count }
        }
        return LiveActivityReport(
            id: known.id, state: known.ended != nil ? .ended : now < known.isOver ? .running : .over,
            attributesType: known.type, revision: known.revision, startedAt: known.started, changedAt: known.changed,
            endedAt: known.ended, contentState: known.content["content-state"] ?? .object([:]),
            devices: known.devices, phones: counts, receipts: receipts,
            channels: channels.isEmpty ? nil : channels.map(LiveActivityReport.Channel.init), reason: known.nobody)
    }

    // MARK: Tokens

    /// Stores an installation's tokens for Live Activities in the place of those that it had before.
    ///
    /// A phone that registers the token of a Live Activity gets its newest state, or its end.
    func keep(_ tokens: [LiveActivityToken], of device: DeviceRecord) throws {
        let known = try Set(phones.tokens(of: device.id))
        let present = Set(tokens)
        guard known != present else { return }
        func names(_ tokens: Set<LiveActivityToken>) -> Set<[String?]> { Set(tokens.map { [$0.type, $0.id] }) }
        for token in known where !names(present).contains([token.type, token.id]) {
            try phones.delete(token, of: device.id)
            try phones.noteLoss(of: token, on: device.id)
        }
        for token in present.subtracting(known) {
            try phones.keep(token, of: device)
            try phones.note(token, isReplacement: names(known).contains([token.type, token.id]), on: device.id)
        }
        try pushes.queue(on: device.id)
    }
}

extension StoredActivity {
    /// The reason why a push with the newest state is too large for APNs; `nil` if it is not.
    fileprivate var tooLarge: String? {
        let event: LiveActivityEvent = ended == nil ? .start : .end
        var push = ClaimedActivity(
            id: id, phone: 0, event: event, type: type, attributes: attributes, content: content,
            stamp: stamp, until: isOver)
        if event == .start, content["alert"] == nil { push.content["alert"] = .object(alert) }
        do {
            _ = try push.payload()
            return nil
        } catch {
            return error.description
        }
    }
}
