import CarillonCore

/// The store's calls about apps.
package struct AppCalls: Sendable {
    let transactions: Transactions

    /// Creates an app, or changes the settings of an existing app.
    ///
    /// API keys that were created before the first app get access to that app.
    package func put(_ settings: AppSettings, by actor: AuditActor, at now: Timestamp) async throws -> AppRecord {
        try await transactions.write(at: now) { session in
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
    }

    /// Returns all apps, ordered by topic.
    package func all() async throws -> [AppRecord] { try await transactions.read { try AppsTable($0).all() } }

    package func app(_ topic: String) async throws -> AppRecord? {
        try await transactions.read { try AppsTable($0).app(topic) }
    }
}
