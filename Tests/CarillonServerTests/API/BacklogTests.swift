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
        func advice(_ moment: Duration, of app: AppNumber? = nil) -> BacklogGauge.Advice {
            gauge.advice(for: app ?? self.app, at: moment)
        }
        #expect(advice(.zero) == .count)
        gauge.counted(4, for: app, at: .zero)
        #expect(advice(.seconds(1)) == .accept)
        gauge.accepted(devices: 6, for: app)
        #expect(advice(.milliseconds(900)) == .refuse)
        #expect(advice(.seconds(1)) == .count, "much may have been sent meanwhile")
        gauge.counted(9, for: app, at: .seconds(1))
        #expect(advice(.seconds(2)) == .accept)
        #expect(advice(.seconds(11)) == .count)
        #expect(advice(.seconds(2), of: ferry.number) == .count, "each app has its own")
    }

    @Test("one caller counts at a time, and others take the last count, unless the count does not end")
    func oneCount() {
        var gauge = BacklogGauge(limit: 10)
        let first = (0..<100).map { _ in gauge.advice(for: app, at: .zero) }
        #expect(first == [.count] + Array(repeating: .accept, count: 99))
        gauge.counted(10, for: app, at: .zero)
        let second = (0..<100).map { _ in gauge.advice(for: app, at: .seconds(1)) }
        #expect(second == [.count] + Array(repeating: .refuse, count: 99))
        gauge.gaveUpCounting(for: app)
        let (third, fourth) = (
            gauge.advice(for: app, at: .seconds(1)),
            gauge.advice(for: app, at: .seconds(1) + ServiceLimits.longestCount)
        )
        #expect(third == .count && fourth == .count)
    }

    @Test("a broadcast that waits counts for a thousand pushes, since each claim of a sender looks at all of them")
    func broadcasts() async throws {
        let store = try await StoreEngine.sqlite.make(ranges: RangeRules(devices: 0))
        try await store.enrol(device("phone"), at: noon)
        try await RunningService.run(store: store, roles: [.api], backlog: 3000) { service in
            func send(_ id: String) async throws -> Int {
                try await service.call(
                    "POST", "/v1/notifications",
                    body: ["to": ["everyone": true], "payload": ["aps": ["alert": "Hello"]], "id": .string(id)]
                ).status
            }
            for id in ["a", "b", "c"] { #expect(try await send(id) == 202) }
            for _ in 0..<2 {
                #expect(try await send("d") == 429)
                service.clock.advance(by: ServiceLimits.fullBacklogAge)
            }
            let recalled = try await service.call("DELETE", "/v1/notifications/a")
            #expect(recalled.status == 202)
            #expect(try await send("d") == 202)
        }
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
