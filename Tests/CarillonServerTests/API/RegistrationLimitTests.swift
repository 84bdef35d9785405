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
        for _ in 0..<3 { #expect(limiter.admit(from: IPAddress("1.2.3.4"), to: chime.number, at: .zero) == nil) }
        let refusal = limiter.admit(from: IPAddress("1.2.3.4"), to: chime.number, at: .zero)
        #expect(refusal?.call.seconds == 20 && refusal?.isOfAddress == true)
        #expect(limiter.admit(from: IPAddress("5.6.7.8"), to: chime.number, at: .zero) == nil)
        #expect(limiter.admit(from: IPAddress("1.2.3.4"), to: chime.number, at: .seconds(20)) == nil)
        #expect(limiter.admit(from: IPAddress("1.2.3.4"), to: chime.number, at: .seconds(20)) != nil)
    }

    @Test("an app takes so many a minute, and another app is not concerned")
    func app() {
        var limiter = RegistrationLimiter(limits)
        for index in 0..<5 {
            #expect(limiter.admit(from: IPAddress("1.1.1.\(index)"), to: chime.number, at: .zero) == nil)
        }
        #expect(limiter.admit(from: IPAddress("1.1.1.9"), to: chime.number, at: .zero)?.isOfAddress == false)
        #expect(limiter.admit(from: IPAddress("1.1.1.9"), to: ferry.number, at: .zero) == nil)
    }

    @Test("addresses that are counted are bounded, and the oldest is forgotten")
    func bounded() {
        var limiter = RegistrationLimiter(RegistrationLimiter.Limits(perAddress: 1, perApp: nil))
        for index in 0..<ServiceLimits.countedAddresses {
            #expect(
                limiter.admit(
                    from: IPAddress("10.0.\(index / 256).\(index % 256)"), to: chime.number, at: .milliseconds(index))
                    == nil)
        }
        let later = Duration.seconds(11)
        #expect(limiter.admit(from: IPAddress("192.0.2.1"), to: chime.number, at: later) == nil)
        #expect(limiter.admit(from: IPAddress("10.0.0.0"), to: chime.number, at: later) == nil, "forgotten")
        #expect(limiter.admit(from: IPAddress("10.0.19.136"), to: chime.number, at: later) != nil, "remembered")
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
            (["10.0.0.1"], "203.0.113.77:40001", "203.0.113.77"), (["10.0.0.1"], "[2001:db8::1]:443", "2001:db8::1"),
            (["10.0.0.1", "9.9.9.9"], "6.6.6.6, ::ffff:9.9.9.9", "6.6.6.6"),
            (["10.0.0.1"], "6.6.6.6, unknown", "10.0.0.1"),
        ] as [([String], String?, String)])
    func forwarded(_ proxies: [String], _ header: String?, _ address: String) throws {
        var fields = HTTPFields()
        if let header, let name = HTTPField.Name("X-Forwarded-For") { fields[name] = header }
        let head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/v1/devices", headerFields: fields)
        let request = Request(head: head, body: RequestBody(buffer: .init()))
        let trusted = TrustedProxies(try proxies.map { try AddressRange($0) })
        // A listener on `::` sees clients of IPv4 in the second form.
        for peer in ["10.0.0.1", "::ffff:10.0.0.1"] {
            let peer = Peer.address(try #require(IPAddress(peer)))
            #expect(ClientAddress.of(request, peer: peer, proxies: trusted)?.description == address)
        }
    }

    @Test(
        "a peer of the Unix socket is a trusted proxy, in either header; X-Forwarded-For comes first",
        arguments: [
            ([], nil), (["X-Forwarded-For: 6.6.6.6, 9.9.9.9"], "9.9.9.9"), (["X-Forwarded-For: unknown"], nil),
            (["X-Forwarded-For: "], nil), (["X-Forwarded-For: 6.6.6.6, 10.0.0.1"], "6.6.6.6"),
            (["Forwarded: for=9.9.9.9"], "9.9.9.9"),
            (["Forwarded: for=6.6.6.6", "Forwarded: For=9.9.9.9;by=x"], "9.9.9.9"),
            (["Forwarded: proto=https; for=\"[2001:db8::1]:4711\" ; by=10.0.0.9"], "2001:db8::1"),
            (["Forwarded: for=6.6.6.6, for=unknown"], nil), (["Forwarded: for=6.6.6.6, proto=https"], nil),
            (["Forwarded: for=\"_hidden, for=9.9.9.9\""], nil), (["Forwarded: for=\"9.9\\.9.9\""], "9.9.9.9"),
            (["Forwarded: for=\"a\\\", for=8.8.8.8\", for=9.9.9.9"], "9.9.9.9"), (["Forwarded: for"], nil),
            (["Forwarded: for=6.6.6.6", "X-Forwarded-For: 9.9.9.9"], "9.9.9.9"),
            (["Forwarded: for=6.6.6.6", "X-Forwarded-For: unknown"], nil),
        ] as [([String], String?)])
    func socket(_ headers: [String], _ address: String?) throws {
        var fields = HTTPFields()
        for header in headers {
            let parts = header.split(separator: ":", maxSplits: 1).map(String.init)
            fields.append(HTTPField(name: try #require(HTTPField.Name(parts[0])), value: String(parts[1].dropFirst())))
        }
        let head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/v1/devices", headerFields: fields)
        let request = Request(head: head, body: RequestBody(buffer: .init()))
        let trusted = TrustedProxies([try AddressRange("10.0.0.0/8")])
        #expect(ClientAddress.of(request, peer: .socket, proxies: trusted)?.description == address)
    }

    @Test("all clients whose address is unknown share the limit of one")
    func unknownAddress() {
        var limiter = RegistrationLimiter(limits)
        for _ in 0..<3 { #expect(limiter.admit(from: nil, to: chime.number, at: .zero) == nil) }
        #expect(limiter.admit(from: nil, to: chime.number, at: .zero)?.isOfAddress == true)
        #expect(limiter.admit(from: IPAddress("5.6.7.8"), to: chime.number, at: .zero) == nil)
    }

    @Test(
        "an IPv4 address is counted by itself, in either spelling, and an IPv6 address with its network",
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("::ffff:c000:207", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("192.0.2.7:443", "192.0.2.7"), ("[::1]:65535", "::"),
            ("fe80::1:2%eth0", "fe80::"),
        ])
    func network(address: String, counted: String) { #expect(IPAddress(address)?.network.description == counted) }

    @Test(
        "a text that is no address has no limit of its own",
        arguments: [
            "", "unknown", "_hidden", "1.2.3", "1.2.3.4:x", "[::1", "[::1]x", "1.2.3.4\0.5", "::g", "1.2.3.04",
        ])
    func noAddress(text: String) { #expect(IPAddress(text) == nil) }

    @Test(
        "a range has the addresses of its network, in any spelling",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true),
            ("192.0.2.7", "192.0.2.7:81", true), ("192.0.2.7/32", "192.0.2.8", false), ("0.0.0.0/0", "8.8.8.8", true),
            ("0.0.0.0/0", "::1", false), ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe00::1", false),
            ("2001:db8::/33", "2001:db8:7fff::", true), ("2001:db8::/33", "2001:db8:8000::", false),
            ("::ffff:10.0.0.0/104", "10.9.9.9", true), ("::1", "::1", true), ("::/0", "::ffff:1.2.3.4", false),
        ])
    func range(text: String, address: String, isInside: Bool) throws {
        let (range, address) = (try AddressRange(text), try #require(IPAddress(address)))
        #expect(range.contains(address) == isInside)
        #expect(try AddressRange(range.description) == range)
    }

    @Test(
        "a range that cannot be meant is refused with a word about it",
        arguments: [
            ("localhost", "expected an IP address"), ("10.0.0.0/33", "0 to 32 bits"), ("10.0.0.0/", "0 to 32 bits"),
            ("::/129", "0 to 128 bits"), ("10.0.0.7/8", "write 10.0.0.0/8"), ("10.0.0.0/+8", "0 to 32 bits"),
            ("10.0.0.0:80", "expected an IP address"), ("", "expected an IP address"),
        ])
    func mistake(text: String, word: String) {
        let mistake = #expect(throws: AddressRange.Mistake.self) { try AddressRange(text) }
        #expect(mistake?.description.contains(word) == true, "\(mistake?.description ?? "")")
    }
}
