import CarillonAPNs
import CarillonCore
import CarillonServer
import Foundation
import Testing

@Suite("The worker", .timeLimit(.minutes(3)))
struct DeliveryWorkerTests {
    private func send(_ service: RunningService, _ id: String, extra: [String: JSONValue] = [:]) async throws {
        var body: [String: JSONValue] = [
            "to": ["user": "u1"], "payload": ["aps": ["alert": "Hello"]], "id": .string(id),
        ]
        body.merge(extra) { $1 }
        let answer = try await service.call("POST", "/v1/notifications", body: .object(body))
        #expect(answer.status == 202, "\(answer.json)")
    }

    @Test("a message is sent to every device of its user, with no time passing")
    func sends() async throws {
        try await RunningService.run { service in
            for id in ["phone", "tablet"] { try await TestPhone(id, on: service).register(user: "u1") }
            try await send(service, "m1")
            var pushes = service.sender.stream.makeAsyncIterator()
            let tokens = [await pushes.next()?.token.hex, await pushes.next()?.token.hex]
            #expect(Set(tokens) == [Data("phone".utf8).hexadecimal, Data("tablet".utf8).hexadecimal])
        }
    }

    @Test("pushes that are claimed together are handed over together, and each has its own answer")
    func together() async throws {
        let sender = RecordingSender { push, _ in
            push.token.hex == Data("p1".utf8).hexadecimal
                ? .rejected(APNsRejection(.payloadTooLarge, 413)) : .accepted(apnsID: push.apnsID)
        }
        try await RunningService.run(sender: sender) { service in
            for number in 0..<3 { try await TestPhone("p\(number)", on: service).register(user: "u1") }
            var watch = try #require(EventWatch(service.service.events))
            try await send(service, "m1")
            _ = await watch.next(.rejected, of: "m1")
            for number in 0..<3 {
                let kinds = try await service.store.kinds("m1", on: "p\(number)", at: noon)
                #expect(kinds == [.queued, .sent, number == 1 ? .rejected : .accepted])
            }
            #expect(sender.handOvers.contains { $0.count == 3 }, "\(sender.handOvers)")
        }
    }

    @Test("the timeline has the id by which Apple's console finds an accepted push, cut if it is no id of Apple's")
    func uniqueID() async throws {
        let sender = RecordingSender { push, _ in
            .accepted(apnsID: push.apnsID, uniqueID: "u-1" + String(repeating: "x", count: 100))
        }
        try await RunningService.run(sender: sender) { service in
            try await TestPhone("p", on: service).register(user: "u1")
            var watch = try #require(EventWatch(service.service.events))
            try await send(service, "m1")
            _ = await watch.next(.accepted, of: "m1")
            let timeline = try await service.call("GET", "/v1/notifications/m1/timeline").json
            let events = timeline["devices"]?.arrayValue?.first?["events"]?.arrayValue ?? []
            let accepted = events.first { $0["event"] == "accepted" }
            let detail = accepted?["detail"]?.stringValue ?? ""
            #expect(detail.hasPrefix("apns-unique-id u-1x") && detail.count == 79, "\(timeline)")
        }
    }

    @Test("a hand-over has a quarter of the lease, and 15 seconds at most, from the look at the lease on")
    func time() async throws {
        let store = try await StoreEngine.sqlite.make()
        try await store.enrol(device("d", user: "u1"), at: noon)
        _ = try await store.accept(try message("m", to: .users(["u1"])), at: noon)
        try await RunningService.run(store: store) { service in
            var pushes = service.sender.stream.makeAsyncIterator()
            _ = await pushes.next()
            #expect(Set(service.sender.timesLeft) == [.seconds(15)])
        }
    }

    @Test("what is claimed together for two apps is handed over for each by itself")
    func apps() async throws {
        let store = try await StoreEngine.sqlite.make()
        for app in [chime, ferry] {
            for number in 0..<2 {
                try await store.enrol(device("\(app.number)-\(number)", user: "u1", app: app), at: noon)
            }
            _ = try await store.accept(try message("m", to: .users(["u1"]), app: app), at: noon)
        }
        let sender = RecordingSender()
        try await RunningService.run(sender: sender, store: store) { _ in
            var pushes = sender.stream.makeAsyncIterator()
            for _ in 0..<4 { _ = await pushes.next() }
            let handOvers = sender.handOvers
            #expect(handOvers.count == 2)
            #expect(Set(handOvers) == [[chime.topic, chime.topic], [ferry.topic, ferry.topic]])
        }
    }

