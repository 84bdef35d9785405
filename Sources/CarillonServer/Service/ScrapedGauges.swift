import CarillonCore
import CoreMetrics

/// The metrics that are read from other parts of the service when somebody asks for them.
final class ScrapedGauges: Sendable {
    private let ready: Meter
    private let role: GaugeSet
    private let sending: Meter
    private let connections: Meter
    private let connectionsRefused: TotalCounter
    private let places: GaugeSet
    private let placesLimit: Meter
    private let setAside: Meter
    private let alarms: Meter
    private let stopped: GaugeSet
    private let endingCredentials: Meter
    private let credentialLeft: GaugeSet
    private let listenerCertificateLeft: GaugeSet
    private let refusedCredentials: Meter
    private let waitingCalls: Meter
    private let queueDepth: GaugeSet
    private let queueOldest: GaugeSet

    init(in factory: any MetricsFactory) {
        ready = Meter(MetricCatalogue.ready, in: factory)
        role = GaugeSet(MetricCatalogue.role, in: factory)
        sending = Meter(MetricCatalogue.sending, in: factory)
        connections = Meter(MetricCatalogue.connections, in: factory)
        connectionsRefused = TotalCounter(MetricCatalogue.connectionsRefused, in: factory)
        places = GaugeSet(MetricCatalogue.places, in: factory)
        placesLimit = Meter(MetricCatalogue.placesLimit, in: factory)
        setAside = Meter(MetricCatalogue.setAside, in: factory)
        alarms = Meter(MetricCatalogue.alarms, in: factory)
        stopped = GaugeSet(MetricCatalogue.stopped, in: factory)
        endingCredentials = Meter(MetricCatalogue.endingCredentials, in: factory)
        credentialLeft = GaugeSet(MetricCatalogue.credentialLeft, in: factory)
        listenerCertificateLeft = GaugeSet(MetricCatalogue.listenerCertificateLeft, in: factory)
        refusedCredentials = Meter(MetricCatalogue.refusedCredentials, in: factory)
        waitingCalls = Meter(MetricCatalogue.waitingCalls, in: factory)
        queueDepth = GaugeSet(MetricCatalogue.queueDepth, in: factory)
        queueOldest = GaugeSet(MetricCatalogue.queueOldest, in: factory)
    }

    /// Sets the metrics of the process itself.
    func update(_ service: ServiceContext, waitingCalls: Int) {
        let reading = service.metrics.sender.reading
        role.set(
            Dictionary(
                uniqueKeysWithValues: ServiceConfiguration.Role.allCases.map {
                    ([$0.rawValue], service.configuration.roles.contains($0) ? 1 : 0)
                }))
        sending.set(reading.leaseEnd > service.clock.uptime ? 1 : 0)
        places.set([["single"]: Double(reading.single), ["bulk"]: Double(reading.bulk)])
        placesLimit.set(reading.places)
        let counts = service.connections.counts
        connections.set(counts.open)
        connectionsRefused.reach(counts.refused)
        self.waitingCalls.set(waitingCalls)
        let now = service.clock.now
        listenerCertificateLeft.set(
            Dictionary(
                uniqueKeysWithValues: service.configuration.listenerCertificates.map {
                    ([$0.listener], ($0.certificate.end - now).inSeconds)
                }))
        update(service.health, label: service.metrics.label, at: now)
    }

    private func update(_ health: ServiceHealth, label: (String) -> String, at now: Timestamp) {
        let (alarms, ends) = (health.alarms, health.credentialEnds)
        self.alarms.set(alarms.count)
        stopped.set(
            Dictionary(
                alarms.map {
                    ([label($0.app.topic), $0.app.environment.rawValue], max(0, (now - $0.since).inSeconds))
                },
                uniquingKeysWith: max))
        endingCredentials.set(ends.count { $0.advice != nil })
        credentialLeft.set(
            Dictionary(
                ends.map { ([label($0.app.topic), $0.app.environment.rawValue], ($0.end - now).inSeconds) },
                uniquingKeysWith: min))
        refusedCredentials.set(health.refusedCredentials.count)
    }

    /// Sets the metrics of the database.
    ///
    /// - Parameters:
    ///   - reading: the state of the queues; `nil` if the database does not answer.
    ///   - isReady: whether the database can be read and written.
    ///   - service: the service.
    func update(_ reading: StoreReading?, isReady: Bool, of service: ServiceContext) {
        ready.set(reading != nil && isReady ? 1 : 0)
        if let reading { setAside.set(reading.health.setAside) }
        let (now, uptime) = (service.clock.now, service.clock.uptime)
        let receipts = service.metrics.receiptsUnderWay.withLock { ($0.count, $0.oldest) }
        var depths = [["receipts", ""]: Double(receipts.0)]
        var oldest = [["receipts", ""]: receipts.1.map { max(0, (uptime - $0).inSeconds) } ?? 0]
        for queue in reading?.queues ?? [] {
            let labels = [queue.kind.rawValue, service.metrics.label(queue.topic)]
            depths[labels, default: 0] += Double(queue.depth)
            let age = queue.oldest.map { max(0, (now - $0).inSeconds) } ?? 0
            oldest[labels] = max(oldest[labels] ?? 0, age)
        }
        queueDepth.set(depths)
        queueOldest.set(oldest)
    }
}
