import CarillonCore
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import TestSupport
import Testing

@testable import CarillonServer

@Suite("Webhooks, from the event to the endpoint", .timeLimit(.minutes(3)))
struct WebhookSendingTests {
    private static func send(_ id: String, by service: RunningService) async throws {
        let answer = try await service.call(
            "POST", "/v1/notifications",
            body: ["to": ["everyone": true], "payload": ["aps": ["alert": "Hello"]], "id": .string(id)])
        #expect(answer.status == 202)
    }

    private static func run(
        _ body: @Sendable (RunningService, _ admin: String) async throws -> Void
    ) async throws {
        try await RunningService.run(configure: { $0.webhooksReachPrivateNetworks = true }) { service in
            let admin = try await service.keys.make(name: "admin", scopes: [.admin], apps: [chime]).key
            try await body(service, admin)
        }
    }

    private static func add(
        _ receiver: WebhookReceiver, to service: RunningService, _ admin: String
    ) async throws -> JSONValue {
        let added = try await service.call(
            "POST", "/v1/webhooks", body: ["url": .string(receiver.url), "types": ["message.accepted"]], auth: admin)
        #expect(added.status == 200, "\(added.json)")
        return added.json
    }

    private static func webhook(_ json: JSONValue, of service: RunningService) async throws -> JSONValue {
        try await service.call("GET", "/v1/webhooks/\(json["id"]?.stringValue ?? "")").json
    }

    /// Waits until so many attempts have failed, and returns the webhook as it is then.
    private static func failed(_ count: Int64, _ json: JSONValue, of service: RunningService) async throws -> JSONValue
    {
        while true {
            let shown = try await webhook(json, of: service)
            if shown["failures"] == .int(count) { return shown }
            await Task.yield()
        }
    }

    /// Lets time pass, and has the worker look at the webhooks of all apps then: its timer may begin after the clock has moved.
    private static func advance(
        _ duration: Duration, _ json: JSONValue, of service: RunningService, _ admin: String
    ) async throws {
        service.clock.advance(by: duration)
        let path = "/v1/webhooks/\(json["id"]?.stringValue ?? "")"
        #expect(try await service.call("PATCH", path, body: [:], auth: admin).status == 200)
    }

    private typealias Calls = AsyncStream<WebhookReceiver.Call>.Iterator

    private static func next(_ calls: inout Calls) async throws -> WebhookReceiver.Call {
        try #require(await calls.next())
    }

    @Test("is signed, in order, and repeated with an equal id and body until it is taken")
    func order() async throws {
        try await WebhookReceiver.run(answers: [500, 302]) { receiver in
            try await Self.run { service, admin in
                let webhook = try await Self.add(receiver, to: service, admin)
                let secret = try #require(webhook["secret"]?.stringValue)
                var calls = receiver.calls.makeAsyncIterator()
                try await Self.send("a", by: service)
                let first = try await Self.next(&calls)
                let shown = try await Self.failed(1, webhook, of: service)
                #expect(shown["last_failure"]?["answer"] == "500: no, thank you" && shown["state"] == "retrying")
                try await Self.send("b", by: service)
                try await Self.advance(.seconds(5), webhook, of: service, admin)
                let second = try await Self.next(&calls)
                #expect(try await Self.failed(2, webhook, of: service)["next_attempt"] != nil)
                try await Self.advance(.seconds(10), webhook, of: service, admin)
                let third = try await Self.next(&calls)
                #expect(Set([first, second, third].map(\.id)).count == 1)
                #expect(first.body == second.body && second.body == third.body && first.messages == ["a"])
                #expect(first.timestamp < third.timestamp)
                let fourth = try await Self.next(&calls)
                #expect(fourth.messages == ["b"] && fourth.id != first.id)
                for call in [first, second, third, fourth] { #expect(call.isSigned(by: secret)) }
                #expect(!first.isSigned(by: "whsec_" + Data(count: 32).base64EncodedString()))
                let taken = try await Self.failed(0, webhook, of: service)
                #expect(taken["secret"] == nil && taken["last_failure"] == nil)
            }
        }
    }

    @Test("is signed with the former secret too after a rotation")
    func rotation() async throws {
        try await WebhookReceiver.run { receiver in
            try await Self.run { service, admin in
                let webhook = try await Self.add(receiver, to: service, admin)
                let former = try #require(webhook["secret"]?.stringValue)
                let path = "/v1/webhooks/\(webhook["id"]?.stringValue ?? "")/rotate"
                let new = try #require(
                    try await service.call("POST", path, auth: admin).json["secret"]?.stringValue)
                var calls = receiver.calls.makeAsyncIterator()
                try await Self.send("a", by: service)
                let both = try await Self.next(&calls)
                #expect(former != new && both.isSigned(by: former) && both.isSigned(by: new))
            }
        }
    }

