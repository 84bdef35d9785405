import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("The audit list", .serialized)
struct AuditTests {
    private static let anna = AuditActor("anna on web-1")

    /// Makes four entries: two apps, and two keys.
    private func store(_ engine: StoreEngine) async throws -> Store {
        let store = try await engine.make()
        for id in ["k1", "k2"] {
            try await store.keys.add(
                APIKeyRecord(
                    id: id, name: "backend", secretHash: Data(), scopes: [.send, .read], apps: [chime], created: noon),
                by: Self.anna)
        }
        return store
    }

    private func lines(_ store: Store, after count: Int) async throws -> [String] {
        try await store.audit.entries(limit: 1000).reversed().dropFirst(count).map {
            "\($0.actor): \($0.action) \($0.app ?? "-") \($0.subject) \($0.details)"
        }
    }

    @Test(
        "tells who has changed keys and apps, and nothing of calls that change nothing", arguments: StoreEngine.allCases
    )
    func keysAndApps(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        let anna = Self.anna
        #expect(try await store.keys.revokeAPIKey("k1", by: anna, at: noon))
        #expect(try await store.keys.revokeAPIKey("k1", by: anna, at: noon))
        #expect(try await !store.keys.revokeAPIKey("none", by: anna, at: noon))
        let secret = SignInKey(id: "s", app: ferry.number, algorithm: .hs256, key: Data("secret".utf8), created: noon)
        #expect(try await store.keys.add(secret, for: ferry, by: anna))
        for expected in [true, true, false] {
            let id = expected ? "s" : "none"
            #expect(try await store.keys.revokeSignInKey(id, of: ferry, by: anna, at: noon) == expected)
        }
        let key = CredentialReference.signingKey(path: "/k.p8", keyID: "KEY", teamID: "TEAM")
        let settings = AppSettings(
            topic: chime.topic, requiresSignIn: true, sendsPerSecond: 5, credentials: [.sandbox: key])
        for _ in 0..<2 { _ = try await store.apps.put(settings, by: anna, at: noon) }
        #expect(
            try await lines(store, after: 2) == [
                "anna on web-1: api-key-created com.example.chime k1 backend: read, send for com.example.chime",
                "anna on web-1: api-key-created com.example.chime k2 backend: read, send for com.example.chime",
                "anna on web-1: api-key-revoked com.example.chime k1 backend: read, send for com.example.chime",
                "anna on web-1: sign-in-key-created com.example.ferry s HS256",
                "anna on web-1: sign-in-key-revoked com.example.ferry s ",
                "anna on web-1: app-changed com.example.chime  sign-in required; 5 pushes a second; sandbox: key KEY of team TEAM in /k.p8",
            ])
        #expect(try await store.audit.entries(of: ferry.topic, limit: 9).map(\.action).last == "app-added")
        let newest = try await store.audit.entries(limit: 1)
        #expect(try await store.audit.entries(before: newest[0].number, limit: 1).first?.subject == "s")
        #expect(newest.count == 1 && newest[0].moment == noon)
    }

    @Test("tells of a recall once, and of an erasure without the user", arguments: StoreEngine.allCases)
    func recallAndErasure(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        try await store.enrol([device("d", user: "ada-lovelace")], at: noon)
        _ = try await store.accept(try message("m", to: .everyone), at: noon)
        let reference = MessageReference(MessageID(test: "m"), of: chime.number)
        for notice in [nil, nil, RecallNotice(title: nil, body: "gone")] {
            _ = try await store.messages.recall(
                reference, notice: notice, SendingRules(), by: Self.anna, at: noon)
        }
        _ = try await store.messages.recall(
            MessageReference(MessageID(test: "none"), of: chime.number), notice: nil, SendingRules(), by: Self.anna,
            at: noon)
        let user = UserReference("ada-lovelace", of: chime.number)
        _ = try await store.users.erase(user, by: Self.anna, at: noon)
        _ = try await store.users.erase(user, by: nil, at: noon)
        #expect(
            try await lines(store, after: 4) == [
                "anna on web-1: message-recalled com.example.chime m ",
                "anna on web-1: message-recalled com.example.chime m with a notice",
                "anna on web-1: user-erased com.example.chime  ",
            ])
    }

    @Test("does not tell of unchanged settings again", arguments: StoreEngine.allCases)
    func settings(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        func note(_ subject: String, _ details: String) async throws -> Bool {
            try await store.audit.addIfChanged(
                AuditNote(.settingsChanged, by: Self.anna, subject: subject, details: details), at: noon)
        }
        #expect(try await note("web-1", "port=1"))
        #expect(try await !note("web-1", "port=1"))
        #expect(try await note("web-2", "port=1"))
        #expect(try await note("web-1", "port=2"))
        #expect(try await note("web-1", "port=1"))
    }

    @Test("is a list whose entries the database refuses to change and to delete", arguments: StoreEngine.allCases)
    func refused(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        let before = try await store.audit.entries(limit: 9)
        let columns = "number, moment, action, actor, subject, details, digest"
        let row = "SELECT number, moment, action, 'nobody', subject, details, digest FROM audit WHERE number = 1"
        let replacement =
            switch engine {
            case .sqlite: "INSERT OR REPLACE INTO audit (\(columns)) \(row)"
            case .postgresql:
                "INSERT INTO audit (\(columns)) \(row) ON CONFLICT (number) DO UPDATE SET actor = excluded.actor"
            }
        for sql in [
            replacement, "UPDATE audit SET actor = 'nobody'", "DELETE FROM audit", "DELETE FROM audit WHERE number = 1",
        ] {
            let error = await #expect(throws: (any Error).self, "\(sql)") {
                _ = try await store.write(at: noon) { try $0.changes(sql) }
            }
            #expect(
                error.map { "\($0)".contains("the audit list cannot be changed") } == true,
                "\(String(describing: error))")
        }
        #expect(try await store.audit.entries(limit: 9) == before && before.count == 4)
    }

    /// Changes the list as an administrator of the database can, who may drop the triggers.
    @Test("notices a changed, a missing and an added entry", arguments: StoreEngine.allCases)
    func verified(_ engine: StoreEngine) async throws {
        let changes: [(sql: String, broken: Int64?)] = [
            ("UPDATE audit SET actor = 'nobody' WHERE number = 2", 2),
            ("UPDATE audit SET moment = 5 WHERE number = 4", 4),
            ("UPDATE audit SET app = NULL WHERE number = 1", 1), ("DELETE FROM audit WHERE number = 2", 3),
            (
                """
                INSERT INTO audit (moment, action, actor, subject, details, digest)
                    SELECT moment, action, actor, subject, details, digest FROM audit WHERE number = 4
                """, 5
            ),
            ("DELETE FROM audit WHERE number = 4", nil),
        ]
        for (sql, broken) in changes {
            let store = try await store(engine)
            let whole = try await store.audit.check()
            let last = try #require(whole.last)
            #expect(whole == AuditCheck(count: 4, last: last, broken: nil, hasKept: true) && last.number == 4)
            #expect(try await store.audit.check(kept: last.digest).hasKept)
            #expect(try await !store.audit.check(kept: Data(repeating: 0, count: 32)).hasKept)
            try await store.write(at: noon) { session in
                switch engine {
                case .sqlite:
                    try session.execute("DROP TRIGGER audit_kept")
                    try session.execute("DROP TRIGGER audit_unchanged")
                case .postgresql: try session.execute("DROP TRIGGER audit_kept ON audit")
                }
                try session.execute(sql)
            }
            let check = try await store.audit.check(kept: last.digest)
            #expect(check.broken == broken, "\(sql)")
            #expect(check.hasKept == (broken != nil), "\(sql)")
        }
    }

    @Test("the digest is the SHA-256 of the digest before and a JSON array, so that others can compute it")
    func digest() throws {
        let entry = AuditEntry(
            number: 7, moment: Timestamp(millisecondsSince1970: 1), action: "app-added", actor: "a", app: nil,
            subject: "é", details: "\"", digest: Data())
        // printf '\1[1,"app-added","a",null,"é","\""]' | sha256sum
        #expect(
            try entry.digest(after: Data([1])).hexadecimal
                == "9d5523a06cf0b1f37a5f35ec53152474ef0301ea0caed9a613c27542296fcbc9")
    }
}
