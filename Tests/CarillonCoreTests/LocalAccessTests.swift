import Testing

@testable import CarillonCore

@Suite("Who may call a server on this machine")
struct LocalAccessTests {
    private func refusal(
        host: String?, origin: String? = nil, site: String? = nil, type: String? = nil, needsJSON: Bool = false,
        _ rules: LocalAccess = LocalAccess(advice: "here")
    ) -> Int? {
        rules.refusal(
            of: .init(host: host, origin: origin, fetchSite: site, contentType: type), needsJSON: needsJSON)?.status
    }

    @Test("a loopback name is taken, with and without a port", arguments: ["127.0.0.1:1", "LOCALHOST", "[::1]:80"])
    func loopback(host: String) {
        #expect(refusal(host: host) == nil)
        #expect(refusal(host: host, origin: "http://\(host)", site: "same-origin") == nil)
    }

    @Test("an address is taken only where addresses are, and no name that looks like one")
    func addresses() {
        let anyAddress = LocalAccess(names: ["Apns.Test"], takesAddresses: true, advice: "here")
        for host in ["192.168.0.2:80", "[fe80::1]", "0.0.0.0", "apns.test:1"] {
            #expect(refusal(host: host) == 403 && refusal(host: host, anyAddress) == nil, "\(host)")
        }
        for host in ["1.2.3.4.evil.example", "1.2.3", "1.2.3.256", "1.2.3.x", "", "[evil]", "apns.test.evil"] {
            #expect(refusal(host: host, anyAddress) == 403, "\(host)")
        }
        #expect(refusal(host: nil, anyAddress) == 403)
    }

    @Test("an origin is the server's own, with its scheme")
    func origins() {
        #expect(refusal(host: "localhost:1", origin: "http://localhost:2") == 403)
        #expect(refusal(host: "localhost:1", origin: "https://localhost:1") == 403)
        let secure = LocalAccess(scheme: "https", advice: "here")
        #expect(refusal(host: "localhost:1", origin: "https://localhost:1", secure) == nil)
        for site in ["cross-site", "same-site"] { #expect(refusal(host: "localhost", site: site) == 403) }
    }

    @Test(
        "a body that a form can send is none",
        arguments: [nil, "text/plain", "application/jsonp", "multipart/form-data"])
    func bodies(type: String?) {
        #expect(refusal(host: "localhost", type: type, needsJSON: true) == 415)
        #expect(refusal(host: "localhost", type: "Application/JSON;charset=utf-8", needsJSON: true) == nil)
    }
}
