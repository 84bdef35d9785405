import CarillonCore

/// Makes the devices of a Live Activity with channels its phones, in steps of bounded size, and queues their starts.
struct FollowingActivities: SessionPart {
    let session: StoreSession
    private let activities: ActivitiesTable
    private let phones: ActivityPhonesTable
    private let pushes: LiveActivityPushes
    private let audiences: AudienceQuery

    init(_ session: StoreSession) {
        self.session = session
        activities = ActivitiesTable(session)
        phones = ActivityPhonesTable(session)
        pushes = LiveActivityPushes(session)
        audiences = AudienceQuery(session)
    }

    /// Performs one step; the task's position is the number, or the ordinal, of the last device.
    ///
    /// - Returns: whether the task is finished.
    func step(_ following: StepwiseWork.Following, _ work: inout StepwiseWork) throws -> Bool {
        guard let known = try activities.activity(following.activity), known.ended == nil, now < known.startsUntil,
            let recipients = try activities.recipients(of: known.number)
        else {
            try activities.forgetRecipients(of: following.activity)
            return true
        }
        let from = Int64(work.position) ?? 0
        let (devices, reached) = try next(recipients, of: known, after: from)
        let last = try phones.last()
        try phones.insert(known.number, devices: devices)
        try pushes.queue(
            where: "activity_phones.activity = ? AND activity_phones.number > ?", [known.number, last])
        room -= max(1, devices.count)
        guard let reached else {
            try activities.forgetRecipients(of: known.number)
            return true
        }
        work.position = "\(reached)"
        return false
    }

    /// Performs one step: queues the newest state for phones with a token; the position is the number of the last phone.
    ///
    /// - Returns: whether the task is finished.
    func stepTokens(_ following: StepwiseWork.Following, _ work: inout StepwiseWork) throws -> Bool {
        guard let known = try activities.activity(following.activity) else { return true }
        let limit = room
        let found = try phones.phones(
            where: """
                activity_phones.activity = ? AND activity_phones.number > ? AND activity_phones.device IN
                    (SELECT device FROM activity_tokens WHERE app = ? AND type = ? AND id = ? AND id <> '' AND dead IS NULL)
                """,
            [known.number, Int64(work.position) ?? 0, known.app.rawValue, known.type, known.id.rawValue], limit: limit)
        try pushes.queue(found)
        room -= max(1, found.count)
        work.position = "\(found.last?.number ?? 0)"
        return found.count < limit
    }

    /// Returns the numbers of the next devices, and the position after them; `nil` at the end.
    private func next(
        _ recipients: StepwiseWork.Addressing.Recipients, of activity: StoredActivity, after first: Int64
    ) throws -> (devices: [Int64], reached: Int64?) {
        let limit = room
        switch recipients {
        case .users(let users): return try next(.users(users), of: activity, after: first, limit)
        case .devices(let devices): return try next(.devices(devices), of: activity, after: first, limit)
        case .everyone(let last): return try next(.everyone, of: activity, after: first, upTo: last, at: now, limit)
        case .matching(let last, let text, let moment):
            return try next(
                .matching(try AudienceParser.parse(text)), of: activity, after: first, upTo: last, at: moment, limit)
        }
    }

    private func next(
        _ audience: Audience, of activity: StoredActivity, after first: Int64, _ limit: Int
    ) throws -> (devices: [Int64], reached: Int64?) {
        let condition = try audiences.condition(audience, of: activity.app, at: now)
        let found: [Int64] = try rows(
            """
            SELECT number FROM devices WHERE state = 'active' AND token IS NOT NULL AND \(condition.sql) AND number > ?
            ORDER BY number LIMIT ?
            """, condition.arguments + [first, limit]
        ).map { try $0["number"] }
        return (found, found.count == limit ? found.last : nil)
    }

    private func next(
        _ audience: Audience, of activity: StoredActivity, after first: Int64, upTo last: Int64, at moment: Timestamp,
        _ limit: Int
    ) throws -> (devices: [Int64], reached: Int64?) {
        let isCostly = try audiences.costly(audience, of: activity.app) != nil
        let stretch = isCostly ? StoreLimits.decidedDevicesPerStep : StoreLimits.askedDevicesPerStep
        let end = min(last, first + stretch)
        guard end > first else { return ([], nil) }
        let condition = try audiences.condition(audience, of: activity.app, at: moment, within: first + 1...end)
        let found = try rows(
            """
            SELECT number, ordinal FROM devices WHERE state = 'active' AND token IS NOT NULL AND \(condition.sql)
            ORDER BY ordinal LIMIT ?
            """, condition.arguments + [limit])
        let reached = found.count == limit ? found.last?["ordinal"] ?? end : end
        return (try found.map { try $0["number"] }, reached >= last ? nil : reached)
    }
}
