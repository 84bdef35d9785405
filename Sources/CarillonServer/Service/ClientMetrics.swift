import CarillonAPNs
import CoreMetrics

/// The statistics of all APNs clients of this process, added up, including clients that have ended.
package struct ClientTally: Sendable, Hashable {
    package var queued = 0
    package var inFlight = 0
    package var connections = 0
    package var opened = 0
    package var failed = 0
    package var lost = 0
    package var goAways = 0
    package var sentAgain = 0
    package var providerTokens = 0

    package init() {}

    /// Adds the statistics of one client.
    mutating func add(_ statistics: APNsStatistics) {
        queued += statistics.queued
        inFlight += statistics.inFlight
        connections += statistics.connections
        opened += statistics.connectionsOpened
        failed += statistics.connectionsFailed
        lost += statistics.connectionsLost
        goAways += statistics.goAways
        sentAgain += statistics.sentAgain
        providerTokens += statistics.providerTokens
    }

    /// Adds the totals of clients that have ended.
    ///
    /// An ended client has no queued pushes, pushes in flight or connections, so these numbers are not added.
    mutating func add(ended: ClientTally) {
        opened += ended.opened
        failed += ended.failed
        lost += ended.lost
        goAways += ended.goAways
        sentAgain += ended.sentAgain
        providerTokens += ended.providerTokens
    }
}

/// The metrics of the APNs clients.
final class ClientMetrics: Sendable {
    private let queued: Meter
    private let inFlight: Meter
    private let connections: Meter
    private let opened: TotalCounter
    private let failed: TotalCounter
    private let lost: TotalCounter
    private let goAways: TotalCounter
    private let sentAgain: TotalCounter
    private let providerTokens: TotalCounter

    init(in factory: any MetricsFactory) {
        queued = Meter(MetricCatalogue.clientQueued, in: factory)
        inFlight = Meter(MetricCatalogue.clientStreams, in: factory)
        connections = Meter(MetricCatalogue.clientConnections, in: factory)
        opened = TotalCounter(MetricCatalogue.clientOpened, in: factory)
        failed = TotalCounter(MetricCatalogue.clientFailed, in: factory)
        lost = TotalCounter(MetricCatalogue.clientLost, in: factory)
        goAways = TotalCounter(MetricCatalogue.clientGoAways, in: factory)
        sentAgain = TotalCounter(MetricCatalogue.clientSentAgain, in: factory)
        providerTokens = TotalCounter(MetricCatalogue.clientTokens, in: factory)
    }

    func update(_ tally: ClientTally) {
        queued.set(tally.queued)
        inFlight.set(tally.inFlight)
        connections.set(tally.connections)
        opened.reach(tally.opened)
        failed.reach(tally.failed)
        lost.reach(tally.lost)
        goAways.reach(tally.goAways)
        sentAgain.reach(tally.sentAgain)
        providerTokens.reach(tally.providerTokens)
    }
}