    @Test("an endpoint that does not answer delays no other and no end of the service, and fails after its time")
    func slow() async throws {
        try await WebhookReceiver.run(holds: true) { slow in
            try await WebhookReceiver.run { quick in
                try await Self.run { service, admin in
                    let held = try await Self.add(slow, to: service, admin)
                    for _ in 0..<2 { _ = try await Self.add(slow, to: service, admin) }
                    _ = try await Self.add(quick, to: service, admin)
                    var (slowCalls, calls) = (slow.calls.makeAsyncIterator(), quick.calls.makeAsyncIterator())
                    try await Self.send("a", by: service)
                    for _ in 0..<3 { _ = try await Self.next(&slowCalls) }
                    #expect(try await Self.next(&calls).messages == ["a"])
                    try await Self.send("b", by: service)
                    #expect(try await Self.next(&calls).messages == ["b"])
                    var shown = try await Self.webhook(held, of: service)
                    while shown["failures"] == 0 {
                        service.clock.advance(by: ServiceLimits.webhookTime)
                        shown = try await Self.webhook(held, of: service)
                    }
                    #expect(shown["last_failure"]?["answer"] == "no answer within 15 s")
                    try await Self.advance(.seconds(10), held, of: service, admin)
                    _ = try await Self.next(&slowCalls)
                }
            }
        }
    }

    @Test("an outcome that cannot be stored is stored later, and the request is not made again")
    func unwritten() async throws {
        let (folder, log) = (try TemporaryFolder(), LogLines())
        let engine = FailingEngine(
            try SQLiteEngine(path: folder.url.appending(path: "carillon.sqlite").path))
        defer { folder.remove() }
        let store = Store(engine)
        _ = try await store.put(AppSettings(topic: topic), at: noon)
        try await WebhookReceiver.run(whenCalled: { engine.fail(.diskIsFull) }) { receiver in
            try await RunningService.run(
                store: store, logger: log.logger, configure: { $0.webhooksReachPrivateNetworks = true }
            ) { service in
                let admin = try await service.keys.make(name: "admin", scopes: [.admin], apps: [chime]).key
                let webhook = try await Self.add(receiver, to: service, admin)
                var calls = receiver.calls.makeAsyncIterator()
                try await Self.send("a", by: service)
                _ = try await Self.next(&calls)
                while log.lines("the outcome of a webhook's request").isEmpty { await Task.yield() }
                engine.fail(nil)
                // The sender may begin its wait after its line is in the log.
                while try await Self.webhook(webhook, of: service)["delivered"] == nil {
                    service.clock.advance(by: ServiceLimits.webhookInterval)
                }
                try await Self.send("b", by: service)
                #expect(try await Self.next(&calls).messages == ["b"])
                engine.fail(nil)
            }
        }
    }

    @Test("of a long answer, a kilobyte is kept")
    func long() async throws {
        try await WebhookReceiver.run(answers: [500], text: String(repeating: "x", count: 1 << 20)) { receiver in
            try await Self.run { service, admin in
                let webhook = try await Self.add(receiver, to: service, admin)
                try await Self.send("a", by: service)
                let shown = try await Self.failed(1, webhook, of: service)
                let answer = shown["last_failure"]?["answer"]?.stringValue ?? ""
                #expect(answer.utf8.count == 1024 && answer.hasPrefix("500: xxx"))
            }
        }
    }

