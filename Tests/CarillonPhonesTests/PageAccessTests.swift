import HTTPTypes
import Testing

@testable import CarillonPhones

@Suite("Who may use the phones' routes")
struct PageAccessTests {
    @Test("the page on this machine may", arguments: ["127.0.0.1:8080", "localhost:8080", "LOCALHOST", "[::1]:8080"])
    func ownPage(authority: String) {
        let headers: HTTPFields = [.contentType: "application/json", .origin: "http://\(authority)"]
        #expect(PageAccess.refusal(method: .post, authority: authority, headers: headers) == nil)
        #expect(PageAccess.refusal(method: .get, authority: authority, headers: [:]) == nil)
    }

    @Test(
        "a name that someone else can point here may not",
        arguments: ["evil.example", "127.0.0.1.evil.example:8080", "localhost.evil.example", "", "192.168.0.2:8080"])
    func otherName(authority: String) {
        #expect(PageAccess.refusal(method: .get, authority: authority, headers: [:])?.status == .forbidden)
    }

    @Test("a request without a host may not")
    func noHost() {
        #expect(PageAccess.refusal(method: .get, authority: nil, headers: [:])?.status == .forbidden)
    }

    @Test(
        "another origin may not, not even another port of this machine",
        arguments: ["http://evil.example", "http://127.0.0.1:9999", "https://127.0.0.1:8080", "null"])
    func otherOrigin(origin: String) {
        let headers: HTTPFields = [.origin: origin, .contentType: "application/json"]
        #expect(PageAccess.refusal(method: .post, authority: "127.0.0.1:8080", headers: headers)?.status == .forbidden)
    }

    @Test(
        "what a plain form can send is no change", arguments: [nil, "text/plain", "application/x-www-form-urlencoded"])
    func formBodies(type: String?) {
        var headers: HTTPFields = [:]
        headers[.contentType] = type
        let refusal = PageAccess.refusal(method: .post, authority: "127.0.0.1:8080", headers: headers)
        #expect(refusal?.status == .unsupportedMediaType)
    }
}
