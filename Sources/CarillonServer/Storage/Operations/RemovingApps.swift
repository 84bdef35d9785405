import CarillonCore

/// Removes an app at once, and then deletes its rows in steps of bounded size.
///
/// The removal itself is one short transaction. Every later step can be repeated, so after an interruption the deletion starts
/// again from the beginning.
struct RemovingApps: SessionPart {
    let session: StoreSession
    private let apps: AppsTable
    private let keys: KeysTable
    private let removed: RemovedAppsTable
    private let work: WorkTable
    private let messages: MessagesTable
    private let devices: DevicesTable
    private let deliveries: DeliveriesTable
    private let removals: RemovalsTable

    init(_ session: StoreSession) {
        self.session = session
        apps = AppsTable(session)
        keys = KeysTable(session)
        removed = RemovedAppsTable(session)
        work = WorkTable(session)
        messages = MessagesTable(session)
        devices = DevicesTable(session)
        deliveries = DeliveriesTable(session)
        removals = RemovalsTable(session)
    }

    // MARK: The removal

    /// Counts the data that a removal of the app deletes.
    func contents(of app: AppNumber) throws -> AppContents {
        let keys = try keys.keys(of: app)
        let credentials = try apps.topic(of: app).flatMap(apps.app)?.credentials.keys.map { $0 } ?? []
        return AppContents(
            credentials: APNsEnvironment.allCases.filter(credentials.contains),
            signInKeys: try self.keys.signInKeys(of: app).count,
            ownKeys: keys.filter { $0.apps.count == 1 }, sharedKeys: keys.filter { $0.apps.count > 1 },
            devices: try integer("SELECT count(*) FROM devices WHERE app = ?", [app.rawValue]),
            messages: try integer("SELECT count(*) FROM messages WHERE app = ?", [app.rawValue]),
            unsent: try unsentMessages(of: app))
    }

    /// Returns the number of an app's messages that still have something to send: a waiting push, or devices to be addressed.
    private func unsentMessages(of app: AppNumber) throws -> Int {
        let open = APNsEnvironment.allCases.map { SendingChannel.number(app.rawValue, $0) }
        let channels = Self.integers(open + open.map { -1 - $0 })
        return try integer(
            """
            SELECT count(*) FROM (
                SELECT message FROM deliveries
                    WHERE state = 'queued' AND sender IS NULL AND \(dialect.isAmongIntegers("channel")) AND message IS NOT NULL
                UNION SELECT work.message FROM work JOIN messages ON messages.number = work.message WHERE messages.app = ?
                UNION SELECT message FROM ranges WHERE app = ? AND open = 1
                UNION SELECT chunks.message FROM chunks JOIN ranges ON ranges.message = chunks.message
                    WHERE chunks.open = 1 AND ranges.app = ?) AS found
            """, [channels, app.rawValue, app.rawValue, app.rawValue])
    }

    /// Removes an app: deletes its credentials and keys, and notes that its other rows must be deleted.
    func remove(_ app: AppRecord, by actor: AuditActor) throws {
        let number = app.reference.number
        let audit = AuditTable(session)
        try audit.add(AuditNote(.appRemoved, by: actor, app: app.topic))
        for key in try keys.keys(of: number) where key.apps.count == 1 {
            try keys.revoke(key.id)
            try audit.add(AuditNote(.keyRevoked, key, by: actor))
        }
        try keys.delete(of: number)
        try apps.delete(number)
        try FeedTable(session).end(number)
        try WebhooksTable(session).deleteAll(of: number)
        try AlarmsTable(session).delete(of: number)
        try TemplatesTable(session).deleteAll(of: number)
        try ActivityChannelsTable(session).deleteAll(of: number)
        try removed.add(app.reference)
    }

    // MARK: The deletion

    /// Deletes the app's unfinished tasks (``StepwiseWork``) among the tasks that follow the number `number`.
    ///
    /// One call examines at most ``StoreLimits/rowsPerStep`` tasks.
    ///
    /// - Returns: the number of the last examined task; `nil` if no task is left.
    func deleteTasks(of app: AppNumber, after number: Int64) throws -> Int64? {
        let rows = try work.tasks(after: number, limit: StoreLimits.rowsPerStep)
        for task in rows where task.app == app.rawValue { try work.delete(task.number) }
        return rows.count < StoreLimits.rowsPerStep ? nil : rows.last?.number
    }

    /// Deletes the idempotency keys of the app's messages among the keys that follow the number `number`.
    ///
    /// One call examines at most ``StoreLimits/askedRequestsPerStep`` keys.
    ///
    /// - Returns: the number of the last examined key; `nil` if no key is left.
    func deleteRequests(of app: AppNumber, after number: Int64) throws -> Int64? {
        try messages.deleteRequests(of: app, after: number, limit: StoreLimits.askedRequestsPerStep)
    }

    /// Deletes messages of the app with all their rows, as far as one transaction may.
    ///
    /// - Returns: whether the app has no message left.
    func deleteMessages(of app: AppNumber) throws -> Bool {
        let purging = Purging(session)
        var left = StoreLimits.rowsPerStep
        while left > 0 {
            guard let message = try messages.anyMessage(of: app) else { return true }
            // A message without further rows costs some statements too.
            left -= try purging.delete(message, limit: left).rows + StoreLimits.statementsPerMessage
        }
        return false
    }

    /// Deletes devices of the app with all their rows, at most ``StoreLimits/devicesPerStep``.
    ///
    /// - Returns: whether the app has no device left.
    func deleteDevices(of app: AppNumber) throws -> Bool {
        let ids = try devices.ids(of: app, limit: StoreLimits.devicesPerStep)
        for id in ids { try deleteDevice(id) }
        return ids.count < StoreLimits.devicesPerStep
    }

    /// Deletes a device of a removed app with all its rows, except those on the timelines of its messages.
    func deleteDevice(_ id: String) throws {
        try deliveries.deleteAll(of: id)
        try removals.drop(of: id)
        try ActivityPhonesTable(session).drop(of: id)
        try WidgetTokensTable(session).drop(of: id)
        try devices.delete(id)
    }

    /// Deletes the app's remaining rows, which belong to no message and to no device.
    ///
    /// - Returns: whether none of these rows is left.
    func deleteRest(of app: AppNumber) throws -> Bool {
        let limit = StoreLimits.rowsPerStep
        let deleted =
            try devices.deleteClaims(of: app, limit: limit) + InboxTable(session).deleteCounts(of: app, limit: limit)
            + FeedTable(session).deleteRows(of: app, limit: limit)
            + FiguresTable(session).deleteRows(of: app, limit: limit)
        return deleted == 0
    }

    /// Records that all rows of the app are deleted.
    ///
    /// - Returns: whether this call has recorded it. False if another process has, and `nil` if the app still has rows.
    func end(_ app: AppNumber) throws -> Bool? {
        let left = try integer(
            """
            SELECT EXISTS (SELECT 1 FROM messages WHERE app = ?) OR EXISTS (SELECT 1 FROM devices WHERE app = ?)
                OR EXISTS (SELECT 1 FROM unread WHERE app = ?) OR EXISTS (SELECT 1 FROM feed WHERE app = ?)
                OR EXISTS (SELECT 1 FROM feed_users WHERE app = ?)
                OR EXISTS (SELECT 1 FROM activities WHERE app = ?)
                OR EXISTS (SELECT 1 FROM figures WHERE message = 0 AND app = ?)
            """, [app.rawValue, app.rawValue, app.rawValue, app.rawValue, app.rawValue, app.rawValue, app.rawValue])
        return left > 0 ? nil : try removed.end(app)
    }
}