    @Test("is set aside when its endpoint says 410, shows the answer, and goes on when it may")
    func setAside() async throws {
        try await WebhookReceiver.run(answers: [410]) { receiver in
            try await Self.run { service, admin in
                let webhook = try await Self.add(receiver, to: service, admin)
                let path = "/v1/webhooks/\(webhook["id"]?.stringValue ?? "")"
                var calls = receiver.calls.makeAsyncIterator()
                try await Self.send("a", by: service)
                let first = try await Self.next(&calls)
                let shown = try await Self.failed(1, webhook, of: service)
                #expect(shown["state"] == "set-aside" && shown["last_failure"]?["answer"] == "410: no, thank you")
                #expect(try await service.call("POST", path + "/test", auth: admin).status == 409)
                let resumed = try await service.call("PATCH", path, body: ["state": "active"], auth: admin)
                #expect(resumed.json["state"] == "active" && resumed.json["failures"] == 0)
                #expect(try await Self.next(&calls).id == first.id)
                let replayed = try await service.call(
                    "POST", path + "/replay", body: ["since": .string("\(noon)")], auth: admin)
                #expect(replayed.status == 200)
                let again = try await Self.next(&calls)
                #expect(again.messages == ["a"] && again.id != first.id)
                #expect(try await service.call("POST", path + "/test", auth: admin).status == 200)
                let test = try JSONValue(parsing: try await Self.next(&calls).body)["events"]?.arrayValue
                #expect(test?.map { $0["type"] } == ["webhook.test"])
            }
        }
    }

    @Test("does not reach the host's own networks by a name, and says so")
    func ownNetworks() async throws {
        try await WebhookReceiver.run { receiver in
            try await RunningService.run { service in
                let admin = try await service.keys.make(name: "admin", scopes: [.admin], apps: [chime]).key
                for url in [receiver.url, "https://127.0.0.1/", "https://[::1]/", "https://[::ffff:10.0.0.1]/"] {
                    let refused = try await service.call(
                        "POST", "/v1/webhooks", body: ["url": .string(url)], auth: admin)
                    #expect(refused.status == 422 && refused.json["pointer"] == "/url", "\(url)")
                }
                let url = "https://localhost:\(receiver.port)/"
                let added = try await service.call("POST", "/v1/webhooks", body: ["url": .string(url)], auth: admin)
                #expect(added.status == 200)
                try await Self.send("a", by: service)
                let shown = try await Self.failed(1, added.json, of: service)
                let answer = shown["last_failure"]?["answer"]?.stringValue ?? ""
                #expect(answer.contains("localhost is in a network of this host's own"), "\(answer)")
            }
        }
    }

    @Test("a call that is repeated with its Idempotency-Key is made once, and a change of a former state is refused")
    func repetitions() async throws {
        try await Self.run { service, admin in
            func call(_ method: String, _ path: String, _ body: JSONValue?, _ headers: [String: String]) async throws
                -> RunningService.Answer
            { try await service.call(method, "/v1/webhooks\(path)", body: body, auth: admin, headers: headers) }
            let (url, key): (JSONValue, [String: String]) = (["url": "https://a.example/"], ["Idempotency-Key": "k"])
            let first = try await call("POST", "", url, key)
            let again = try await call("POST", "", url, key)
            #expect(first.status == 200 && first.json == again.json && first.json["secret"] != nil)
            let other = try await call("POST", "", ["url": "https://b.example/"], key)
            #expect(other.status == 409 && other.json["type"]?.stringValue?.hasSuffix("idempotency-key-reused") == true)
            let path = "/\(first.json["id"]?.stringValue ?? "")"
            let rotated = try await call("POST", "\(path)/rotate", nil, key)
            #expect(rotated.json["secret"] != first.json["secret"])
            #expect(try await call("POST", "\(path)/rotate", nil, key).json["secret"] == rotated.json["secret"])
            let more = try await call("POST", "\(path)/rotate", nil, ["Idempotency-Key": "l"])
            #expect(more.json["secret"] != rotated.json["secret"])
            let all = try await service.call("GET", "/v1/webhooks").json["webhooks"]?.arrayValue ?? []
            #expect(all.count == 1)
            let tag = try #require(try await call("GET", path, nil, [:]).headers["etag"])
            let changed = try await call("PATCH", path, ["texts": true], ["If-Match": "\"x\", \(tag)"])
            #expect(changed.status == 200 && changed.headers["etag"] != tag)
            let late = try await call("PATCH", path, ["texts": false], ["If-Match": tag])
            #expect(late.status == 412 && late.json["type"]?.stringValue?.hasSuffix("precondition") == true)
            #expect(try await call("PATCH", path, ["texts": false], ["If-Match": "*"]).status == 200)
            #expect(try await call("PATCH", path, [:], ["If-Match": "W/\(tag)"]).status == 412)
            let app = try await service.call("GET", "/v1/app")
            let current = try #require(app.headers["etag"])
            func limit(_ headers: [String: String]) async throws -> Int {
                let body: JSONValue = ["sends_per_second": 5]
                return try await service.call("PATCH", "/v1/app", body: body, auth: admin, headers: headers).status
            }
            #expect(try await limit(["If-Match": current]) == 200)
            #expect(try await limit(["If-Match": current]) == 412)
        }
    }

