import CarillonCore
import Foundation

@testable import CarillonServer

/// The rows of a store by table, and those among them that belong to the app ``chime``.
struct AppRows {
    /// The numbers and ids of what the app has, by which its rows are found after the app is gone.
    struct Names: Sendable {
        var messages: [Int64]
        var chunks: [Int64]
        var devices: [String]
    }

    /// The columns of each table, without those of the version and of the audit list.
    private static func columns(of store: Store) async throws -> [String: Set<String>] {
        try await store.read { session in
            let sql =
                switch session.dialect.engine {
                case .sqlite:
                    """
                    SELECT tables.name AS "table", columns.name FROM sqlite_master AS tables
                        JOIN pragma_table_info(tables.name) AS columns
                    WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'
                    """
                case .postgreSQL:
                    """
                    SELECT CAST(table_name AS TEXT) AS "table", CAST(column_name AS TEXT) AS name
                    FROM information_schema.columns WHERE table_schema = current_schema()
                    """
                }
            return try Dictionary(grouping: try session.rows(sql)) { try $0["table"] as String }
                .mapValues { try Set($0.map { try $0["name"] as String }) }
                .filter { ![Schema.versionTable, "audit"].contains($0.key) }
        }
    }

    /// Returns the numbers and ids of what the app has now.
    static func names(in store: Store) async throws -> Names {
        try await store.read { session in
            func numbers(_ sql: String) throws -> [Int64] { try session.rows(sql).map { try $0["number"] } }
            return Names(
                messages: try numbers("SELECT number FROM messages WHERE app = 1"),
                chunks: try numbers(
                    "SELECT number FROM chunks WHERE message IN (SELECT number FROM messages WHERE app = 1)"),
                devices: try session.rows("SELECT id FROM devices WHERE app = 1").map { try $0["id"] })
        }
    }

