import CarillonCore

/// Makes the devices of a Live Activity with channels its phones, in steps of bounded size, and queues their starts.
struct FollowingActivities: SessionPart {
    let session: StoreSession
    private let activities: ActivitiesTable
    private let phones: ActivityPhonesTable
    private let pushes: LiveActivityPushes

    init(_ session: StoreSession) {
        self.session = session
        activities = ActivitiesTable(session)
        phones = ActivityPhonesTable(session)
        pushes = LiveActivityPushes(session)
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
        let (devices, reached) = try DevicesInSteps(session).next(recipients, of: known.app, after: from)
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
}