    @Test("the API names what is wrong, and takes no more webhooks than an app may have")
    func refusals() async throws {
        try await Self.run { service, admin in
            let bodies: [(JSONValue, String)] = [
                ([:], "/url"), (["url": "x"], "/url"), (["url": "https://example.com", "types": ["x"]], "/types/0"),
                (["url": "https://example.com", "types": []], "/types"),
                (["url": "https://example.com", "a": 1], "/a"),
                (["url": "https://example.com", "types": ["webhook.test"]], "/types/0"),
                (["url": "https://example.com\r\nx: y"], "/url"), (["url": "https://u:p@example.com"], "/url"),
                (["url": "https://example.com", "texts": "yes"], "/texts"),
            ]
            for (body, pointer) in bodies {
                let refused = try await service.call("POST", "/v1/webhooks", body: body, auth: admin)
                #expect(refused.status == 422 && refused.json["pointer"]?.stringValue == pointer, "\(refused.json)")
            }
            #expect(try await service.call("POST", "/v1/webhooks", body: ["url": "https://a.example"]).status == 403)
            for path in ["", "/rotate", "/test"] {
                let method = path.isEmpty ? "DELETE" : "POST"
                let unknown = try await service.call(method, "/v1/webhooks/0000000000000000\(path)", auth: admin)
                #expect(
                    unknown.status == 404 && unknown.json["detail"]?.stringValue?.hasSuffix(" 0000000000000000") == true
                )
            }
            let url: JSONValue = ["url": "https://a.example/"]
            for _ in 0..<StoreLimits.webhooksPerApp {
                #expect(try await service.call("POST", "/v1/webhooks", body: url, auth: admin).status == 200)
            }
            #expect(try await service.call("POST", "/v1/webhooks", body: url, auth: admin).status == 409)
            let all = try await service.call("GET", "/v1/webhooks").json["webhooks"]?.arrayValue ?? []
            #expect(all.count == StoreLimits.webhooksPerApp && all.allSatisfy { $0["secret"] == nil })
            let path = "/v1/webhooks/\(all[0]["id"]?.stringValue ?? "")"
            let old = try await service.call("POST", path + "/replay", body: ["since": 5], auth: admin)
            #expect(old.status == 422 && old.json["pointer"] == "/since")
            #expect(try await service.call("DELETE", path, auth: admin).status == 204)
            #expect(try await service.call("GET", path).status == 404)
        }
    }
}

/// An endpoint on loopback.
struct WebhookReceiver: Sendable {
    /// A request that has come.
    struct Call: Sendable {
        let headers: [String: String]
        let body: Data

        var id: String { headers["webhook-id"] ?? "" }
        var timestamp: Int { headers["webhook-timestamp"].flatMap { Int($0) } ?? 0 }
        var messages: [String] {
            let events = (try? JSONValue(parsing: body))?["events"]?.arrayValue ?? []
            return events.compactMap { $0["message"]?.stringValue }
        }

