import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("An app that is removed while the service runs", .timeLimit(.minutes(3)))
struct RemovedAppAPITests {
    private static func remove(_ store: Store) async throws {
        #expect(try await store.apps.remove(chime, by: AuditActor("test"), at: noon))
    }

    private static func send(_ service: RunningService, _ topic: String?, _ key: String) async throws -> Int {
        var body: [String: JSONValue] = ["to": ["everyone": true], "payload": ["aps": ["alert": "x"]]]
        body["topic"] = topic.map(JSONValue.string)
        return try await service.call("POST", "/v1/notifications", body: .object(body), auth: key).status
    }

    @Test("its keys and its phones are refused, and a key for other apps too goes on for these")
    func refused() async throws {
        try await RunningService.run { service in
            let both = try await service.keys.make(name: "both", scopes: [.admin], apps: [chime, ferry]).key
            let own = try await service.keys.make(name: "own", scopes: [.admin], apps: [chime]).key
            let phone = TestPhone("phone", on: service)
            let other = TestPhone("other", on: service, app: ferry)
            for phone in [phone, other] { #expect(try await phone.register(user: "u").status == 200) }
            #expect(try await Self.send(service, nil, own) == 202)
            try await Self.remove(service.store)

            // Keys that were used in the last second are in the cache, and the store refuses their calls.
            #expect(try await Self.send(service, nil, own) == 422)
            for method in ["GET", "PATCH"] {
                let answer = try await service.call(
                    method, "/v1/app", body: method == "PATCH" ? ["sends_per_second": 5] : nil, auth: own)
                #expect(answer.status == 422 && answer.json["pointer"] == "/topic", "\(method)")
            }
            service.clock.advance(by: ServiceLimits.apiKeyCacheLife)
            #expect(try await Self.send(service, nil, own) == 401)
            #expect(try await Self.send(service, chime.topic, both) == 422)
            #expect(try await Self.send(service, ferry.topic, both) == 202)
            #expect(try await Self.send(service, nil, both) == 202, "the only app that is left")

            #expect(try await phone.report(.opened, "m").status == 401)
            #expect(try await phone.sync().status == 401)
            let again = try await phone.register()
            let unknown = try await TestPhone(
                "new", on: service, app: AppReference(number: AppNumber(rawValue: 9), topic: "com.example.none")
            ).register()
            #expect(again.status == 422 && again.json["pointer"] == "/topic")
            #expect(again.json["detail"] == unknown.json["detail"] && unknown.status == 422)
            #expect(try await other.sync().status == 200)
            #expect(try await service.store.apps.all().map(\.topic) == [ferry.topic])
        }
    }

    @Test("the sender of another process sends nothing more of it and deletes it, and the metrics of both end")
    func processes() async throws {
        let store = try await StoreEngine.sqlite.make()
        @Sendable func metrics(_ service: RunningService) async throws -> String {
            // A reading of the queues is kept for a while.
            service.clock.advance(by: ServiceLimits.queueReadingAge)
            return String(decoding: try await service.call("GET", "/metrics", auth: "").data, as: UTF8.self)
        }
        let label = #"app="\#(chime.topic)""#
        try await RunningService.run(store: store, roles: [.api]) { api in
            let address = ServiceConfiguration.ListenAddress(host: "127.0.0.1", port: 0)
            try await RunningService.run(
                store: store, roles: [.sender], operators: address, poll: .milliseconds(20)
            ) { sender in
                let phone = TestPhone("phone", on: api)
                #expect(try await phone.register(user: "u").status == 200)
                #expect(
                    try await api.call(
                        "POST", "/v1/notifications", body: ["to": ["user": "u"], "payload": ["aps": ["alert": "x"]]]
                    ).status == 202)
                while sender.sender.pushes.isEmpty {
                    sender.clock.advance(by: .milliseconds(20))
                    _ = try await sender.call("GET", "/livez", auth: "")
                }
                #expect(try await metrics(api).contains("carillon_messages_accepted_total{\(label)"))
                while try await !metrics(sender).contains("carillon_pushes_total{\(label)") {}
                try await Self.remove(store)
                while try await !store.upkeep.removedApps().isEmpty {
                    sender.clock.advance(by: ServiceLimits.removedAppInterval)
                    _ = try await sender.call("GET", "/livez", auth: "")
                }
                #expect(try await store.read { try $0.integer("SELECT count(*) FROM devices") } == 0)
                for service in [api, sender] { #expect(try await !metrics(service).contains(label)) }
                #expect(sender.sender.pushes.count == 1)
            }
        }
    }
}
