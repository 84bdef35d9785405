import CarillonCore
import Foundation
import FoundationNetworking
import TestSupport
import Testing

@Suite("carillon serve behind a proxy") struct TrustedProxyTests {
    /// Registers a new installation through a proxy on this machine, and returns the answer's status.
    private static func register(_ name: String, for address: String, at service: ServiceProgram) async throws -> Int {
        let body: JSONValue = [
            "installation": .string(name), "secret": .string(String(repeating: "5e", count: 32)),
            "topic": .string(ServiceProgram.topic), "environment": "sandbox", "permission": "authorized",
            "token": .string(Data(name.utf8).hexadecimal),
        ]
        var request = URLRequest(url: service.base.appending(path: "v1/devices"))
        request.httpMethod = "POST"
        request.httpBody = try body.encoded()
        request.setValue(address, forHTTPHeaderField: "X-Forwarded-For")
        let (_, response) = try await ProgramSession.own.data(for: request)
        return try #require(response as? HTTPURLResponse).statusCode
    }

    @Test("--trusted-proxy: each address that the proxy names has its own limit; without it, the proxy is one address")
    func limits() async throws {
        let limit = ["--registrations-per-address", "1"]
        try await ServiceProgram.run(limit + ["--trusted-proxy", "127.0.0.1"]) { service in
            let first = try await Self.register("a", for: "203.0.113.1", at: service)
            let other = try await Self.register("b", for: "203.0.113.2", at: service)
            let again = try await Self.register("c", for: "203.0.113.1", at: service)
            #expect(first == 200 && other == 200 && again == 429)
        }
        for others in [[], ["--trusted-proxy", "192.0.2.7"]] as [[String]] {
            try await ServiceProgram.run(limit + others) { service in
                let first = try await Self.register("a", for: "203.0.113.1", at: service)
                let other = try await Self.register("b", for: "203.0.113.2", at: service)
                #expect(first == 200 && other == 429, "the proxy is not believed")
            }
        }
    }
}