        /// Whether a signature of the request is by this secret, as Standard Webhooks says.
        func isSigned(by secret: String) -> Bool {
            guard let key = Data(base64Encoded: String(secret.dropFirst("whsec_".count))) else { return false }
            let signed = Data("\(id).\(timestamp).".utf8) + body
            let expected = Data(HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: key)))
            let given = (headers["webhook-signature"] ?? "").split(separator: " ")
            return given.contains { $0 == "v1,\(expected.base64EncodedString())" }
        }
    }

    let port: Int
    let calls: AsyncStream<Call>

    var url: String { "http://127.0.0.1:\(port)/hook" }

    /// Runs an endpoint.
    ///
    /// - Parameters:
    ///   - answers: the statuses of the first answers; all others are 204.
    ///   - holds: whether it never answers. The default is `false`.
    ///   - text: the body of each answer but 204.
    ///   - whenCalled: runs before each answer.
    ///   - body: uses it.
    static func run(
        answers: [UInt] = [], holds: Bool = false, text: String = "no, thank you",
        whenCalled: @escaping @Sendable () -> Void = {}, _ body: @Sendable (WebhookReceiver) async throws -> Void
    ) async throws {
        let (calls, called) = AsyncStream.makeStream(of: Call.self)
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let left = SharedValue(answers)
        let router = Router()
        router.post("/hook") { request, _ in
            let data = Data(try await request.body.collect(upTo: 1 << 20).readableBytesView)
            let headers = Dictionary(request.headers.map { ($0.name.canonicalName, $0.value) }) { first, _ in first }
            whenCalled()
            called.yield(Call(headers: headers, body: data))
            if holds {
                let (never, source) = AsyncStream.makeStream(of: Void.self)
                for await _ in never {}
                source.finish()
            }
            let status = left.withLock { $0.isEmpty ? nil : $0.removeFirst() } ?? 204
            return Response(
                status: HTTPResponse.Status(code: Int(status)),
                headers: status == 302 ? [.location: "http://127.0.0.1:1/"] : [:],
                body: status == 204 ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(string: text)))
        }
        var logger = Logger(label: "receiver")
        logger.logLevel = .critical
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { bound.yield($0.localAddress?.port ?? 0) }, logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            var port = ports.makeAsyncIterator()
            try await body(WebhookReceiver(port: try #require(await port.next()), calls: calls))
            group.cancelAll()
        }
    }
}

@Suite("The connection to a webhook's endpoint", .timeLimit(.minutes(3)))
struct WebhookConnectionTests {
    @Test("goes to the next of a name's addresses if one does not take it, and says why if none does")
    func addresses() async throws {
        try await WebhookReceiver.run { receiver in
            let target = try WebhookTarget(receiver.url, reachesPrivateNetworks: true)
            // Nothing listens at the first two.
            let closed = [
                try SocketAddress(ipAddress: "127.0.0.2", port: 1), try SocketAddress(ipAddress: "::1", port: 1),
            ]
            let open = try SocketAddress(ipAddress: "127.0.0.1", port: receiver.port)
            func post(_ addresses: [SocketAddress]) async throws -> WebhookPace.Answer {
                try await WebhookConnection(target: target, addresses: addresses)
                    .post([("webhook-id", "x")], Data("{}".utf8))
            }
            #expect(try await post(closed + [open]).isSuccess)
            await #expect(throws: NIOConnectionError.self) { try await post(closed) }
        }
    }

    @Test("speaks TLS, and only with who has a trusted certificate of the address's name")
    func secure() async throws {
        let (authority, folder) = (try TestAuthority(), try TemporaryFolder())
        let issued = try authority.server(names: ["localhost"])
        let (certificate, key) = (folder.url.appending(path: "c.pem"), folder.url.appending(path: "k.pem"))
        try Data(issued.certificatePEM.utf8).write(to: certificate)
        try TestSupport.TemporaryFolder.write(secret: Data(issued.keyPEM.utf8), to: key)
        let listener = try ListenerCertificate(.init(certificate: certificate.path, key: key.path))
        var trusting = TLSConfiguration.makeClientConfiguration()
        trusting.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.pem.utf8)))
        let context = try NIOSSLContext(configuration: trusting)
        try await RunningService.run(isSecure: listener) { port in
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
            func post(to host: String, _ tls: Result<NIOSSLContext, any Error>) async throws -> WebhookPace.Answer {
                let target = try WebhookTarget("https://\(host):\(port)/none", reachesPrivateNetworks: true)
                let connection = WebhookConnection(target: target, addresses: [address], tls: tls)
                return try await connection.post([("webhook-id", "x")], Data("{}".utf8))
            }
            let answer = try await post(to: "localhost", .success(context))
            guard case .status(404, _, let text) = answer else { return #expect(Bool(false), "\(answer)") }
            #expect(text.contains("/none"))
            await #expect(throws: (any Error).self) { try await post(to: "other.example", .success(context)) }
            await #expect(throws: (any Error).self) {
                try await post(to: "localhost", WebhookConnection.publicTLS)
            }
        }
    }
}

extension RunningService {
    /// Runs a service that speaks TLS.
    fileprivate static func run(
        isSecure certificate: ListenerCertificate, _ body: @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        try await run(roles: [.api], configure: { $0.certificate = certificate }) { service in
            try await body(service.base.port ?? 0)
        }
    }
}