    /// Counts the rows of each table, those of all apps and those of the app ``chime``.
    static func counts(in store: Store, _ names: Names) async throws -> (all: [String: Int], own: [String: Int]) {
        let tables = try await columns(of: store)
        return try await store.read { session in
            func list(_ names: [String]) -> String { names.isEmpty ? "NULL" : names.joined(separator: ", ") }
            let messages = list(names.messages.map { "\($0)" })
            let devices = list(names.devices.map { "'\($0)'" })
            let chunks = list(names.chunks.map { "\($0)" })
            let conditions = [
                "app": "app = 1", "message": "message IN (\(messages))", "device": "device IN (\(devices))",
                "channel": "channel IN (2, 3, -3, -4)", "chunk": "chunk IN (\(chunks))",
            ]
            var (all, own): ([String: Int], [String: Int]) = ([:], [:])
            for (table, columns) in tables {
                all[table] = try session.integer("SELECT count(*) FROM \(table)")
                var parts = conditions.filter { columns.contains($0.key) }.map(\.value)
                if table == "apps" { parts.append("number = 1") }
                // Its messages and devices are ids, which both apps may have.
                if table == "feed" { parts = ["app = 1"] }
                // Names of users and devices of this app begin with c, as no member of these tasks does.
                if table == "work" { parts.append(#"(message IS NULL AND state LIKE '%"c%')"#) }
                guard !parts.isEmpty else { continue }
                let count = try session.integer(
                    "SELECT count(*) FROM \(table) WHERE \(parts.joined(separator: " OR "))")
                if count > 0 { own[table] = count }
            }
            return (all, own)
        }
    }

    /// Makes a store whose two apps have rows in all tables that an app can have rows in.
    ///
    /// Users and messages of both apps have equal ids where they can.
    static func store(_ engine: StoreEngine) async throws -> Store {
        let store = try await engine.make(ranges: RangeRules(devices: 3, chunkDevices: 4))
        let key = CredentialReference.signingKey(path: "/k.p8", keyID: "KEY", teamID: "TEAM")
        for (app, name) in [(chime, "c"), (ferry, "f")] {
            _ = try await store.put(
                AppSettings(topic: app.topic, credentials: [.sandbox: key, .production: key]), at: noon)
            _ = try await store.add(
                SignInKey(id: "s", app: app.number, algorithm: .hs256, key: Data("secret".utf8), created: noon))
            try await addKey("\(name)-key", to: [app], in: store)
            _ = try await store.feed.read(app.number, after: nil, FeedSelection(), limit: 1, at: noon)
            try await store.enrol(
                (0..<6).map { device("\(name)\($0)", user: "u\($0)", app: app, tags: ["t"]) }, at: noon)
        }
        for (app, name) in [(chime, "c"), (ferry, "f")] {
            let webhook = Webhook(
                id: "\(name)-hook", app: app.number, url: "https://example.com", selection: FeedSelection(),
                created: noon, due: noon)
            _ = try await store.webhooks.add(
                webhook, secret: Data(count: 32), for: app, by: AuditActor("test"), at: noon)
            _ = try await store.templates.store(
                "t", ["payload": ["aps": ["alert": "Hi"]]], of: app, by: AuditActor("test"), at: noon)
            let alarm = SendingGates.Alarm(
                app: AppID(topic: app.topic, environment: .sandbox), trouble: .silence, since: noon)
            try await store.sending.keep(
                UnwrittenAlarms.Change(raised: [alarm], over: []), of: SenderNumber(rawValue: 1), at: noon)
            try await fill(store, app, name)
        }
        try await addKey("both", to: [chime, ferry], in: store)
        return store
    }

    static func addKey(_ id: String, to apps: [AppReference], in store: Store) async throws {
        try await store.add(
            APIKeyRecord(
                id: id, name: "backend", secretHash: Data(id.utf8), scopes: [.send, .read], apps: apps, created: noon))
    }

    private static func fill(_ store: Store, _ app: AppReference, _ name: String) async throws {
        func reference(_ id: String) -> MessageReference { MessageReference(MessageID(test: id), of: app.number) }
        func claim(_ limit: Int) async throws -> [ClaimedDelivery] {
            let only = AppID(topic: app.topic, environment: .sandbox)
            return try await store.claim(TestClaim(worker: name, limit: limit, only: only), at: noon).deliveries
        }
        // One broadcast is sent to a part of the devices; removals of the other are in flight.
        for id in ["old", "news"] {
            _ = try await store.accept(try message(id, to: .everyone, app: app), at: noon)
            try await store.settle(try await claim(5).dropLast().map { $0.settled() }, at: noon)
        }
        _ = try await store.recall(reference("old"), at: noon)
        _ = try await claim(3)
        // A message to users that was opened and is recalled; others that are paused, scheduled or waiting.
        var read = try message("read", to: .users(["u0", "u1"]), key: "\(name)-read", app: app)
        read.variables = ["u0": ["name": "Ada"]]
        _ = try await store.accept(read, at: noon)
        try await store.settle(try await claim(100).map { $0.settled() }, at: noon)
        _ = try await store.record([receipt(.opened, "read")], from: "\(name)0", at: noon)
        _ = try await store.recall(reference("read"), at: noon)
        for id in ["paused", "later", "open", "waiting"] {
            let audience: Audience = id == "open" ? .everyone : .users(["u0", "u1"])
            var new = try message(id, to: audience, key: "\(name)-\(id)", app: app)
            if id == "later" { new.sendAt = noon + .seconds(86_400) }
            _ = try await store.accept(new, at: noon)
            if id == "paused" { _ = try await store.steer(reference(id), .pause, at: noon) }
            if id == "open" { _ = try await claim(3) }
        }
        // A Live Activity with tokens, and the key of its start.
        try await store.tokens(start: "aa", ["match-7": "bb"], of: "\(name)0")
        try await store.start(to: .users(["u0", "u1"]), key: "\(name)-match", app: app)
        // A token for widgets, whose reload waits.
        try await store.register(widgets: "ab", of: "\(name)0")
        try await store.reload(to: .devices(["\(name)0"]), app: app)
        // A claim to another installation's token.
        _ = try await store.register(
            device("\(name)6", token: Data("\(name)5".utf8).hexadecimal, secret: 2, app: app), at: noon)
        try await store.write(at: noon) { session in
            let tasks: [StepwiseWork.Task] = [
                .read(.init(app: app.number.rawValue, user: "\(name)-user", device: nil, messages: [])),
                .signOut(.init(device: "\(name)0", user: "u0", settled: 0)),
                .erase(app: app.number.rawValue, user: "\(name)-user"),
            ]
            for task in tasks { try WorkTable(session).schedule(StepwiseWork(task), due: WorkTable.never) }
        }
    }
}
