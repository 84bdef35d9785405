import CarillonAPNs
import CarillonCore
import Foundation
import Hummingbird
import NIOCore
import Testing

@testable import CarillonServer

@Suite("What operators and apps ask", .timeLimit(.minutes(3)))
struct StatusTests {
    @Test("the OpenAPI document has every route, and no other")
    func openAPI() async throws {
        try await RunningService.run(
            routes: { service in
                service.addRoutes { router in
                    let routes = Set(router.routes.map { "\($0.method.rawValue) \($0.path)" })
                    let described = (try? OpenAPIDocument.json())?["paths"]?.objectValue ?? [:]
                    let operations = described.flatMap { path, methods in
                        (methods.objectValue ?? [:]).keys.map { "\($0.uppercased()) \(path)" }
                    }
                    #expect(routes == Set(operations))
                }
            },
            { service in
                let answer = try await service.call("GET", "/openapi.json", auth: "")
                #expect(answer.json["openapi"] == "3.1.0")
                #expect(Self.dangling(in: answer.json, root: answer.json).isEmpty)
            })
    }

    @Test("the OpenAPI document is made once, however often anybody asks for it")
    func madeOnce() throws {
        let places = try (0..<2).map { _ in
            try OpenAPIDocument.encoded.get().withUnsafeReadableBytes { $0.baseAddress }
        }
        #expect(places[0] == places[1])
    }

    /// References that lead nowhere.
    private static func dangling(in json: JSONValue, root: JSONValue) -> [String] {
        switch json {
        case .array(let elements): return elements.flatMap { dangling(in: $0, root: root) }
        case .object(let members):
            if let reference = members["$ref"]?.stringValue {
                let target = reference.dropFirst(2).split(separator: "/").reduce(Optional(root)) { $0?[String($1)] }
                return target == nil ? [reference] : []
            }
            return members.flatMap { dangling(in: $0.value, root: root) }
        default: return []
        }
    }

    @Test("a process whose database answers is live and ready")
    func readiness() async throws {
        try await RunningService.run(roles: [.api]) { service in
            let ready = try await service.call("GET", "/readyz", auth: "")
            #expect(ready.status == 200 && ready.json == ["status": "ready", "waits_for": []])
            let live = try await service.call("GET", "/livez", auth: "")
            #expect(live.status == 200 && live.json == ["status": "live"])
        }
    }

    /// The statuses with which two listeners answer a path, each asked without credentials.
    private func statuses(_ service: RunningService, _ method: String, _ path: String) async throws -> [Int] {
        let other = try #require(URL(string: "http://127.0.0.1:\(try await service.service.operatorPort())"))
        var operators = service
        operators.base = other
        return try await [
            service.call(method, path, auth: "").status, operators.call(method, path, auth: "").status,
        ]
    }

    @Test("phones and operators have a listener each, and the phones' has only what phones call")
    func listeners() async throws {
        try await RunningService.run(
            operators: .init(host: "127.0.0.1", port: 0),
            routes: { $0.addRoutes { router in router.get("/page") { _, _ in "page" } } },
            { service in
                for (method, path, expected) in [
                    ("GET", "/healthz", [404, 200]), ("GET", "/readyz", [404, 200]), ("GET", "/metrics", [404, 200]),
                    ("GET", "/openapi.json", [404, 200]), ("GET", "/page", [404, 200]),
                    ("POST", "/v1/notifications", [404, 401]), ("GET", "/v1/app", [404, 401]),
                    ("POST", "/v1/devices/import", [405, 401]), ("DELETE", "/v1/users/u1", [404, 401]),
                    ("POST", "/v1/receipts", [401, 401]), ("GET", "/v1/devices/d/sync", [401, 401]),
                    ("GET", "/v1/devices/d/inbox", [401, 401]),
                ] {
                    let found = try await statuses(service, method, path)
                    #expect(found == expected, "\(method) \(path)")
                }
                // The advice can be followed: the path that it names is at this listener, or is said to be at the other.
                let missing = try await service.call("GET", "/openapi.json", auth: "")
                let detail = missing.json["detail"]?.stringValue ?? ""
                #expect(detail.contains("--operator-port") && !detail.contains("lists what there is"), "\(detail)")
                let phone = TestPhone("phone", on: service, environment: "production ")
                let refused = try await phone.register()
                #expect(refused.status == 422 && refused.json["pointer"] == "/environment")
                let values = refused.json["detail"]?.stringValue ?? ""
                #expect(values.contains("production") && values.contains("sandbox"), "\(values)")
                #expect(!values.contains("openapi"), "\(values)")
            })
    }

