import Testing

@testable import CarillonServer

@Suite("App versions")
struct AppVersionTests {
    @Test("are compared number by number")
    func order() throws {
        let sorted = ["0", "0.9", "1", "1.0.1", "1.2", "1.10", "2", "2.0.0.1", "10", "10.1", "99999999999"]
        for (left, right) in zip(sorted, sorted.dropFirst()) {
            let (less, more) = (try #require(AppVersion(left)), try #require(AppVersion(right)))
            #expect(less < more && !(more < less), "\(left), \(right)")
        }
        #expect(AppVersion("2.0") == AppVersion("2") && AppVersion("2.1-beta") == AppVersion("2.1"))
        for text in ["", "v2", "beta", ".5", "٣"] { #expect(AppVersion(text) == nil, "\(text)") }
    }
}
