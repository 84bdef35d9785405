import CarillonCore
import Testing

@testable import CarillonAPNs

@Suite("Provider tokens in the pool")
struct ProviderTokenTests {
    @Test("7: a thousand sends at once share one token")
    func shared() {
        var harness = PoolHarness()
        harness.send(count: 1000)
        harness.settings(1000, on: 1)
        #expect(harness.streams(on: 1).count == 1000)
        #expect(harness.tokensMade == [1])
    }

    @Test("7: tokens are made when they are needed, not by a timer")
    func lazy() {
        var harness = PoolHarness()
        harness.send()
        harness.settings(1000, on: 1)
        harness.acceptAll(on: 1)
        for _ in 0..<48 {
            harness.pass(.seconds(1800))
            harness.pong(1)
        }
        #expect(harness.tokensMade == [1])
        harness.send()
        #expect(harness.tokensMade == [1, 2])
    }

    @Test("a day of steady sending renews the token between 20 and 60 minutes, on every connection")
    func day() {
        var limits = APNsLimits()
        limits.streamsPerConnection = 1
        var harness = PoolHarness(limits: limits)
        for minute in 0..<(24 * 60) {
            harness.send(count: minute.isMultiple(of: 7) ? 6 : 1)
            for _ in 0..<8 {
                for connection in harness.openConnections {
                    harness.settings(nil, on: connection)
                    harness.acceptAll(on: connection)
                }
                harness.pass(.seconds(1))
            }
            harness.pass(.seconds(52))
        }
        let renewals = harness.servers.values.map(\.tokens.count).max() ?? 0
        #expect(renewals >= 24 && renewals <= 72)
        #expect(harness.tokensMade.count <= 48)
    }

    @Test("a wall clock that jumps about makes no token change early")
    func clockJumps() {
        var harness = PoolHarness()
        for jump in [-7200, 7200, 86_400, -86_400, 60, 3600] {
            harness.send()
            for connection in harness.openConnections {
                harness.settings(100, on: connection)
                harness.acceptAll(on: connection)
            }
            harness.now.wall = harness.now.wall + .seconds(jump)
            harness.pass(.seconds(60))
        }
        #expect(harness.tokensMade == [1])
    }

    @Test("after a jump of the wall clock the token is renewed as soon as Apple allows")
    func renewedAfterJump() {
        var harness = PoolHarness()
        harness.send()
        harness.settings(100, on: 1)
        harness.acceptAll(on: 1)
        harness.now.wall = harness.now.wall + .seconds(7200)
        harness.pass(.seconds(20 * 60))
        harness.send()
        #expect(harness.tokensMade == [1, 2])
    }

    @Test("ExpiredProviderToken: sent again at once with a new token")
    func expired() {
        var harness = PoolHarness()
        harness.send()
        harness.settings(100, on: 1)
        harness.acceptAll(on: 1)
        harness.pass(.seconds(25 * 60))
        let ids = harness.send(count: 3)
        for stream in harness.streams(on: 1) { harness.refuse(stream, on: 1, status: 403, .expiredProviderToken) }
        #expect(harness.tokensMade == [1, 2])
        harness.acceptAll(on: 1)
        #expect(ids.allSatisfy { harness.ends[$0] == .answer(200, nil) })
    }

    @Test("ExpiredProviderToken for a token just made: one new token at once, on a new connection")
    func expiredAtOnce() {
        var harness = PoolHarness()
        let id = harness.send()
        harness.settings(100, on: 1)
        harness.refuse(1, on: 1, status: 403, .expiredProviderToken)
        #expect(harness.openConnections == [2])
        harness.settings(100, on: 2)
        harness.acceptAll(on: 2)
        #expect(harness.ends[id] == .answer(200, nil))
        #expect(harness.warnings == [.connectionReplaced(1, reason: .expiredProviderToken)])
        #expect(harness.tokensMade == [1, 2])
    }

    @Test("ExpiredProviderToken for the new token too is handed to the caller: the clock is wrong, for 20 minutes")
    func expiredTwice() {
        var harness = PoolHarness()
        let id = harness.send()
        harness.settings(100, on: 1)
        harness.refuse(1, on: 1, status: 403, .expiredProviderToken)
        harness.settings(100, on: 2)
        harness.refuse(1, on: 2, status: 403, .expiredProviderToken)
        #expect(harness.ends[id] == .answer(403, .expiredProviderToken))
        #expect(harness.warnings.last == .clockDoubtful(lead: nil))
        harness.pass(.milliseconds(20 * 60 * 1000 - 1))
        let later = harness.send()
        for stream in harness.streams(on: 2) { harness.refuse(stream, on: 2, status: 403, .expiredProviderToken) }
        #expect(harness.ends[later] == .answer(403, .expiredProviderToken))
        #expect(harness.openConnections == [2] && harness.tokensMade == [1, 2])
        harness.pass(.milliseconds(1))
        harness.send()
        for stream in harness.streams(on: 2) { harness.refuse(stream, on: 2, status: 403, .expiredProviderToken) }
        #expect(harness.tokensMade == [1, 2, 3])
    }