    @Test("a process that only sends is looked at by its operators' listener, which takes no calls of backends")
    func senderListener() async throws {
        try await RunningService.run(roles: [.sender], operators: .init(host: "127.0.0.1", port: 0)) { service in
            let health = try await service.call("GET", "/healthz", auth: "")
            #expect(health.status == 200 && health.json["roles"] == ["sender"])
            #expect(try await service.call("GET", "/metrics", auth: "").status == 200)
            #expect(try await service.call("POST", "/v1/notifications", auth: "").status == 404)
        }
    }

    @Test("metrics count what was accepted, sent, rejected by reason and reported")
    func metrics() async throws {
        let sender = RecordingSender { push, number in
            number == 1
                ? .rejected(APNsRejection(.tooManyRequests, 429)) : .accepted(apnsID: push.apnsID)
        }
        try await RunningService.run(sender: sender) { service in
            var watch = try #require(EventWatch(service.service.events))
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u1")
            _ = try await service.call(
                "POST", "/v1/notifications",
                body: ["to": ["user": "u1"], "payload": ["aps": ["alert": "x"]], "id": "m1"])
            _ = await watch.next(.rejected, of: "m1")
            service.clock.advance(by: .seconds(2))
            _ = await watch.next(.accepted, of: "m1")
            try await phone.report(.shown, "m1")
            let answer = try await service.call("GET", "/metrics", auth: "")
            let lines = String(decoding: answer.data, as: UTF8.self).split(separator: "\n").map(String.init)
            #expect(lines.contains(#"carillon_messages_accepted_total{app="com.example.chime"} 1"#))
            #expect(lines.contains(#"carillon_events_total{event="sent"} 2"#))
            let pushes = #"carillon_pushes_total{app="com.example.chime","#
            #expect(lines.contains(#"\#(pushes)outcome="rejected",reason="TooManyRequests"} 1"#))
            #expect(lines.contains(#"carillon_receipts_total{app="com.example.chime",event="shown"} 1"#))
            #expect(lines.contains(#"carillon_push_shown_seconds_count{app="com.example.chime"} 1"#))
            #expect(lines.contains(#"carillon_queue_depth{queue="receipts",app=""} 0"#))
            #expect(lines.contains(#"carillon_events_total{event="shown"} 1"#))
            #expect(lines.contains("carillon_alarms 0"))
        }
    }

    @Test("new installations whose token APNs does not know are deleted, and counted", .timeLimit(.minutes(5)))
    func unknownTokens() async throws {
        let sender = RecordingSender()
        sender.refuseNewTokens()
        try await RunningService.run(sender: sender) { service in
            try await TestPhone("phone", on: service).register()
            var text = ""
            while !text.contains("carillon_unknown_tokens_total 1\n") {
                text = String(decoding: try await service.call("GET", "/metrics", auth: "").data, as: UTF8.self)
            }
            #expect(try await service.store.device("phone") == nil)
        }
    }

    @Test("a new credential that APNs refuses is a warning, and no alarm", .timeLimit(.minutes(5)))
    func refusedCredential() async throws {
        let sender = RecordingSender()
        sender.refuseCredentials(of: [AppID(topic: topic, environment: .production)])
        try await RunningService.run(sender: sender) { service in
            var health = JSONValue.null
            while health["warnings"]?.arrayValue?.isEmpty ?? true {
                health = try await service.call("GET", "/healthz", auth: "").json
            }
            let warning = health["warnings"]?.arrayValue?.first
            #expect(warning?["app"]?.stringValue?.contains(topic) == true && warning?["ends"] == nil)
            #expect(warning?["advice"]?.stringValue?.contains("before a restart") == true)
            #expect(health["status"] == "ok")
        }
    }

