import CarillonCore
import NIOCore
import NIOPosix
import Testing

@testable import CarillonServer

@Suite("What follows from an attempt at a webhook's request")
struct WebhookPaceTests {
    private func outcome(_ answer: WebhookPace.Answer, after failures: Int = 0) -> WebhookPace.Outcome {
        WebhookPace.outcome(of: answer, after: failures, at: noon, jitter: 1)
    }

    @Test("only 2xx is a success: a redirect is none", arguments: [200, 204, 299, 301, 308, 400, 404, 429, 500, 503])
    func statuses(_ status: Int) {
        let result = outcome(.status(status))
        if status < 300 {
            #expect(result == .delivered)
        } else {
            #expect(result == .again(at: noon + .seconds(5), answer: "\(status)"))
        }
    }

    @Test("the waits grow to two hours, and after about a day the webhook is set aside")
    func day() {
        var (now, failures) = (noon, 0)
        while case .again(let due, _) = WebhookPace.outcome(of: .failed("no"), after: failures, at: now, jitter: 0.5) {
            #expect(due - now <= .seconds(2 * 3600))
            (now, failures) = (due, failures + 1)
        }
        #expect(failures + 1 == WebhookPace.attempts)
        #expect(now - noon > .seconds(16 * 3600) && now - noon < .seconds(30 * 3600), "\(now - noon)")
    }

    @Test("410 sets it aside at once; Retry-After is obeyed up to two hours")
    func asked() {
        #expect(outcome(.status(410, text: "gone")) == .setAside(answer: "410: gone"))
        #expect(outcome(.status(503, retryAfter: .seconds(60))) == .again(at: noon + .seconds(60), answer: "503"))
        #expect(
            outcome(.status(503, retryAfter: .seconds(1 << 60))) == .again(at: noon + .seconds(7200), answer: "503"))
        #expect(outcome(.status(503, retryAfter: .seconds(-5))) == .again(at: noon + .seconds(5), answer: "503"))
    }

    @Test("Retry-After may be a date; one that has passed, or that nobody can read, asks for nothing")
    func dates() {
        // Noon is a time of 15 January 2027.
        let text = "Fri, 15 Jan 2027 08:01:00 GMT"
        #expect(RetryAfter(text) == .moment(noon + .seconds(60)))
        #expect(outcome(.status(503, retryAfter: RetryAfter(text))) == .again(at: noon + .seconds(60), answer: "503"))
        let past = RetryAfter("Fri, 15 Jan 2027 07:00:00 GMT")
        #expect(outcome(.status(503, retryAfter: past)) == .again(at: noon + .seconds(5), answer: "503"))
        let far = RetryAfter("Fri, 15 Jan 2038 07:00:00 GMT")
        #expect(outcome(.status(503, retryAfter: far)) == .again(at: noon + .seconds(7200), answer: "503"))
        #expect(RetryAfter("tomorrow") == nil && RetryAfter("2027-01-15T08:01:00Z") == nil)
        #expect(RetryAfter("120") == .seconds(120))
    }

    @Test("its words are cut to a kilobyte, between characters, and without control characters")
    func words() {
        let text = String(repeating: "é", count: 600)
        guard case .again(_, let cut) = outcome(.status(500, text: text)) else { return #expect(Bool(false)) }
        #expect(cut.utf8.count == 1023 && cut.hasPrefix("500: éé"))
        guard case .again(_, let plain) = outcome(.failed("a\u{1b}[31m\nb")) else { return #expect(Bool(false)) }
        #expect(plain == "a [31m b")
    }
}

@Suite("Which addresses a webhook may have")
struct WebhookTargetTests {
    @Test(
        "those of the host's own networks, and those that only look public, are not public",
        arguments: [
            "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
            "169.254.169.254", "100.64.0.1", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
            "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
            "::127.0.0.1", "64:ff9b::7f00:1", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1", "2001::1",
            "2002:7f00:1::", "fec0::1", "3fff::1", "168.63.129.16", "::ffff:169.254.169.254", "::ffff:7f00:1",
            "fe80::a9fe:a9fe",
            "fd00:ec2::254", "5f00::1",
        ])
    func own(_ text: String) throws {
        #expect(!WebhookTarget.isPublic(try #require(IPAddress(text))))
        let host = text.contains(":") ? "[\(text)]" : text
        #expect(throws: WebhookTarget.Refusal.self) {
            try WebhookTarget("https://\(host)/x", reachesPrivateNetworks: false)
        }
        #expect(throws: Never.self) { try WebhookTarget("http://\(host)/x", reachesPrivateNetworks: true) }
    }

    @Test(
        "others are",
        arguments: ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "2a00::1"])
    func others(_ text: String) throws { #expect(WebhookTarget.isPublic(try #require(IPAddress(text)))) }

    @Test(
        "what is no address of a webhook is refused in words",
        arguments: [
            ("http://example.com/", "must begin with https://"), ("ftp://example.com/", "must be an address"),
            ("https://", "must be an address"), ("https:///x", "must be an address"), ("x", "must be an address"),
            ("https://user@example.com/", "no user"), ("https://u:p@example.com/", "no user"),
            ("https://example.com/#x", "fragment"), ("https://exämple.com/", "ASCII"),
            ("https://example.com/ x", "ASCII"), ("https://example.com:0/", "must be an address"),
            ("https://example.com:99999/", "must be an address"), ("https://%31%32/", "must be an address"),
            ("https://example.com/\r\nHost: x", "ASCII"), ("https://example.com\\@10.0.0.1/", "no user"),
            ("https://127.0.0.1/", "network of this host's own"), ("https://[fe80::1%25eth0]/", "must be an address"),
            ("https://[::ffff:127.0.0.1]/", "network of this host's own"), ("https://[::1/", "must be an address"),
            ("https://a%0d%0ax/", "must be an address"),
            ("https://example.com/" + String(repeating: "x", count: 2048), "at most 2048"),
        ])
    func refused(_ url: String, _ words: String) {
        do {
            _ = try WebhookTarget(url, reachesPrivateNetworks: false)
            Issue.record("\(url) was taken")
        } catch { #expect(error.description.contains(words), "\(error)") }
    }

    @Test("is taken apart into what a connection needs")
    func parts() throws {
        for (url, host, authority, path) in [
            ("https://example.com", "example.com", "example.com", "/"),
            ("https://example.com:8443/a%20b?c=d&e", "example.com", "example.com:8443", "/a%20b?c=d&e"),
            ("https://[2606:4700::1111]/x", "2606:4700::1111", "[2606:4700::1111]", "/x"),
        ] {
            let target = try WebhookTarget(url, reachesPrivateNetworks: false)
            #expect((target.host, target.authority, target.path) == (host, authority, path), "\(url)")
            #expect(target.isSecure && target.port == (url.contains("8443") ? 8443 : 443))
        }
    }

    @Test(
        "a name, and a number that is one, are resolved before they are reached",
        arguments: ["localhost", "2130706433", "127.1"])
    func resolved(_ host: String) async throws {
        let target = try WebhookTarget("https://\(host):8443/", reachesPrivateNetworks: false)
        #expect(target.port == 8443)
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        do {
            _ = try await target.addresses(reachesPrivateNetworks: false, on: loop)
            Issue.record("\(host) may be reached")
        } catch let refusal as WebhookTarget.Refusal { #expect(!refusal.description.isEmpty) }
        let addresses = try await target.addresses(reachesPrivateNetworks: true, on: loop)
        #expect(!addresses.isEmpty)
        #expect(addresses.allSatisfy { ["127.0.0.1", "::1"].contains($0.ipAddress ?? "") && $0.port == 8443 })
    }
}
