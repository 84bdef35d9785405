import CarillonAPNs
import CarillonCore
import Foundation
import Logging
import Testing

@testable import CarillonServer

@Suite("Pushes of one message to many devices, from the store to APNs", .timeLimit(.minutes(3)))
struct RangedSendingTests {
    @Test("their outcomes are counted, whether or not somebody reads the events, and told to who does")
    func counted() async throws {
        let store = try await StoreEngine.sqlite.make(ranges: RangeRules(devices: 3, chunkDevices: 64))
        try await store.enrol((0..<8).map { device("d\($0)") }, at: noon)
        let sender = RecordingSender { push, number in
            number == 3 ? rejected("PayloadTooLarge", 413) : .accepted(apnsID: push.apnsID)
        }
        let service = ServiceContext(
            configuration: ServiceConfiguration(apps: [], signInSecret: Data(count: 32)), store: store,
            clock: ManualClock(start: noon), random: .seeded(1),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        _ = try await store.accept(try message("m1", to: .everyone, counts: false), at: noon)
        await DeliveryWorker(service: service, store: service.publishing(store).sending, sender: sender).sendAll()
        let registry = service.metrics.registry
        func count(_ kind: TimelineEventKind) -> Double? { registry.value(of: MetricCatalogue.events, kind.rawValue) }
        #expect(count(.sent) == 8 && count(.accepted) == 7 && count(.rejected) == 1)
        #expect(registry.value(of: MetricCatalogue.pushes, topic, "rejected", "PayloadTooLarge") == 1)
        #expect(registry.value(of: MetricCatalogue.answered, topic) == 7)
        let events = try #require(service.publisher.events.subscribe())
        _ = try await store.accept(try message("m2", to: .everyone, counts: false), at: noon)
        await DeliveryWorker(service: service, store: service.publishing(store).sending, sender: sender).sendAll()
        #expect(count(.accepted) == 15)
        service.publisher.events.finish()
        var told: [TimelineEventKind: Int] = [:]
        for await event in events where event.message.rawValue == "m2" { told[event.event, default: 0] += 1 }
        #expect(told[.sent] == 8 && told[.accepted] == 8)
    }

    @Test("pushes that are made together are what each is by itself, whatever its neighbours have in common with it")
    func notifications() throws {
        let app = AppID(topic: topic, environment: .sandbox)
        func push(_ number: Int, _ payload: String = "{}") throws -> ComposedPush {
            ComposedPush(
                token: testToken("0\(number)"), app: app, pushType: .alert, payload: Data(payload.utf8),
                priority: .immediate, expiration: .unspecified, collapseID: "m",
                apnsID: PushIdentifier.uuid(name: "\(number)", namespace: []))
        }
        var others = try [push(1), push(2, "{\"a\":1}"), push(3), push(4), push(5), push(6), push(7)]
        others[2].collapseID = "other"
        others[3].pushType = .background
        others[4].priority = .considerate
        others[5].expiration = .oneAttempt
        others[6].app.topic = "com.example.other"
        for other in others {
            let pushes = [try push(0), other]
            #expect(ComposedPush.notifications(pushes) == pushes.flatMap { ComposedPush.notifications([$0]) })
        }
    }
}
