import Foundation
import Testing

@Suite("carillon serve behind a proxy") struct TrustedProxyTests {
    @Test("--trusted-proxy: each address that the proxy names has its own limit; without it, the proxy is one address")
    func limits() async throws {
        let limit = ["--registrations-per-address", "1"]
        try await ServiceProgram.run(limit + ["--trusted-proxy", "127.0.0.1"]) { service in
            let first = try await ServiceProgram.register("a", for: "203.0.113.1", at: service.base)
            let other = try await ServiceProgram.register("b", for: "203.0.113.2", at: service.base)
            let again = try await ServiceProgram.register("c", for: "203.0.113.1", at: service.base)
            #expect(first == 200 && other == 200 && again == 429)
        }
        let ranges = ["--trusted-proxy", "fd00::/8", "--trusted-proxy", "127.0.0.0/8", "--host", "::"]
        try await ServiceProgram.run(limit + ranges) { service in
            // URLSession on Linux makes no connection to an IPv6 address; the listener takes IPv4 too.
            let port = try #require(service.base.port)
            let base = try #require(URL(string: "http://127.0.0.1:\(port)"))
            let first = try await ServiceProgram.register("a", for: "203.0.113.1:40001", at: base)
            let other = try await ServiceProgram.register("b", for: "203.0.113.2", at: base)
            let again = try await ServiceProgram.register("c", for: "203.0.113.1:40002", at: base)
            #expect(first == 200 && other == 200 && again == 429, "\(first), \(other), \(again)")
        }
        for others in [[], ["--trusted-proxy", "192.0.2.7"]] as [[String]] {
            try await ServiceProgram.run(limit + others) { service in
                let first = try await ServiceProgram.register("a", for: "203.0.113.1", at: service.base)
                let other = try await ServiceProgram.register("b", for: "203.0.113.2", at: service.base)
                #expect(first == 200 && other == 429, "the proxy is not believed")
            }
        }
    }
}
