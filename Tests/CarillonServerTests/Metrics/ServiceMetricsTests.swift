import CarillonAPNs
import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("The counts of one service", .timeLimit(.minutes(5)))
struct ServiceMetricsTests {
    private func handOver(_ waits: [Timestamp?]) -> HandOver {
        let lease = Lease(sender: SenderNumber(rawValue: 1), epoch: 1)
        let pushes = waits.map { since in
            var push = claimedPush(lease)
            push.since = since
            return push
        }
        return HandOver(pushes[...], began: noon, uptime: .seconds(1))
    }

    @Test("a batch is counted by outcome and reason, and its accepted pushes by the time since their acceptance")
    func batch() {
        let metrics = ServiceMetrics()
        let pushes = handOver([noon, noon, noon - .seconds(20), nil, noon, noon])
        let accepted = SendOutcome.accepted(apnsID: noID)
        let outcomes: [SendOutcome] = [
            accepted, accepted, accepted, accepted, rejected("Unregistered", 410), .unanswered("a reset"),
        ]
        let sent = outcomes.enumerated().map { SentPush(pushes, place: $0, $1, at: noon + .seconds(1)) }
        metrics.count(sent, of: pushes, at: noon + .milliseconds(250), uptime: .seconds(3))
        let registry = metrics.registry
        #expect(registry.value(of: MetricCatalogue.pushes, topic, "accepted", "") == 4)
        #expect(registry.value(of: MetricCatalogue.pushes, topic, "rejected", "Unregistered") == 1)
        #expect(registry.value(of: MetricCatalogue.pushes, topic, "unanswered", "") == 1)
        #expect(registry.value(of: MetricCatalogue.answered, topic) == 3)
        #expect(registry.text.contains(#"carillon_push_answered_seconds_bucket{app="\#(topic)",le="0.25"} 2"#))
        #expect(registry.text.contains(#"carillon_push_answered_seconds_sum{app="\#(topic)"} 20.75"#))
        #expect(registry.value(of: MetricCatalogue.clientAnswer, topic) == 5)
        #expect(registry.text.contains(#"carillon_apns_answer_seconds_sum{app="\#(topic)"} 10"#))
    }

    @Test("apps beyond the limit share the label other, and an app keeps the label that it has")
    func apps() {
        let metrics = ServiceMetrics()
        for number in 0...ServiceLimits.labelledApps { metrics.app("app-\(number)").countMessage() }
        metrics.app("app-0").countMessage()
        metrics.app("later").countMessage()
        let registry = metrics.registry
        #expect(registry.value(of: MetricCatalogue.messages, "app-0") == 2)
        #expect(registry.value(of: MetricCatalogue.messages, "other") == 2)
        #expect(registry.value(of: MetricCatalogue.messages, "later") == nil)
        #expect(metrics.label("app-1") == "app-1" && metrics.label("later") == "other")
    }

    @Test("the series of an app end with the app, and begin anew with what is counted later")
    func ended() {
        let metrics = ServiceMetrics()
        let pushes = handOver([noon, nil])
        let sent = [rejected("BadDeviceToken", 400), .accepted(apnsID: noID)].enumerated().map {
            SentPush(pushes, place: $0, $1, at: noon)
        }
        for _ in 0..<2 {
            metrics.count(sent, of: pushes, at: noon, uptime: .seconds(1))
            metrics.app(topic).countMessage()
            metrics.app("com.example.ferry").countMessage()
            #expect(metrics.topics == [topic, "com.example.ferry"])
            #expect(metrics.registry.value(of: MetricCatalogue.pushes, topic, "rejected", "BadDeviceToken") == 1)
            metrics.end([topic, "com.example.none"])
            #expect(metrics.topics == ["com.example.ferry"] && !metrics.registry.text.contains(topic))
        }
        #expect(metrics.registry.value(of: MetricCatalogue.messages, "com.example.ferry") == 2)
    }

    @Test("reasons beyond the limit are counted as other")
    func reasons() {
        let metrics = ServiceMetrics()
        let pushes = handOver([nil])
        for number in 0...ServiceLimits.rejectionReasons {
            let sent = SentPush(pushes, place: 0, rejected("Reason\(number)", 400), at: noon)
            metrics.count([sent], of: pushes, at: noon, uptime: .seconds(1))
        }
        let registry = metrics.registry
        #expect(registry.value(of: MetricCatalogue.pushes, topic, "rejected", "Reason0") == 1)
        #expect(registry.value(of: MetricCatalogue.pushes, topic, "rejected", "other") == 1)
    }

    @Test("transactions are counted with their waits, by whether they write", arguments: StoreEngine.allCases)
    func database(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        let registry = PrometheusRegistry()
        store.report(to: registry)
        _ = try await store.put(AppSettings(topic: "com.example.new"), at: noon)
        _ = try await store.app("com.example.new")
        struct Refused: Error {}
        await #expect(throws: Refused.self) {
            try await store.read { (_: StoreSession) throws -> Int in throw Refused() }
        }
        #expect(registry.value(of: MetricCatalogue.transaction, "write") == 1)
        #expect(registry.value(of: MetricCatalogue.lockWait) == 1)
        #expect(registry.value(of: MetricCatalogue.transaction, "read") == 1)
        #expect(registry.value(of: MetricCatalogue.connectionWait) == 1)
        #expect(registry.value(of: MetricCatalogue.failedTransactions, "read") == 1)
        #expect(registry.value(of: MetricCatalogue.failedTransactions, "write") == 0)
    }

    @Test("a process shows its places in use and its lease while it sends, and its client's counts")
    func sender() async throws {
        let sender = RecordingSender()
        sender.counts { tally in (tally.connections, tally.opened, tally.lost) = (2, 5, 3) }
        try await RunningService.run(sender: sender) { service in
            var text = ""
            while !text.contains("carillon_sending 1\n") || !text.contains("carillon_apns_connections 2\n") {
                text = String(decoding: try await service.call("GET", "/metrics", auth: "").data, as: UTF8.self)
            }
            #expect(text.contains("carillon_apns_connections_opened_total 5\n"))
            #expect(text.contains("carillon_apns_connections_lost_total 3\n"))
            #expect(text.contains("carillon_places \(DeliveryLimits.pushesInFlight)\n"))
            #expect(text.contains(#"carillon_places_used{lane="single"} 0"#))
            #expect(text.contains("carillon_ready 1\n") && text.contains(#"carillon_role{role="sender"} 1"#))
        }
    }
}