    @Test("an installation reads its user's inbox, with what was read and what was not")
    func inbox() async throws {
        try await RunningService.run { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register()
            let nobody = try await service.call("GET", "/v1/devices/phone/inbox", auth: phone.credentials)
            #expect(nobody.status == 409)
            try await phone.register(user: "u1")
            for id in ["a", "b"] {
                _ = try await service.call(
                    "POST", "/v1/notifications",
                    body: ["to": ["user": "u1"], "payload": ["aps": ["alert": "x"]], "id": .string(id)])
            }
            try await phone.report(.opened, "a")
            let answer = try await service.call("GET", "/v1/devices/phone/inbox", auth: phone.credentials)
            let inbox = try CarillonJSON.decode(InboxAnswer.self, from: answer.data)
            #expect(inbox.messages.map(\.id.rawValue) == ["b", "a"])
            #expect(inbox.messages.map { $0.readAt != nil } == [false, true])
            #expect(inbox.unread == 1)
            #expect(inbox.next == nil)
            let odd = try await service.call("GET", "/v1/devices/phone/inbox?before=x", auth: phone.credentials)
            #expect(odd.status == 400)
        }
    }

    /// Lives as long as a task that was made while it was there.
    private final class Trace: Sendable {
        @TaskLocal static var current: Trace?
    }

    @Test(
        "a probe that has its answer leaves nothing behind, although the store does not answer",
        .timeLimit(.minutes(5)))
    func abandonedProbes() async {
        let clock = ManualClock(start: noon)
        let probe = StoreProbe<StoreHealth>(clock: clock)
        let (holds, held) = AsyncStream.makeStream(of: Void.self)
        let look: @Sendable () async throws -> StoreHealth = {
            for await _ in holds {}
            return StoreHealth(setAside: 7)
        }
        @Sendable func ask() async {
            await withTaskGroup(of: Bool.self) { group in
                group.addTask { await probe.health(look) == nil }
                group.addTask {
                    while !Task.isCancelled {
                        clock.advance(by: ServiceLimits.probePatience)
                        await Task.yield()
                    }
                    return false
                }
                #expect(await group.next() == true)
                group.cancelAll()
            }
        }
        await ask()
        weak var trace: Trace?
        await {
            let own = Trace()
            trace = own
            await Trace.$current.withValue(own) { await ask() }
        }()
        #expect(trace == nil)
        held.finish()
    }

    @Test(
        "probes share one look at a store that does not answer, and are answered nonetheless",
        .timeLimit(.minutes(5)))
    func probes() async {
        let clock = ManualClock(start: noon)
        let probe = StoreProbe<StoreHealth>(clock: clock)
        let looks = SharedValue(0)
        let (holds, held) = AsyncStream.makeStream(of: Void.self)
        let look: @Sendable () async throws -> StoreHealth = {
            looks.withLock { $0 += 1 }
            for await _ in holds {}
            return StoreHealth(setAside: 7)
        }
        let isDone = SharedValue(false)
        let answers = await withTaskGroup(of: StoreHealth?.self) { group in
            for _ in 0..<3 { group.addTask { await probe.health(look) } }
            group.addTask {
                // Each waits on a timer of its own, which it may set at any time.
                while !isDone.withLock({ $0 }) {
                    clock.advance(by: ServiceLimits.probePatience)
                    await Task.yield()
                }
                return nil
            }
            var answers: [StoreHealth?] = []
            for await answer in group {
                answers.append(answer)
                if answers.count == 3 { isDone.withLock { $0 = true } }
            }
            return answers
        }
        #expect(answers.allSatisfy { $0 == nil })
        #expect(looks.withLock { $0 } == 1)
        held.finish()
        // The look that was under way ends, and a later one is another.
        let known = await probe.health(look)
        #expect(known?.setAside == 7)
    }
}
