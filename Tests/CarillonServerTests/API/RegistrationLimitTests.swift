import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import CarillonServer

@Suite("How many new installations may come")
struct RegistrationLimitTests {
    private let limits = RegistrationLimiter.Limits(perAddress: 3, perApp: 5)

    @Test("one address makes so many a minute, and waits for the next as long as it is told")
    func address() {
        var limiter = RegistrationLimiter(limits)
        for _ in 0..<3 { #expect(limiter.admit(from: "1.2.3.4", to: chime.number, at: .zero) == nil) }
        let refusal = limiter.admit(from: "1.2.3.4", to: chime.number, at: .zero)
        #expect(refusal?.call.seconds == 20 && refusal?.isOfAddress == true)
        #expect(limiter.admit(from: "5.6.7.8", to: chime.number, at: .zero) == nil)
        #expect(limiter.admit(from: "1.2.3.4", to: chime.number, at: .seconds(20)) == nil)
        #expect(limiter.admit(from: "1.2.3.4", to: chime.number, at: .seconds(20)) != nil)
    }

    @Test("an app takes so many a minute, and another app is not concerned")
    func app() {
        var limiter = RegistrationLimiter(limits)
        for index in 0..<5 { #expect(limiter.admit(from: "1.1.1.\(index)", to: chime.number, at: .zero) == nil) }
        #expect(limiter.admit(from: "1.1.1.9", to: chime.number, at: .zero)?.isOfAddress == false)
        #expect(limiter.admit(from: "1.1.1.9", to: ferry.number, at: .zero) == nil)
    }

    @Test("addresses that are counted are bounded, and the oldest is forgotten")
    func bounded() {
        var limiter = RegistrationLimiter(RegistrationLimiter.Limits(perAddress: 1, perApp: nil))
        for index in 0..<ServiceLimits.countedAddresses {
            #expect(limiter.admit(from: "\(index)", to: chime.number, at: .milliseconds(index)) == nil)
        }
        let later = Duration.seconds(11)
        #expect(limiter.admit(from: "new", to: chime.number, at: later) == nil)
        #expect(limiter.admit(from: "0", to: chime.number, at: later) == nil, "forgotten")
        #expect(limiter.admit(from: "5000", to: chime.number, at: later) != nil, "remembered")
    }

    @Test("beyond the limit the answer is 429 with Retry-After, and known installations are not concerned")
    func routes() async throws {
        try await RunningService.run(limits: limits) { service in
            for id in ["a", "b", "c"] { #expect(try await TestPhone(id, on: service).register().status == 200) }
            let refused = try await TestPhone("d", on: service).register()
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"] == "20")
            #expect(refused.headers["ratelimit-policy"] == #""registrations";q=3;w=60"#)
            #expect(refused.headers["ratelimit"] == #""registrations";r=0;t=20"#)
            #expect(refused.contentType == "application/problem+json")
            #expect(try await TestPhone("a", on: service).register().status == 200)
            service.clock.advance(by: .seconds(20))
            #expect(try await TestPhone("d", on: service).register().status == 200)
        }
    }

    // MARK: Whose address it is

    @Test(
        "a forwarded address counts only when a named proxy says it",
        arguments: [
            ([], "9.9.9.9", "10.0.0.1"), (["10.0.0.1"], "9.9.9.9", "9.9.9.9"),
            (["10.0.0.1"], "6.6.6.6, 9.9.9.9", "9.9.9.9"), (["10.0.0.1", "9.9.9.9"], "6.6.6.6, 9.9.9.9", "6.6.6.6"),
            (["10.0.0.1"], nil, "10.0.0.1"), (["10.0.0.1"], " , ", "10.0.0.1"),
        ] as [(Set<String>, String?, String)])
    func forwarded(_ proxies: Set<String>, _ header: String?, _ address: String) {
        var fields = HTTPFields()
        if let header, let name = HTTPField.Name("X-Forwarded-For") { fields[name] = header }
        let head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/v1/devices", headerFields: fields)
        let request = Request(head: head, body: RequestBody(buffer: .init()))
        #expect(ClientAddress.of(request, peer: "10.0.0.1", proxies: proxies) == address)
    }

    @Test(
        "an IPv4 address is counted by itself, in either spelling, and an IPv6 address with its network",
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("::ffff:c000:207", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "20010db800010002/64"), ("no address", "no address"),
        ])
    func network(address: String, counted: String) { #expect(ClientAddress.network(address) == counted) }
}
