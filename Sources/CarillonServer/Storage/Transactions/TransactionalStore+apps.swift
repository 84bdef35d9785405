import CarillonCore

extension TransactionalStore {
    package func put(_ app: AppSettings, at now: Timestamp) async throws -> AppRecord {
        try await write(at: now) { try $0.put(app) }
    }

    package func apps() async throws -> [AppRecord] {
        try await read { transaction in
            try transaction.rows("SELECT * FROM apps ORDER BY topic").map(transaction.app)
        }
    }

    package func app(_ topic: String) async throws -> AppRecord? {
        try await read { try $0.app(topic) }
    }
}

extension StoreTransaction {
    fileprivate func put(_ settings: AppSettings) throws -> AppRecord {
        let isFirst = try integer("SELECT count(*) FROM apps") == 0
        try execute(
            """
            INSERT INTO apps (topic, requires_sign_in, created) VALUES (?, ?, ?)
            ON CONFLICT (topic) DO UPDATE SET requires_sign_in = coalesce(?, apps.requires_sign_in)
            """,
            [
                settings.topic, settings.requiresSignIn ?? false, now.millisecondsSince1970, settings.requiresSignIn,
            ])
        if let rate = settings.sendsPerSecond {
            try execute(
                "UPDATE apps SET sends_per_second = nullif(?, 0) WHERE topic = ?", [max(0, rate), settings.topic])
        }
        guard let app = try app(settings.topic) else { throw ServiceError(.storage, "the app was not written") }
        if isFirst {
            try execute(
                "INSERT INTO api_key_apps (key, app) SELECT id, ? FROM api_keys", [app.reference.number.rawValue])
        }
        for (environment, credential) in settings.credentials { try put(credential, environment, app.reference.number) }
        return try self.app(settings.topic) ?? app
    }

    private func put(_ credential: CredentialReference, _ environment: APNsEnvironment, _ app: AppNumber) throws {
        let ids: (key: String?, team: String?) =
            switch credential {
            case .signingKey(_, let keyID, let teamID): (keyID, teamID)
            case .certificate: (nil, nil)
            }
        try execute(
            """
            INSERT INTO app_credentials (app, environment, path, key_id, team_id) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (app, environment) DO UPDATE SET
                path = excluded.path, key_id = excluded.key_id, team_id = excluded.team_id
            """,
            [app.rawValue, environment.rawValue, credential.path, ids.key, ids.team])
    }

    fileprivate func app(_ topic: String) throws -> AppRecord? {
        try row("SELECT * FROM apps WHERE topic = ?", [topic]).map(app)
    }

    fileprivate func app(_ row: SQLRow) throws -> AppRecord {
        let number: Int64 = row["number"]
        var credentials: [APNsEnvironment: CredentialReference] = [:]
        for row in try rows("SELECT * FROM app_credentials WHERE app = ?", [number]) {
            let path: String = row["path"]
            let environment: APNsEnvironment = try row.choice("environment")
            if let keyID = row.text("key_id"), let teamID = row.text("team_id") {
                credentials[environment] = .signingKey(path: path, keyID: keyID, teamID: teamID)
            } else {
                credentials[environment] = .certificate(path: path)
            }
        }
        return AppRecord(
            reference: AppReference(number: AppNumber(rawValue: number), topic: row["topic"]),
            requiresSignIn: row["requires_sign_in"], credentials: credentials,
            sendsPerSecond: row["sends_per_second"], created: try row.requiredTimestamp("created"))
    }
}
