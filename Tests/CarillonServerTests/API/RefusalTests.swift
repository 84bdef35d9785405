import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CarillonServer

/// Calls that are refused, each with its status, its problem's type and the place of the fault.
@Suite("A call that cannot be accepted says what was wrong and where") struct RefusalTests {
    private func expect(
        _ answer: RunningService.Answer, _ status: Int, _ problem: String, at pointer: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.status == status, sourceLocation: sourceLocation)
        #expect(answer.contentType == "application/problem+json", sourceLocation: sourceLocation)
        #expect(answer.json["type"] == .string("urn:carillon:problem:\(problem)"), sourceLocation: sourceLocation)
        #expect(answer.json["pointer"]?.stringValue == pointer, sourceLocation: sourceLocation)
        #expect(answer.json["detail"]?.stringValue?.isEmpty == false, sourceLocation: sourceLocation)
    }

    private static func receipt(_ members: [String: JSONValue] = [:]) -> JSONValue {
        .object(
            ["id": "r", "message": "m", "event": "shown", "at": 1_700_000_000_000].merging(members) { $1 })
    }

    @Test("receipts: too many, a text that is too long, an id that is none, an event that nobody knows")
    func receipts() async throws {
        try await RunningService.run { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register()
            func post(_ receipts: [JSONValue]) async throws -> RunningService.Answer {
                try await service.call(
                    "POST", "/v1/receipts", body: ["receipts": .array(receipts)], auth: phone.credentials)
            }
            let limit = ServiceLimits.receiptsPerBatch
            #expect(try await post(Array(repeating: Self.receipt(), count: limit)).status == 200)
            expect(
                try await post(Array(repeating: Self.receipt(), count: limit + 1)), 422, "invalid-value",
                at: "/receipts")
            for (member, bytes) in [
                ("detail", ServiceLimits.receiptDetailBytes), ("reply", ServiceLimits.replyBytes),
                ("id", MessageID.byteLimit),
            ] {
                func text(_ count: Int) -> JSONValue { .string(String(repeating: "x", count: count)) }
                #expect(try await post([Self.receipt([member: text(bytes)])]).status == 200, "\(member)")
                expect(
                    try await post([Self.receipt(), Self.receipt([member: text(bytes + 1)])]), 422, "invalid-value",
                    at: "/receipts/1/\(member)")
            }
            expect(try await post([Self.receipt(["id": ""])]), 422, "invalid-value", at: "/receipts/0/id")
            expect(try await post([Self.receipt(["event": "sung"])]), 422, "invalid-value", at: "/receipts/0/event")
            expect(
                try await service.call("POST", "/v1/receipts", body: [:], auth: phone.credentials), 422,
                "invalid-value", at: "/receipts")
        }
    }

    @Test("read: nothing named, both ways of naming, ids that are none, and a phone that is signed out")
    func read() async throws {
        try await RunningService.run { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register()
            let both: JSONValue = ["messages": ["m"], "up_to": "2030-01-01T00:00:00Z"]
            for body in [[:], both] as [JSONValue] {
                expect(try await service.call("POST", "/v1/users/ada/read", body: body), 422, "invalid-value", at: "")
            }
            expect(
                try await service.call("POST", "/v1/users/ada/read", body: ["messages": ["m", "a b"]]), 422,
                "invalid-value", at: "/messages/1")
            expect(
                try await service.call("POST", "/v1/users/ada/read", body: ["up_to": "yesterday"]), 422,
                "invalid-value", at: "/up_to")
            let path = "/v1/devices/phone/read"
            expect(
                try await service.call("POST", path, body: ["messages": ["m"]], auth: phone.credentials), 409,
                "signed-out")
            expect(
                try await service.call("GET", "/v1/devices/phone/inbox", auth: phone.credentials), 409, "signed-out")
            try await phone.register(user: "ada")
            expect(
                try await service.call("POST", path, body: [:], auth: phone.credentials), 422, "invalid-value",
                at: "/messages")
            expect(
                try await service.call("POST", path, body: ["messages": ["m:0"]], auth: phone.credentials), 422,
                "invalid-value", at: "/messages/0")
        }
    }

    @Test("a message: an app that the key is not for, a dialect that nobody speaks, an audience that is none or two")
    func messages() async throws {
        try await RunningService.run { service in
            func send(_ members: [String: JSONValue]) async throws -> RunningService.Answer {
                let body: [String: JSONValue] = ["to": ["user": "ada"], "payload": ["aps": ["alert": "x"]]]
                return try await service.call(
                    "POST", "/v1/notifications", body: .object(body.merging(members) { $1 }))
            }
            #expect(try await send([:]).status == 202)
            expect(try await send(["topic": "com.example.ferry"]), 422, "other-app", at: "/topic")
            expect(try await send(["dialect": "klingon"]), 422, "invalid-value", at: "/dialect")
            expect(try await send(["to": [:]]), 422, "invalid-value", at: "/to")
            expect(try await send(["to": ["user": "ada", "everyone": true]]), 422, "invalid-value", at: "/to")
        }
    }

    @Test("a user whose id is none is no such user, in every call about users")
    func users() async throws {
        try await RunningService.run { service in
            for (method, path) in [("GET", "devices"), ("POST", "sign-out"), ("POST", "read")] {
                let body: JSONValue? = method == "POST" ? ["messages": ["m"]] : nil
                expect(
                    try await service.call(method, "/v1/users/a%0Ab/\(path)", body: body), 404, "no-such-user")
            }
            expect(try await service.call("DELETE", "/v1/users/a%0Ab"), 404, "no-such-user")
        }
    }

    @Test(
        "a database that cannot be reached is busy, with the time after which to try again; then all goes on",
        .timeLimit(.minutes(3)))
    func lostDatabase() async throws {
        try await throughProxy { service, proxy in
            let first = try await sendRepeatably(service)
            #expect(first.status == 202)
            proxy.cut(CuttingProxy.Rates(commitAnswers: 0, pieces: 1))
            let busy = try await sendRepeatably(service)
            expect(busy, 503, "busy")
            #expect(busy.headers["retry-after"] == "1")
            let again = try await sendAfterHealing(service, proxy)
            #expect(again.json["id"] == first.json["id"], "a repeated call is the same call")
        }
    }

    @Test(
        "a database lost at any commit of a call: busy, or the outcome is unknown, and the repeated call does it once",
        .timeLimit(.minutes(3)))
    func unknownOutcome() async throws {
        try await throughProxy { service, proxy in
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "ada")
            // Reads what later calls find in memory, so that their first commit is that of the message.
            var sent = [try await sendRepeatably(service, key: "first").json["id"]]
            var problems: Set<String> = []
            for commits in 0..<20 {
                proxy.cut(CuttingProxy.Rates(commitAnswers: 0, pieces: 0, commitsBeforeLoss: commits))
                let answer = try await sendRepeatably(service, key: "k\(commits)")
                let problem = answer.json["type"]?.stringValue ?? "none"
                problems.insert(problem)
                if answer.status == 503 { #expect(answer.headers["retry-after"] == "1") }
                sent.append(try await sendAfterHealing(service, proxy, key: "k\(commits)").json["id"])
                if problem == "none" { break }
            }
            #expect(problems.contains("urn:carillon:problem:unknown-outcome"))
            let known = ["busy", "unknown-outcome"].map { "urn:carillon:problem:\($0)" }
            #expect(problems.subtracting(known) == ["none"], "a call has fewer commits than these")
            let inbox = try await service.call("GET", "/v1/devices/phone/inbox", auth: phone.credentials)
            #expect(inbox.json["messages"]?.arrayValue?.map { $0["id"] } == sent.reversed(), "each was sent once")
        }
    }

    /// Runs a service whose connections to PostgreSQL can be cut.
    private func throughProxy(_ body: @escaping @Sendable (RunningService, CuttingProxy) async throws -> Void)
        async throws
    {
        let proxy = try CuttingProxy(to: try await PostgreSQLForTests.shared.folder(), seed: 1)
        defer { proxy.stop() }
        let store = try await StoreEngine.postgreSQL(
            at: try await StoreEngine.emptySchema(through: proxy), listens: false, patience: .seconds(2))
        for app in [chime, ferry] { _ = try await store.put(AppSettings(topic: app.topic), at: noon) }
        try await RunningService.run(store: store, roles: [.api]) { try await body($0, proxy) }
    }

    /// Sends with an idempotency key, so that a repetition is recognised.
    private func sendRepeatably(_ service: RunningService, key: String = "k") async throws -> RunningService.Answer {
        try await service.call(
            "POST", "/v1/notifications", body: ["to": ["user": "ada"], "payload": ["aps": ["alert": "x"]]],
            headers: ["Idempotency-Key": key])
    }

    private func sendAfterHealing(
        _ service: RunningService, _ proxy: CuttingProxy, key: String = "k"
    ) async throws -> RunningService.Answer {
        proxy.heal()
        var answer = try await sendRepeatably(service, key: key)
        while answer.status == 503 { answer = try await sendRepeatably(service, key: key) }
        return answer
    }

    @Test("the pages of an inbox have every message once, newest first, also while new ones arrive")
    func pages() async throws {
        try await RunningService.run { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "ada")
            func send(_ id: String) async throws {
                let answer = try await service.call(
                    "POST", "/v1/notifications",
                    body: ["to": ["user": "ada"], "payload": ["aps": ["alert": "x"]], "id": .string(id)])
                try #require(answer.status == 202)
            }
            let limit = ServiceLimits.messagesPerPage
            let sent = (0..<(2 * limit)).map { "m\($0)" }
            for id in sent { try await send(id) }
            var (listed, next, pageCount): ([String], String?, Int) = ([], nil, 0)
            repeat {
                let query = next.map { "?before=\($0)" } ?? ""
                let page = try await service.call(
                    "GET", "/v1/devices/phone/inbox\(query)", auth: phone.credentials)
                listed += page.json["messages"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
                next = page.json["next"]?.stringValue
                // It says nothing of how much all apps together send.
                #expect(next == nil || next == listed.last)
                pageCount += 1
                if listed.count == limit { try await send("late") }
            } while next != nil
            #expect(listed == sent.reversed() && pageCount == 2)
            expect(
                try await service.call("GET", "/v1/devices/phone/inbox?before=first", auth: phone.credentials), 400,
                "invalid-query")
        }
    }

    @Test("a message for no device says why: not signed in, no such device, no token, nobody matches")
    func nobody() async throws {
        try await RunningService.run(roles: [.api]) { service in
            func reason(_ to: JSONValue) async throws -> JSONValue? {
                let answer = try await service.call(
                    "POST", "/v1/notifications", body: ["to": to, "payload": ["aps": ["alert": "x"]]])
                #expect(answer.status == 202)
                return answer.json["reason"]
            }
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u1")
            #expect(try await reason(["users": ["u1", "u2"]]) == nil)
            #expect(try await reason(["user": "u2"]) == "not-signed-in")
            #expect(try await reason(["devices": ["other"]]) == "no-such-device")
            #expect(try await reason(["where": "tag:x"]) == "nobody-matches")
            #expect(try await service.call("DELETE", "/v1/devices/phone/user", auth: phone.credentials).status == 200)
            #expect(try await reason(["users": ["u1", "u2"]]) == "not-signed-in")
            // Another installation claims the token, and the service waits for its proof.
            let claimant = TestPhone("claimant", on: service, token: phone.token)
            try await claimant.register(user: "u3")
            #expect(try await reason(["user": "u3"]) == "token-gone")
            let trial = try await service.call(
                "POST", "/v1/notifications",
                body: ["to": ["user": "u3"], "payload": ["aps": ["alert": "x"]], "dry_run": true])
            #expect(trial.json["devices"] == 0 && trial.json["reason"] == "token-gone", "\(trial.json)")
        }
    }
}
