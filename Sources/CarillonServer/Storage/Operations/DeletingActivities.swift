import CarillonCore

/// Deletes Live Activities, and what they show of an erased user.
struct DeletingActivities: SessionPart {
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

    /// Deletes a bounded number of Live Activities that have not changed since ``StoreSession/now``, with their phones.
    ///
    /// Here this is not the present: the caller sets it to the time at which the retention period began.
    ///
    /// - Returns: whether some may be left.
    func purge() throws -> Bool { try delete(activities.old(limit: StoreLimits.activitiesPerStep)) }

    /// Deletes a bounded number of Live Activities of a removed app.
    ///
    /// - Returns: whether some may be left.
    func purge(_ app: AppNumber) throws -> Bool {
        try delete(activities.any(of: app, limit: StoreLimits.activitiesPerStep))
    }

    private func delete(_ numbers: [Int64]) throws -> Bool {
        for number in numbers {
            if let known = try activities.activity(number) { try phones.purgeTokens(of: known) }
            guard try phones.purge(number, limit: StoreLimits.rowsPerStep) < StoreLimits.rowsPerStep else {
                return true
            }
            try activities.delete(number)
        }
        return numbers.count == StoreLimits.activitiesPerStep
    }

    /// Empties and ends the Live Activities that were only for a user, and removes the user's id from all others.
    func erase(_ user: UserReference) throws {
        try activities.empty(phones.own(of: user))
        try activities.forget(user)
        try phones.forget(user)
    }

    /// Ends a user's Live Activities on a device that the user has left.
    func withdraw(_ user: UserReference, from device: String) throws {
        try phones.withdraw(user, from: device)
        try pushes.queue(on: device)
    }
}
