import CarillonCore
import Testing

@testable import CarillonAPNs

@Suite("Provider tokens in the pool")
struct ProviderTokenTests {
    @Test("7: a thousand sends at once share one token")
    func shared() {
        var play = PoolHarness()
        play.send(count: 1000)
        play.settings(1000, on: 1)
        #expect(play.streams(on: 1).count == 1000)
        #expect(play.tokensMade == [1])
    }

    @Test("7: tokens are made when they are needed, not by a timer")
    func lazy() {
        var play = PoolHarness()
        play.send()
        play.settings(1000, on: 1)
        play.acceptAll(on: 1)
        for _ in 0..<48 {
            play.pass(.seconds(1800))
            play.pong(1)
        }
        #expect(play.tokensMade == [1])
        play.send()
        #expect(play.tokensMade == [1, 2])
    }

    @Test("a day of steady sending renews the token between 20 and 60 minutes, on every connection")
    func day() {
        var limits = APNsLimits()
        limits.streamsPerConnection = 1
        var play = PoolHarness(limits: limits)
        for minute in 0..<(24 * 60) {
            play.send(count: minute.isMultiple(of: 7) ? 6 : 1)
            for _ in 0..<8 {
                for connection in play.openConnections {
                    play.settings(nil, on: connection)
                    play.acceptAll(on: connection)
                }
                play.pass(.seconds(1))
            }
            play.pass(.seconds(52))
        }
        let renewals = play.servers.values.map(\.tokens.count).max() ?? 0
        #expect(renewals >= 24 && renewals <= 72)
        #expect(play.tokensMade.count <= 48)
    }

    @Test("a wall clock that jumps about makes no token change early")
    func clockJumps() {
        var play = PoolHarness()
        for jump in [-7200, 7200, 86_400, -86_400, 60, 3600] {
            play.send()
            for connection in play.openConnections {
                play.settings(100, on: connection)
                play.acceptAll(on: connection)
            }
            play.now.wall = play.now.wall + .seconds(jump)
            play.pass(.seconds(60))
        }
        #expect(play.tokensMade == [1])
    }

    @Test("after a jump of the wall clock the token is renewed as soon as Apple allows")
    func renewedAfterJump() {
        var play = PoolHarness()
        play.send()
        play.settings(100, on: 1)
        play.acceptAll(on: 1)
        play.now.wall = play.now.wall + .seconds(7200)
        play.pass(.seconds(20 * 60))
        play.send()
        #expect(play.tokensMade == [1, 2])
    }

    @Test("ExpiredProviderToken: sent again at once with a new token")
    func expired() {
        var play = PoolHarness()
        play.send()
        play.settings(100, on: 1)
        play.acceptAll(on: 1)
        play.pass(.seconds(25 * 60))
        let ids = play.send(count: 3)
        for stream in play.streams(on: 1) { play.refuse(stream, on: 1, status: 403, .expiredProviderToken) }
        #expect(play.tokensMade == [1, 2])
        play.acceptAll(on: 1)
        #expect(ids.allSatisfy { play.ends[$0] == .answer(200, nil) })
    }

    @Test("ExpiredProviderToken for a token just made is handed to the caller: the clock is wrong")
    func expiredAtOnce() {
        var play = PoolHarness()
        let id = play.send()
        play.settings(100, on: 1)
        play.refuse(1, on: 1, status: 403, .expiredProviderToken)
        #expect(play.ends[id] == .answer(403, .expiredProviderToken))
        #expect(play.warnings == [.clockDoubtful])
        #expect(play.tokensMade == [1])
    }

    @Test("ExpiredProviderToken after the wall clock was put right: a new token at once, on a new connection")
    func expiredAfterCorrection() {
        var play = PoolHarness()
        play.send()
        play.settings(100, on: 1)
        play.acceptAll(on: 1)
        play.now.wall = play.now.wall + .seconds(7200)
        let id = play.send()
        play.refuse(3, on: 1, status: 403, .expiredProviderToken)
        #expect(play.openConnections == [2])
        play.settings(100, on: 2)
        play.acceptAll(on: 2)
        #expect(play.ends[id] == .answer(200, nil))
        #expect(play.tokensMade == [1, 2])
    }

    @Test("a key replaced while running is used by the next token, on new connections, and loses nothing")
    func keyReplaced() {
        var play = PoolHarness()
        let ids = play.send(count: 5)
        play.settings(2, on: 1)
        play.replaceCredential()
        play.settings(100, on: 2)
        #expect(play.streams(on: 1).count == 2)
        #expect(play.streams(on: 2).count == 3)
        #expect(play.servers[2]?.tokens.last?.token.credentialGeneration == 1)
        play.refuse(1, on: 1, status: 403, .invalidProviderToken)
        play.acceptAll(on: 1)
        play.acceptAll(on: 2)
        #expect(ids.allSatisfy { play.ends[$0] == .answer(200, nil) })
    }

    @Test("with a certificate there are no tokens")
    func certificate() {
        var play = PoolHarness(usesTokens: false)
        play.send()
        play.settings(100, on: 1)
        #expect(play.streams(on: 1) == [1])
        #expect(play.tokensMade.isEmpty)
    }
}
