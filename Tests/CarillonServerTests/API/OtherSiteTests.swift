import Foundation
import Testing

@testable import CarillonServer

/// Calls that a web page makes with its visitor's browser; docs/threat-model.md tells why each is refused or answered.
@Suite("Pages of other sites", .timeLimit(.minutes(5)))
struct OtherSiteTests {
    @Test(
        "a site whose name points at the service reads neither its metrics nor its health, in any spelling of the path",
        arguments: ["/metrics", "/healthz", "/metrics/", "//metrics", "/healthz?"])
    func rebinding(path: String) async throws {
        try await RunningService.run { service in
            for host in ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "carillon.example."] {
                #expect(try await service.status("GET", path, host: host) == 403, "\(host)")
                #expect(try await service.status("HEAD", path, host: host) == 403, "\(host)")
            }
            let answer = try await service.raw(
                "GET \(path) HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
            #expect(answer.contains("urn:carillon:problem:other-site") && answer.contains("--host-name"), "\(answer)")
        }
    }

    @Test("what tells nothing of an app answers under any name")
    func openPaths() async throws {
        try await RunningService.run { service in
            for path in ["/livez", "/readyz", "/openapi.json"] {
                let status = try await service.status("GET", path, host: "evil.example")
                #expect(status == 200, "\(path)")
            }
        }
    }

    @Test(
        "addresses, and names that nobody can register, need no setting",
        arguments: [
            "10.1.2.3:8080", "[fd00::1]:8080", "localhost:8080", "carillon", "carillon:8081",
            "carillon.default.svc.cluster.local", "ops.internal:80", "",
        ])
    func ownHosts(host: String) async throws {
        try await RunningService.run { service in
            let status = try await service.status("GET", "/metrics", host: host)
            #expect(status == 200)
        }
    }

    @Test("a host that is named is answered; a trusted proxy may pass any on")
    func named() async throws {
        try await RunningService.run(configure: { $0.hostNames = ["push.example.com"] }) { service in
            let named = try await service.status("GET", "/metrics", host: "PUSH.example.com:80")
            let other = try await service.status("GET", "/metrics", host: "x.push.example.com")
            #expect(named == 200 && other == 403)
        }
        let proxy = try AddressRange("127.0.0.1")
        try await RunningService.run(configure: { $0.proxies = [proxy] }) { service in
            let status = try await service.status("GET", "/metrics", host: "push.example.com")
            #expect(status == 200)
        }
    }

    private static let body = "Content-Type: text/plain\r\nContent-Length: 0\r\n"

    @Test(
        "a page of another site changes nothing with its visitor's browser",
        arguments: [
            "Origin: https://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
            "Origin: https://push.example.com\r\nSec-Fetch-Site: cross-site",
        ])
    func otherSite(field: String) async throws {
        try await RunningService.run { service in
            for method in ["POST", "DELETE"] {
                let status = try await service.status(
                    method, "/v1/devices/x", host: "push.example.com", "\(field)\r\n\(Self.body)")
                #expect(status == 403, "\(method)")
            }
            let reading = try await service.status("GET", "/livez", host: "push.example.com", "\(field)\r\n")
            #expect(reading == 200, "no other page can read the answer")
        }
    }

    @Test("the service's own page may call, also where a proxy ends TLS, or changes the host")
    func ownPage() async throws {
        let origin = "Origin: https://push.example.com"
        try await RunningService.run { service in
            for field in [origin, "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: none", "X: y"] {
                let status = try await service.deletion(field, host: "push.example.com")
                #expect(status == 401, "\(field)")
            }
            let compared = try await service.deletion(
                "\(origin)\r\nSec-Fetch-Site: same-origin", host: "127.0.0.1")
            let different = try await service.deletion(origin, host: "127.0.0.1")
            #expect(compared == 401 && different == 403)
        }
        let proxy = try AddressRange("127.0.0.1")
        try await RunningService.run(configure: { $0.proxies = [proxy] }) { service in
            let status = try await service.deletion(origin, host: "127.0.0.1")
            #expect(status == 401)
        }
    }
}

extension RunningService {
    /// The status of the answer to a request with a host and further fields, each with its end of line.
    fileprivate func status(
        _ method: String, _ path: String, host: String, _ fields: String = ""
    ) async throws -> Int? {
        let answer = try await raw(
            "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)Connection: close\r\n\r\n")
        return answer.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    /// The status of the answer to a call that changes something, with a further field.
    fileprivate func deletion(_ field: String, host: String) async throws -> Int? {
        try await status("DELETE", "/v1/devices/x", host: host, "\(field)\r\n")
    }
}
