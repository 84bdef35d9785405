import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("How much may wait to be sent")
struct BacklogTests {
    private let app = chime.number

    @Test("it looks into the store first, then counts what it accepts, and looks again when it is full")
    func gauge() {
        var gauge = BacklogGauge(limit: 10)
        #expect(gauge.advice(for: app, at: .zero) == .count)
        gauge.counted(4, for: app, at: .zero)
        #expect(gauge.advice(for: app, at: .seconds(1)) == .accept)
        gauge.accepted(devices: 6, for: app)
        #expect(gauge.advice(for: app, at: .milliseconds(900)) == .refuse)
        #expect(gauge.advice(for: app, at: .seconds(1)) == .count, "much may have been sent meanwhile")
        gauge.counted(9, for: app, at: .seconds(1))
        #expect(gauge.advice(for: app, at: .seconds(2)) == .accept)
        #expect(gauge.advice(for: app, at: .seconds(11)) == .count)
        #expect(gauge.advice(for: ferry.number, at: .seconds(2)) == .count, "each app has its own")
    }

    @Test("with too much waiting a message is answered with 429, nothing is accepted, and then it goes on")
    func refused() async throws {
        let store = try await StoreEngine.sqlite.make()
        try await RunningService.run(store: store, roles: [.api], backlog: 2) { service in
            for id in ["a", "b"] { try await TestPhone(id, on: service).register(user: "u1") }
            func send(_ id: String) async throws -> RunningService.Answer {
                try await service.call(
                    "POST", "/v1/notifications",
                    body: ["to": ["user": "u1"], "payload": ["aps": ["alert": "Hello"]], "id": .string(id)])
            }
            let refused = try await send("m1")
            #expect(refused.status == 429, "the checks of two new tokens wait")
            #expect(refused.headers["retry-after"] == "5")
            #expect(refused.json["type"]?.stringValue?.contains("backlog") == true)
            #expect(try await service.call("GET", "/v1/notifications/m1").status == 404)
            let waiting = try await store.claim(everything(), at: noon + .seconds(60)).deliveries
            try await store.settle(waiting.map { $0.settled() }, at: noon)
            service.clock.advance(by: .seconds(1))
            #expect(try await send("m1").status == 202)
        }
    }
}
