import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("API keys are looked up once a second")
struct APIKeyCacheTests {
    private static func record(_ id: String) -> APIKeyRecord {
        APIKeyRecord(id: id, name: id, secretHash: Data(), scopes: [.send], apps: [chime], created: noon)
    }

    @Test("a key is known for a second after the store was asked, and not longer")
    func life() {
        var cache = APIKeyCache()
        #expect(cache.record("a", at: .zero) == nil)
        cache.keep(Self.record("a"), asked: .seconds(5), at: noon)
        #expect(cache.record("a", at: .milliseconds(5999))?.id == "a")
        #expect(cache.record("a", at: .seconds(6)) == nil)
        #expect(cache.record("b", at: .seconds(5)) == nil)
    }

    @Test("it knows a limited number of keys, and the one that was looked up last")
    func limit() {
        var cache = APIKeyCache()
        for number in 0...ServiceLimits.cachedAPIKeys { cache.keep(Self.record("\(number)"), asked: .zero, at: noon) }
        #expect(cache.record("\(ServiceLimits.cachedAPIKeys)", at: .zero) != nil)
        let known = (0...ServiceLimits.cachedAPIKeys).filter { cache.record("\($0)", at: .zero) != nil }
        #expect(known.count <= ServiceLimits.cachedAPIKeys)
    }

    @Test("a key that was revoked is refused a second later at the latest, and a new one works at once")
    func revoked() async throws {
        try await RunningService.run { service in
            func status(_ key: String) async throws -> Int {
                try await service.call("GET", "/v1/notifications/unknown", auth: key).status
            }
            let made = try await service.keys.make(name: "backend", scopes: [.read], apps: [chime])
            #expect(try await status(made.key) == 404)
            let wrong = made.key.dropLast() + (made.key.last == "0" ? "1" : "0")
            #expect(try await status(String(wrong)) == 401, "the secret is compared each time")
            #expect(try await service.keys.revoke(made.record.id))
            service.clock.advance(by: ServiceLimits.apiKeyCacheLife)
            #expect(try await status(made.key) == 401)
        }
    }
}
