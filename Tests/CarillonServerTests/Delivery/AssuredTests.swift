import CarillonAPNs
import CarillonCore
import CarillonServer
import Foundation
import Testing

@Suite("Assured delivery", .serialized, .timeLimit(.minutes(3)))
struct AssuredTests {
    private func send(_ service: RunningService, _ id: String) async throws {
        let answer = try await service.call(
            "POST", "/v1/notifications",
            body: [
                "to": ["user": "u1"], "payload": ["aps": ["alert": "Hello"]], "id": .string(id), "mode": "assured",
            ])
        #expect(answer.status == 202)
    }

    @Test("without a shown receipt in time the visible push follows with the same id")
    func follows() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            try await TestPhone("phone", on: service).register(user: "u1")
            try await send(service, "m1")
            _ = await watch.next(.accepted, of: "m1")
            #expect(service.sender.pushes.map(\.pushType) == [.background])
            service.clock.advance(by: .seconds(60))
            let followed = await watch.next(.accepted, of: "m1")
            #expect(followed?.purpose == .fallback)
            #expect(service.sender.pushes.map(\.pushType) == [.background, .alert])
            #expect(service.sender.pushes.map(\.collapseID) == ["m1", "m1"])
        }
    }

    @Test("a shown receipt in time: nothing follows, and the timeline says why")
    func answered() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u1")
            try await send(service, "m1")
            _ = await watch.next(.accepted, of: "m1")
            try await phone.report(.received, "m1")
            try await phone.report(.shown, "m1")
            let cancelled = await watch.next(.cancelled, of: "m1")
            #expect(cancelled?.purpose == .fallback)
            #expect(cancelled?.detail == "not needed: the device reported shown")
            #expect(try await service.store.nextDue(except: []) == nil)
        }
    }

    @Test("received alone is not shown: the visible push follows all the same")
    func receivedOnly() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u1")
            try await send(service, "m1")
            _ = await watch.next(.accepted, of: "m1")
            try await phone.report(.received, "m1")
            service.clock.advance(by: .seconds(60))
            #expect(await watch.next(.accepted, of: "m1")?.purpose == .fallback)
        }
    }

    @Test("a second alert is counted and reported", arguments: StoreEngine.allCases)
    func secondAlert(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("m1", to: .users(["u1"]), mode: .assured), at: noon)
        let due = noon + .seconds(60)
        let silent = try await store.claim(everything(), at: noon).deliveries
        _ = try await store.settle(silent.map { $0.settled() }, at: noon)
        try await store.deliverAll(at: due)
        #expect(try await store.report(MessageID(test: "m1"), at: due)?.counts.secondAlerts == 0)
        let late = receipt(.shown, "m1", at: noon + .seconds(30))
        _ = try await store.record([late], from: "phone", at: due + .seconds(5))
        #expect(try await store.report(MessageID(test: "m1"), at: due)?.counts.secondAlerts == 1)
    }

    @Test("three silent pushes in a row unanswered: the visible one follows at once; an answer ends that")
    func atOnce() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u1")
            for id in ["a", "b", "c"] {
                try await send(service, id)
                _ = await watch.next(.accepted, of: id)
                service.clock.advance(by: .seconds(60))
                #expect(await watch.next(.accepted, of: id)?.purpose == .fallback)
            }
            try await send(service, "d")
            _ = await watch.next(.accepted, of: "d")
            #expect(await watch.next(.accepted, of: "d")?.purpose == .fallback)
            try await phone.report(.shown, "d")
            try await send(service, "e")
            _ = await watch.next(.accepted, of: "e")
            #expect(try await service.store.nextDue(except: []) == service.clock.now + .seconds(60))
        }
    }

    @Test("recalled while it waits: the visible push does not follow")
    func recalled() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            try await TestPhone("phone", on: service).register(user: "u1")
            try await send(service, "m1")
            _ = await watch.next(.accepted, of: "m1")
            _ = try await service.call("DELETE", "/v1/notifications/m1")
            #expect(await watch.next(.accepted, of: "m1")?.purpose == .removal)
            #expect(try await service.store.nextDue(except: []) == nil)
        }
    }
}