    @Test("a doubtful clock is told once a minute, however many tokens are refused")
    func doubtfulClock() {
        var harness = PoolHarness()
        for _ in 0..<3 { harness.send() }
        harness.settings(100, on: 1)
        for stream in harness.streams(on: 1) { harness.refuse(stream, on: 1, status: 403, .expiredProviderToken) }
        harness.settings(100, on: 2)
        harness.send(count: 5)
        for stream in harness.streams(on: 2) { harness.refuse(stream, on: 2, status: 403, .expiredProviderToken) }
        let replaced = PoolWarning.connectionReplaced(1, reason: .expiredProviderToken)
        #expect(harness.warnings == [replaced, .clockDoubtful(lead: nil)])
        harness.pass(.milliseconds(59_999))
        harness.send()
        for stream in harness.streams(on: 2) { harness.refuse(stream, on: 2, status: 403, .expiredProviderToken) }
        #expect(harness.warnings.count == 2)
        harness.pass(.milliseconds(1))
        harness.send()
        for stream in harness.streams(on: 2) { harness.refuse(stream, on: 2, status: 403, .expiredProviderToken) }
        #expect(harness.warnings == [replaced, .clockDoubtful(lead: nil), .clockDoubtful(lead: nil)])
    }

    @Test("ExpiredProviderToken after the wall clock was put right: a new token at once, on a new connection")
    func expiredAfterCorrection() {
        var harness = PoolHarness()
        harness.send()
        harness.settings(100, on: 1)
        harness.acceptAll(on: 1)
        harness.now.wall = harness.now.wall + .seconds(7200)
        let id = harness.send()
        harness.refuse(3, on: 1, status: 403, .expiredProviderToken)
        #expect(harness.openConnections == [2])
        harness.settings(100, on: 2)
        harness.acceptAll(on: 2)
        #expect(harness.ends[id] == .answer(200, nil))
        #expect(harness.tokensMade == [1, 2])
    }

    @Test("InvalidProviderToken after a fast clock was set right: a new token at once, on a new connection")
    func invalidAfterCorrection() {
        var harness = PoolHarness()
        harness.now.wall = harness.now.wall + .seconds(3600)
        let refused = harness.send()
        harness.settings(100, on: 1)
        harness.refuse(1, on: 1, status: 403, .invalidProviderToken)
        #expect(harness.ends[refused] == .answer(403, .invalidProviderToken), "the clock is still fast")
        harness.now.wall = harness.now.wall - .seconds(3600)
        let id = harness.send()
        harness.refuse(3, on: 1, status: 403, .invalidProviderToken)
        #expect(harness.openConnections == [2])
        harness.settings(100, on: 2)
        harness.acceptAll(on: 2)
        #expect(harness.ends[id] == .answer(200, nil))
        #expect(harness.tokensMade == [1, 2])
        let last = harness.send()
        harness.refuse(3, on: 2, status: 403, .invalidProviderToken)
        #expect(harness.ends[last] == .answer(403, .invalidProviderToken), "it is the key")
    }

    @Test("a connection that opens after a fast clock was set right takes no token from the future")
    func noTokenFromTheFuture() {
        var harness = PoolHarness()
        harness.send()
        harness.settings(100, on: 1)
        harness.acceptAll(on: 1)
        harness.now.wall = harness.now.wall - .seconds(3600)
        harness.lose(1)
        harness.send()
        harness.settings(100, on: 2)
        #expect(harness.servers[2]?.tokens.first?.token.made.wall == harness.now.wall)
    }

    @Test("a key replaced while running is used by the next token, on new connections, and loses nothing")
    func keyReplaced() {
        var harness = PoolHarness()
        let ids = harness.send(count: 5)
        harness.settings(2, on: 1)
        harness.replaceCredential()
        harness.settings(100, on: 2)
        #expect(harness.streams(on: 1).count == 2)
        #expect(harness.streams(on: 2).count == 3)
        #expect(harness.servers[2]?.tokens.last?.token.credentialGeneration == 1)
        harness.refuse(1, on: 1, status: 403, .invalidProviderToken)
        harness.acceptAll(on: 1)
        harness.acceptAll(on: 2)
        #expect(ids.allSatisfy { harness.ends[$0] == .answer(200, nil) })
    }

    @Test("with a certificate there are no tokens")
    func certificate() {
        var harness = PoolHarness(usesTokens: false)
        harness.send()
        harness.settings(100, on: 1)
        #expect(harness.streams(on: 1) == [1])
        #expect(harness.tokensMade.isEmpty)
    }
}