    @Test("a process that only accepts sends nothing; one that sends delivers it after a restart")
    func roles() async throws {
        let store = try await StoreEngine.sqlite.make()
        let first = RecordingSender()
        try await RunningService.run(sender: first, store: store, roles: [.api]) { service in
            try await TestPhone("phone", on: service).register(user: "u1")
            try await send(service, "m1")
        }
        #expect(first.pushes.isEmpty)
        let second = RecordingSender()
        try await RunningService.run(sender: second, store: store) { service in
            var pushes = second.stream.makeAsyncIterator()
            let push = await pushes.next()
            #expect(push?.collapseID == "m1")
        }
        #expect(second.pushes.count == 1)
    }

    @Test("what APNs was too busy for is sent again later, with the same apns-id")
    func retries() async throws {
        let sender = RecordingSender { push, number in
            number == 1
                ? .rejected(APNsRejection(.tooManyRequests, 429)) : .accepted(apnsID: push.apnsID)
        }
        try await RunningService.run(sender: sender) { service in
            var watch = try #require(EventWatch(service.service.events))
            try await TestPhone("phone", on: service).register(user: "u1")
            try await send(service, "m1")
            let rejected = await watch.next(.rejected, of: "m1")
            #expect(rejected?.reason == "TooManyRequests")
            #expect(sender.pushes.count == 1)
            service.clock.advance(by: .seconds(2))
            _ = await watch.next(.accepted, of: "m1")
            #expect(Set(sender.pushes.map(\.apnsID)).count == 1)
        }
    }

    @Test("a refused credential stops the app with one alarm; its messages wait and go out when it is accepted again")
    func credential() async throws {
        let sender = RecordingSender { _, _ in
            .rejected(APNsRejection(.invalidProviderToken, 403))
        }
        try await RunningService.run(sender: sender) { service in
            var watch = try #require(EventWatch(service.service.events))
            try await TestPhone("phone", on: service).register(user: "u1")
            try await send(service, "m1")
            _ = await watch.next(.rejected, of: "m1")
            try await send(service, "m2")
            service.clock.advance(by: .seconds(60))
            let health = try await service.call("GET", "/healthz", auth: "")
            #expect(health.json["status"] == "degraded")
            #expect(health.json["alarms"]?.arrayValue?.first?["reason"] == "InvalidProviderToken")
            #expect(sender.pushes.count == 1)
            #expect(health.json["alarms"]?.arrayValue?.count == 1)

            sender.answer { push, _ in .accepted(apnsID: push.apnsID) }
            service.clock.advance(by: .seconds(300))
            _ = await watch.next(.accepted, of: "m1")
            _ = await watch.next(.accepted, of: "m2")
            let after = try await service.call("GET", "/healthz", auth: "")
            #expect(after.json["status"] == "ok")
        }
    }

    @Test("an app without a credential has its messages wait, health says so, and they go out when there is one")
    func missingCredential() async throws {
        let sender = RecordingSender { _, _ in .noCredential("the app has none") }
        try await RunningService.run(sender: sender) { service in
            var watch = try #require(EventWatch(service.service.events))
            var pushes = sender.stream.makeAsyncIterator()
            try await TestPhone("phone", on: service).register(user: "u1")
            try await send(service, "m1")
            _ = await pushes.next()
            try await send(service, "m2")
            let health = try await service.call("GET", "/healthz", auth: "")
            #expect(health.json["status"] == "degraded")
            let alarm = try #require(health.json["alarms"]?.arrayValue?.first)
            #expect(alarm["reason"] == "the app has none")
            #expect(alarm["advice"]?.stringValue?.contains("carillon apps add") == true)
            #expect(try await service.store.kinds("m1", on: "phone", at: noon) == [.queued], "nothing was tried")

            sender.answer { push, _ in .accepted(apnsID: push.apnsID) }
            service.clock.advance(by: .seconds(5))
            _ = await watch.next(.accepted, of: "m1")
            _ = await watch.next(.accepted, of: "m2")
            #expect(try await service.call("GET", "/healthz", auth: "").json["status"] == "ok")
        }
    }

