import CarillonCore

/// The store's calls about apps.
package struct AppCalls: Sendable {
    let transactions: Transactions

    /// Creates an app, or changes the settings of an existing app.
    ///
    /// API keys that were created before the first app get access to that app.
    package func put(_ settings: AppSettings, by actor: AuditActor, at now: Timestamp) async throws -> AppRecord {
        try await transactions.write(at: now) { try Self.put(settings, by: actor, in: $0) }
    }

    /// Changes the settings of an existing app.
    ///
    /// - Parameters:
    ///   - app: the app. An app that was added with its bundle id after its removal is another app, and is not changed.
    ///   - settings: the new settings.
    ///   - tags: entity tags, one of them the app's; `nil` for a change of any state.
    ///   - actor: the person or program that the audit list names.
    ///   - now: the time of the call.
    /// - Returns: the changed app; `nil` if the app was removed meanwhile.
    /// - Throws: ``OtherEntityTag`` if none of `tags` is the app's, and the errors of the database.
    package func change(
        _ app: AppReference, _ settings: AppSettings, ifMatching tags: [String]? = nil, by actor: AuditActor,
        at now: Timestamp
    ) async throws -> AppRecord? {
        try await transactions.write(at: now) { session in
            guard let known = try AppsTable(session).app(app.topic), known.reference == app else { return nil }
            guard tags?.contains(known.tag) ?? true else { throw OtherEntityTag() }
            return try Self.put(settings, by: actor, in: session)
        }
    }

    private static func put(
        _ settings: AppSettings, by actor: AuditActor, in session: StoreSession
    ) throws -> AppRecord {
        let (apps, keys) = (AppsTable(session), KeysTable(session))
        let isFirst = try apps.isEmpty
        let former = try apps.app(settings.topic)
        let app = try apps.put(settings)
        if isFirst { try keys.openAll(to: app.reference.number) }
        if former != app {
            try AuditTable(session).add(
                AuditNote(
                    former == nil ? .appAdded : .appChanged, by: actor, app: app.topic,
                    details: app.changes(from: former)))
        }
        return app
    }

    /// Tells the feeds of apps that their certificates end soon, each once.
    package func tell(_ ending: [EndingCredential], at now: Timestamp) async throws {
        try await transactions.write(at: now) { session in
            for credential in ending { try AppsTable(session).tell(credential) }
        }
    }

    /// Returns all apps, ordered by topic.
    package func all() async throws -> [AppRecord] { try await transactions.read { try AppsTable($0).all() } }

    package func app(_ topic: String) async throws -> AppRecord? {
        try await transactions.read { try AppsTable($0).app(topic) }
    }

    // MARK: Removal

    /// Returns the data of an app that its removal deletes.
    package func contents(of app: AppReference) async throws -> AppContents {
        try await transactions.read { try RemovingApps($0).contents(of: app.number) }
    }

    /// Removes an app.
    ///
    /// From the commit on, senders claim no push of the app, and its credentials, sign-in keys and access by API keys are gone.
    /// API keys that were for this app only are revoked. A sender later deletes the app's devices and messages
    /// (``UpkeepCalls/delete(_:at:)``).
    ///
    /// - Parameters:
    ///   - app: the app. An app that was added with its bundle id after its removal is another app, and stays.
    ///   - actor: the person that the audit list names.
    ///   - now: the time of the call.
    /// - Returns: whether the app still existed.
    /// - Throws: the errors of the database.
    package func remove(_ app: AppReference, by actor: AuditActor, at now: Timestamp) async throws -> Bool {
        try await transactions.write(at: now) { session in
            guard let record = try AppsTable(session).app(app.topic), record.reference == app else { return false }
            try RemovingApps(session).remove(record, by: actor)
            return true
        }
    }
}
