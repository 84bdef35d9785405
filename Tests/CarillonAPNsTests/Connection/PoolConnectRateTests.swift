import CarillonCore
import Testing

@testable import CarillonAPNs

/// The rate of a client's connections, whatever the server does: docs/connecting-to-apns.md has the figures as a table.
@Suite("The pool: connections in a minute")
struct PoolConnectRateTests {
    /// A behaviour of a server, or of the network before it. The simulator can play each of them.
    enum Fault: CaseIterable {
        case refusesConnections, neverSaysAnything, saysGoAwayFirst, closesAfterSettings, allowsNoStreams
        case cutsEachRequest, cutsAfterEachAnswer, saysGoAwayAfterEachRequest, saysGoAwayAfterEachAnswer
        case losesRequests, losesAnswersAndPings, refusesEachStream, resetsEachStream
        case expiredToken, invalidToken, tooManyTokens, unavailable, badToken

        /// The most connections in any minute that this fault may cause.
        var bound: Int {
            switch self {
            // The connection is kept.
            case .refusesEachStream, .resetsEachStream, .invalidToken, .unavailable, .badToken, .expiredToken: 2
            // Each connection was of use, so only the limit on all attempts counts.
            case .cutsAfterEachAnswer, .saysGoAwayAfterEachAnswer: 60
            default: 20
            }
        }
    }

    @Test("no fault of a server makes a busy client connect often", arguments: Fault.allCases)
    func rate(of fault: Fault) {
        var harness = PoolHarness()
        var connects: [Timestamp] = []
        for _ in 0..<(130 * 50) {
            while harness.pool.requests.count < 20 { harness.send(within: .seconds(15)) }
            for connection in harness.openConnections { play(fault, on: connection, &harness) }
            harness.pass(.milliseconds(20))
            while connects.count < harness.servers.count { connects.append(harness.now.steady) }
        }
        let most =
            connects.indices.map { first in
                connects[first...].prefix { $0 - connects[first] < .seconds(60) }.count
            }.max() ?? 0
        #expect(most >= 1 && most <= fault.bound, "\(fault): \(most) connections in a minute")
        if fault.bound > 2 { #expect(connects.count >= 3, "it is tried again") }
        // The service writes each kind of line once a minute (`RepeatedLineHandler`); other programs write all of them.
        let lines = harness.warnings.count { warning in
            switch warning {
            case .connectionLost, .connectFailed, .connectionReplaced, .connectionMute, .connectionUseless: true
            case .goAway, .clockDoubtful: false
            }
        }
        #expect(lines <= 2 * connects.count, "\(fault): \(lines) lines for \(connects.count) connections")
    }

    @Test("a credential that is replaced again and again cannot make a client connect more often either")
    func replacedCredential() {
        var harness = PoolHarness()
        for _ in 0..<1000 {
            harness.send(within: .seconds(15))
            harness.replaceCredential()
            harness.pass(.milliseconds(60))
        }
        #expect(harness.servers.count <= 60, "\(harness.servers.count) in a minute")
    }

    @Test("the limit on attempts in a minute is the caller's, and half of it may come at once")
    func limit() {
        var limits = APNsLimits()
        limits.connectsPerMinute = 10
        var pace = ConnectPace(limits, seed: 1)
        let start = Timestamp(secondsSince1970: 100)
        var (now, times): (Timestamp, [Timestamp]) = (start, [])
        while now < start + .seconds(180) {
            if pace.next <= now {
                pace.began(at: now)
                times.append(now)
            }
            now = now + .milliseconds(100)
        }
        let first = times.prefix(6).map { ($0 - start).wholeMilliseconds }
        #expect(first == [0, 100, 200, 300, 400, 12_000])
        for first in times.indices {
            #expect(times[first...].prefix { $0 - times[first] < .seconds(60) }.count <= 10)
        }
    }

    private func play(_ fault: Fault, on connection: ConnectionID, _ harness: inout PoolHarness) {
        guard harness.servers[connection]?.isReady == true else { return open(fault, connection, &harness) }
        for stream in harness.streams(on: connection) where harness.servers[connection]?.isClosed == false {
            answer(fault, stream, on: connection, &harness)
        }
        if fault != .losesAnswersAndPings { harness.pong(connection) }
    }

    private func open(_ fault: Fault, _ connection: ConnectionID, _ harness: inout PoolHarness) {
        switch fault {
        case .refusesConnections: harness.lose(connection)
        case .neverSaysAnything: break
        case .saysGoAwayFirst: harness.goAway(last: 0, on: connection)
        case .closesAfterSettings:
            harness.settings(100, on: connection)
            if harness.openConnections.contains(connection) { harness.lose(connection) }
        case .allowsNoStreams: harness.settings(0, on: connection)
        default: harness.settings(10, on: connection)
        }
    }

    private func answer(
        _ fault: Fault, _ stream: StreamID, on connection: ConnectionID, _ harness: inout PoolHarness
    ) {
        func refuse(_ status: Int, _ reason: APNsReason) {
            harness.refuse(stream, on: connection, status: status, reason)
        }
        switch fault {
        case .cutsEachRequest: harness.lose(connection)
        case .cutsAfterEachAnswer:
            harness.accept(stream, on: connection)
            if harness.openConnections.contains(connection) { harness.lose(connection) }
        case .saysGoAwayAfterEachRequest: harness.goAway(last: stream - 1, on: connection)
        case .saysGoAwayAfterEachAnswer:
            harness.accept(stream, on: connection)
            if harness.servers[connection]?.isClosed == false { harness.goAway(last: stream, on: connection) }
        case .refusesEachStream: harness.reset(stream, on: connection, refused: true)
        case .resetsEachStream: harness.reset(stream, on: connection, refused: false)
        case .expiredToken: refuse(403, .expiredProviderToken)
        case .invalidToken: refuse(403, .invalidProviderToken)
        case .tooManyTokens: refuse(429, .tooManyProviderTokenUpdates)
        case .unavailable: refuse(503, .serviceUnavailable)
        case .badToken: refuse(400, .badDeviceToken)
        default: break
        }
    }
}