    @Test(
        "an alarm goes away when the messages that waited are cancelled, though nothing was sent",
        .timeLimit(.minutes(5)))
    func alarmOfNothing() async throws {
        let sender = RecordingSender { _, _ in .rejected(APNsRejection(.invalidProviderToken, 403)) }
        try await RunningService.run(sender: sender) { service in
            var watch = try #require(EventWatch(service.service.events))
            try await TestPhone("phone", on: service).register(user: "u1")
            try await send(service, "m1")
            _ = await watch.next(.rejected, of: "m1")
            try await send(service, "m2")
            _ = try await alarms(of: service, when: "degraded")
            service.clock.advance(by: .seconds(300))
            // The probe was refused too: the alarm stays while something waits.
            while sender.pushes.count < 2 { await Task.yield() }
            #expect(try await alarms(of: service, when: "degraded").count == 1)
            for id in ["m1", "m2"] {
                #expect(try await service.call("POST", "/v1/notifications/\(id)/cancel").status == 200)
            }
            while try await service.call("GET", "/healthz", auth: "").json["status"] != "ok" {
                service.clock.advance(by: .seconds(300))
                await Task.yield()
            }
            #expect(sender.pushes.count == 2)
        }
    }

    /// Waits until `/healthz` has that status; its alarms.
    private func alarms(of service: RunningService, when status: JSONValue) async throws -> [JSONValue] {
        while true {
            let health = try await service.call("GET", "/healthz", auth: "").json
            if health["status"] == status { return try #require(health["alarms"]?.arrayValue) }
            await Task.yield()
        }
    }

    private func waiting(_ id: String, on service: RunningService) async throws -> String? {
        let timeline = try await service.call("GET", "/v1/notifications/\(id)/timeline").json
        return timeline["devices"]?.arrayValue?.first?["waiting"]?.stringValue
    }

    @Test(
        "a server that is not trusted stops the app at once; health and timeline say why until a push goes through",
        .timeLimit(.minutes(5)))
    func distrusted() async throws {
        let sender = RecordingSender { _, _ in
            .distrusted("the server's certificate is not signed by a trusted authority")
        }
        try await RunningService.run(sender: sender) { service in
            var watch = try #require(EventWatch(service.service.events))
            try await TestPhone("phone", on: service).register(user: "u1")
            try await send(service, "m1")
            let alarm = try #require(try await alarms(of: service, when: "degraded").first)
            #expect(alarm["reason"]?.stringValue?.contains("trusted authority") == true, "\(alarm)")
            #expect(alarm["advice"]?.stringValue?.contains("ca-certificates") == true, "\(alarm)")
            let waiting = try await waiting("m1", on: service)
            #expect(waiting == "sandbox: the server's certificate is not signed by a trusted authority")
            sender.answer { push, _ in .accepted(apnsID: push.apnsID) }
            service.clock.advance(by: .seconds(10))
            _ = await watch.next(.accepted, of: "m1")
            #expect(try await alarms(of: service, when: "ok").isEmpty)
            #expect(try await self.waiting("m1", on: service) == nil)
        }
    }

    @Test(
        "an APNs that cannot be reached for a minute raises one alarm, which goes away with it", .timeLimit(.minutes(5))
    )
    func unreachable() async throws {
        let sender = RecordingSender { _, _ in .unconnected("connection refused") }
        try await RunningService.run(sender: sender) { service in
            var watch = try #require(EventWatch(service.service.events))
            var pushes = sender.stream.makeAsyncIterator()
            try await TestPhone("phone", on: service).register(user: "u1")
            for number in 0..<3 {
                try await send(service, "m\(number)")
                _ = await pushes.next()
                #expect(try await service.call("GET", "/healthz", auth: "").json["status"] == "ok")
                service.clock.advance(by: .seconds(number == 1 ? 29 : 30))
            }
            try await send(service, "m3")
            let all = try await alarms(of: service, when: "degraded")
            #expect(all.count == 1 && all.first?["reason"] == "connection refused", "\(all)")
            #expect(all.first?["since"]?.stringValue == noon.description, "the first failure began it: \(all)")
            sender.answer { push, _ in .accepted(apnsID: push.apnsID) }
            service.clock.advance(by: .seconds(10))
            _ = await watch.next(.accepted, of: "m3")
            #expect(try await alarms(of: service, when: "ok").isEmpty)
        }
    }
}
