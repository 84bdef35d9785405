import Testing

@testable import CarillonAPNs

@Suite("NO_PROXY, as curl and Go read it")
struct ProxyExceptionTests {
    private func isDirect(_ host: String, _ list: String, port: Int = 443) throws -> Bool {
        let environment = ["https_proxy": "http://proxy.test:3128", "no_proxy": list]
        return try APNsProxy.named(for: APNsEndpoint(host: host, port: port), in: environment) == nil
    }

    @Test(
        "hosts that are reached without the proxy",
        arguments: [
            ("api.push.apple.com", "*"), ("api.push.apple.com", "API.push.Apple.COM"),
            ("api.push.apple.com", "apple.com"), ("api.push.apple.com", ".apple.com"), ("apple.com", ".apple.com"),
            ("api.push.apple.com", "*.apple.com"), ("api.push.apple.com", "apple.com."),
            ("api.push.apple.com.", "apple.com"), ("api.push.apple.com", "x.test,\tpush.apple.com ,y.test"),
            ("api.push.apple.com", "x.test\npush.apple.com"), ("api.push.apple.com", "apple.com:443"),
            ("10.1.2.3", "10.0.0.0/8"), ("10.1.2.3", "10.1.2.3"), ("10.1.2.3", "0.0.0.0/0"),
            ("192.168.7.255", "192.168.6.0/23"), ("10.1.2.3", "10.1.2.3:443"), ("::1", "::1"), ("::1", "[::1]"),
            ("::1", "[::1]:443"), ("2001:db8::5", "2001:db8::/32"), ("2001:db8::5", "2001:0DB8:0:0::5"),
            ("2001:db8::5", "[2001:db8::]/32"),
        ])
    func direct(host: String, list: String) throws {
        #expect(try isDirect(host, list))
    }

    @Test(
        "hosts that the list does not name",
        arguments: [
            ("api.push.apple.com", "apple"), ("api.push.apple.com", "le.com"), ("apple.com", "*.apple.com"),
            ("api.push.apple.com", "apple.com:2197"), ("api.push.apple.com", "apple.com:"), ("api.push.apple.com", "."),
            ("api.push.apple.com", "*."), ("api.push.apple.com", ""), ("10.1.2.3", "11.0.0.0/8"),
            ("10.1.2.3", "10.1.2.3/33"), ("10.1.2.3", "10.1.2.0/-1"), ("10.1.2.3", "10.1.2.3:80"), ("10.1.2.3", "10."),
            ("192.168.8.0", "192.168.6.0/23"), ("::1", "::2"), ("2001:db9::5", "2001:db8::/32"), ("::1", "0.0.0.0/0"),
            ("ten.test", "10.0.0.0/8"), ("api.push.apple.com", "0.0.0.0/0"),
        ])
    func proxied(host: String, list: String) throws {
        #expect(try !isDirect(host, list))
    }
}
