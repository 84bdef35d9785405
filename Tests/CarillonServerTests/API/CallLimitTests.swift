import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("How often one caller may call")
struct CallLimitTests {
    private let limits = CallLimiter.Limits(perInstallation: 1, perKey: 2)
    private static let a = Credentials.installation(id: "a", secret: "s")
    private static let b = Credentials.installation(id: "b", secret: "s")
    private static let key = Credentials.key(id: "a", secret: "s")

    @Test("a caller makes so many calls at once, and then so many a second; others are not concerned")
    func calls() {
        var limiter = CallLimiter(limits)
        for _ in 0..<10 { #expect(limiter.admit(Self.a, bytes: 0, at: .zero) == nil) }
        let refusal = limiter.admit(Self.a, bytes: 0, at: .zero)
        #expect(refusal?.limit == "calls" && refusal?.seconds == 1)
        #expect(limiter.admit(Self.b, bytes: 0, at: .zero) == nil)
        #expect(limiter.admit(Self.key, bytes: 0, at: .zero) == nil)
        #expect(limiter.admit(Self.a, bytes: 0, at: .seconds(1)) == nil)
        #expect(limiter.admit(Self.a, bytes: 0, at: .seconds(1)) != nil)
    }

    @Test("a caller sends so many bytes, and the largest body always comes through once")
    func bytes() {
        var limiter = CallLimiter(limits)
        #expect(limiter.admit(Self.a, bytes: .max, at: .zero) == nil)
        let refusal = limiter.admit(Self.a, bytes: 1024, at: .zero)
        #expect(refusal?.limit == "bytes")
        #expect(limiter.admit(Self.a, bytes: 0, at: .zero) == nil)
        #expect(limiter.admit(Self.a, bytes: .max, at: ServiceLimits.callWindow) == nil)
    }

    @Test("callers that are counted are bounded, and one that goes on calling is not forgotten")
    func bounded() {
        var buckets = RateBuckets<Int>(Rate(quota: 1, window: .seconds(60)), keys: 100)
        buckets.take(1, of: -1, at: .zero)
        for key in 0..<1000 {
            buckets.take(1, of: key, at: .zero)
            buckets.take(0, of: -1, at: .zero)
        }
        #expect(buckets.wait(for: 1, of: -1, at: .zero) == .seconds(60))
        #expect(buckets.wait(for: 1, of: 0, at: .zero) == nil, "forgotten")
        #expect(buckets.wait(for: 1, of: 999, at: .zero) != nil)
    }

    @Test("a phone beyond its limit gets 429 with the headers that say when to come back; others are served")
    func installation() async throws {
        try await RunningService.run(calls: limits) { service in
            let (phone, other) = (TestPhone("a", on: service), TestPhone("b", on: service))
            for phone in [phone, other] { try await phone.register() }
            for _ in 0..<10 { #expect(try await phone.sync().status == 200) }
            for refused in [try await phone.sync(), try await phone.report(.shown, "x"), try await phone.register()] {
                #expect(refused.status == 429)
                #expect(refused.json["type"]?.stringValue?.hasSuffix("too-many-calls") == true)
                #expect(refused.headers["retry-after"] == "1")
                #expect(refused.headers["ratelimit-policy"] == #""calls";q=10;w=10"#)
                #expect(refused.headers["ratelimit"] == #""calls";r=0;t=1"#)
            }
            #expect(try await other.sync().status == 200)
            service.clock.advance(by: .seconds(1))
            #expect(try await phone.sync().status == 200)
        }
    }

    @Test("a key beyond its limit gets 429, and a wrong secret takes nothing from it")
    func key() async throws {
        try await RunningService.run(calls: limits) { service in
            func status(_ key: String) async throws -> Int {
                try await service.call("GET", "/v1/notifications/x", auth: key).status
            }
            for _ in 0..<30 { _ = try await status("\(service.key)x") }
            for _ in 0..<20 { #expect(try await status(service.key) == 404) }
            #expect(try await status(service.key) == 429)
        }
    }

    @Test("credentials have one spelling, and calls with further spaces in the header count as the same caller's")
    func spellings() async throws {
        try await RunningService.run(calls: limits) { service in
            let phone = TestPhone("a", on: service)
            try await phone.register()
            let others = [
                ":\(phone.credentials)", ":::\(phone.credentials)", "\(phone.credentials):", "a::\(phone.secret)",
                "a :\(phone.secret)", "a:\(phone.secret) ", "a:\(phone.secret.uppercased())", "A:\(phone.secret)",
                "%61:\(phone.secret)",
            ].filter { $0.trimmingCharacters(in: .whitespaces) != phone.credentials }
            for other in others {
                let answer = try await service.call("GET", "/v1/devices/a/sync", auth: other)
                #expect(answer.status == 401, "\(other): \(answer.status)")
            }
            var passed = 0
            for spaces in 0..<20 {
                let spelled = String(repeating: " ", count: spaces) + phone.credentials
                if try await service.call("GET", "/v1/devices/a/sync", auth: spelled).status == 200 { passed += 1 }
            }
            #expect(passed == 10)
        }
    }

    @Test("an installation whose id begins like an API key is an installation at every route")
    func idLikeAKey() async throws {
        try await RunningService.run { service in
            let phone = TestPhone("ck_phone", on: service)
            try await phone.register()
            #expect(try await phone.sync().status == 200)
            let shown = try await service.call("GET", "/v1/devices/ck_phone", auth: phone.credentials)
            #expect(shown.status == 200, "\(shown.json)")
            let deleted = try await service.call("DELETE", "/v1/devices/ck_phone", auth: phone.credentials)
            #expect(deleted.status == 204)
        }
    }
}
