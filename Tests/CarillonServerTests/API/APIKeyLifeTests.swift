import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("The life of an API key")
struct APIKeyLifeTests {
    private func answer(_ service: RunningService, _ key: String) async throws -> RunningService.Answer {
        try await service.call("GET", "/v1/notifications/unknown", auth: key)
    }

    @Test("a key that expires works until then, also from the cache; the answer then says since when, and what to do")
    func expiry() async throws {
        try await RunningService.run { service in
            let made = try await service.keys.make(
                name: "contractor", scopes: [.read], apps: [chime], life: .milliseconds(1500))
            #expect(try await answer(service, made.key).status == 404)
            service.clock.advance(by: .milliseconds(1499))
            #expect(try await answer(service, made.key).status == 404)
            service.clock.advance(by: .milliseconds(1))
            let refused = try await answer(service, made.key)
            #expect(refused.status == 401)
            let detail = refused.json["detail"]?.stringValue ?? ""
            #expect(detail.contains("expired at \(noon + .milliseconds(1500))"), "\(detail)")
            #expect(detail.contains("`carillon api-keys rotate \(made.record.id)`"), "\(detail)")
            let wrong = made.key.dropLast() + (made.key.last == "0" ? "1" : "0")
            let unknown = try await answer(service, String(wrong)).json["detail"]?.stringValue ?? ""
            #expect(unknown.contains("not known or was revoked"), "nobody learns of a key without its secret")
        }
    }

    @Test("a rotated key works beside its successor for the overlap, and not longer; it never lives longer than before")
    func rotation() async throws {
        try await RunningService.run { service in
            let old = try await service.keys.make(name: "backend", scopes: [.read], apps: [chime])
            let rotated = try await service.keys.rotate(old.record.id, overlap: .seconds(3600), life: .seconds(86_400))
            let new = try #require(rotated)
            #expect(new.record.name == "backend" && new.record.scopes == [.read] && new.record.apps == [chime])
            #expect(new.record.expires == noon + .seconds(86_400) && new.record.id != old.record.id)
            for key in [old.key, new.key] { #expect(try await answer(service, key).status == 404) }
            service.clock.advance(by: .seconds(3600))
            #expect(try await answer(service, old.key).status == 401)
            #expect(try await answer(service, new.key).status == 404)

            _ = try await service.keys.rotate(old.record.id, overlap: .seconds(3600))
            #expect(try await answer(service, old.key).status == 401, "an expired key stays so")
            #expect(try await service.keys.revoke(new.record.id))
            #expect(try await service.keys.rotate(new.record.id, overlap: .zero) == nil)
            #expect(try await service.keys.rotate("none", overlap: .zero) == nil)
            let note = try await service.store.audit.entries(limit: 9).last { $0.action == "api-key-rotated" }
            #expect(note?.subject == new.record.id)
            #expect(note?.details.hasPrefix("for \(old.record.id), which expires ") == true)
        }
    }

    @Test("the last use of a key is stored when the service ends; a key that was refused is not in use")
    func lastUse() async throws {
        let store = try await StoreEngine.sqlite.make()
        let (used, unused) = try await RunningService.run(store: store) { service in
            let used = try await service.keys.make(name: "used", scopes: [.read], apps: [chime])
            let unused = try await service.keys.make(name: "unused", scopes: [.read], apps: [chime])
            _ = try await answer(service, used.key)
            service.clock.advance(by: .seconds(30))
            _ = try await answer(service, used.key)
            return (used.record.id, unused.record.id)
        }
        #expect(try await store.apiKey(used)?.lastUsed == noon + .seconds(30))
        let other = try await store.apiKey(unused)
        #expect(other != nil && other?.lastUsed == nil)
    }

    @Test(
        "an earlier use does not replace a later one, whichever process stores it first",
        arguments: StoreEngine.allCases)
    func uses(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.add(
            APIKeyRecord(id: "k", name: "k", secretHash: Data(), scopes: [.send], apps: [chime], created: noon))
        for (seconds, expected) in [(5, 5), (3, 5), (9, 9)] {
            try await store.keys.noteUses(["k": noon + .seconds(seconds), "gone": noon], at: noon)
            #expect(try await store.apiKey("k")?.lastUsed == noon + .seconds(expected))
        }
    }

    @Test("the audit list names the key of a call that changes an app, recalls, erases or imports")
    func audited() async throws {
        try await RunningService.run { service in
            let admin = try await service.keys.make(name: "ops", scopes: [.admin], apps: [chime])
            func status(_ method: String, _ path: String, _ json: JSONValue? = nil) async throws -> Int {
                let answer = try await service.call(method, path, body: json, auth: admin.key)
                return answer.status
            }
            #expect(try await status("PATCH", "/v1/app", ["sends_per_second": 9]) == 200)
            let payload: JSONValue = ["aps": ["alert": "Hello"]]
            #expect(
                try await status(
                    "POST", "/v1/notifications", ["id": "m", "to": ["everyone": true], "payload": payload]) == 202)
            #expect(try await status("DELETE", "/v1/notifications/m") == 202)
            #expect(try await status("DELETE", "/v1/users/ada") == 200)
            let device = #"{"token": "\#(String(repeating: "ab", count: 32))"}"#
            for _ in 0..<2 {
                let imported = try await service.call(
                    "POST", "/v1/devices/import", raw: Data(device.utf8), auth: admin.key,
                    headers: ["Content-Type": "application/x-ndjson"])
                #expect(imported.status == 200, "\(imported.json)")
            }
            let entries = try await service.store.audit.entries(limit: 4).reversed()
            #expect(
                entries.map { "\($0.action) \($0.subject) \($0.details)" } == [
                    "app-changed  9 pushes a second", "message-recalled m ", "user-erased  ",
                    "devices-imported  1 added, 0 updated, 0 unchanged, 0 registered already, 0 refused",
                ])
            #expect(entries.allSatisfy { $0.actor == "API key \(admin.record.id) (ops)" && $0.app == topic })
        }
    }
}
