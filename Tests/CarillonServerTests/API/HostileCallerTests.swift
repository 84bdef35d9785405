import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

/// Each was found by reading the service as its enemy would.
@Suite("What a hostile caller tries", .timeLimit(.minutes(5)))
struct HostileCallerTests {
    @Test("a body in UTF-16 escapes neither the bound on depth nor the refusal of NUL")
    func encoding() async throws {
        try await RunningService.run { service in
            let phone = TestPhone("phone", on: service)
            // The bytes of U+0122 in UTF-16 are a quotation mark to whoever reads bytes.
            let text = """
                {"q":"\u{122}","installation":"phone","secret":"\(phone.secret)","topic":"\(topic)","environment":"sandbox",\
                "token":"aa","permission":"authorized","locale":"a\\u0000b"}
                """
            let nul = try await service.call(
                "POST", "/v1/devices", raw: text.data(using: .utf16LittleEndian), auth: "")
            #expect(nul.status == 400, "\(nul)")
            let deep =
                "{\"q\":\"\u{122}\",\"to\":" + String(repeating: "[", count: 100)
                + String(repeating: "]", count: 100) + "}"
            let answer = try await service.call(
                "POST", "/v1/notifications", raw: deep.data(using: .utf16LittleEndian))
            #expect(answer.status == 400, "\(answer)")
        }
    }

    @Test("the same Idempotency-Key and body for another app, named in the query, is another message or a conflict")
    func idempotency() async throws {
        try await RunningService.run { service in
            _ = try await service.store.put(AppSettings(topic: ferry.topic), at: noon)
            let key = try await service.keys.make(name: "both", scopes: [.send], apps: [chime, ferry]).key
            let body: JSONValue = ["to": ["user": "u1"], "payload": ["aps": ["alert": "x"]]]
            let answers = try await [topic, ferry.topic].asyncMap {
                try await service.call(
                    "POST", "/v1/notifications?topic=\($0)", body: body, auth: key,
                    headers: ["Idempotency-Key": "k"])
            }
            #expect(answers[0].status == 202)
            #expect(answers[1].status == 409 || answers[1].json["id"] != answers[0].json["id"], "\(answers[1])")
        }
    }

    @Test("an installation that claims a token, takes its own again and claims anew makes one push a minute")
    func claims() async throws {
        let store = try await StoreEngine.sqlite.make()
        try await store.enrol(device("victim", token: "aa"), at: noon)
        for _ in 0..<10 {
            _ = try await store.register(device("hostile", token: "aa"), at: noon)
            _ = try await store.register(device("hostile", token: "bb"), at: noon)
        }
        _ = try await store.register(device("hostile", token: "aa"), at: noon)
        var pushes = 0
        for second in 0..<5 {
            let at = noon + .seconds(second)
            let due = try await store.claim(everything(), at: at).deliveries
            pushes += due.count { $0.purpose == .tokenClaim }
            _ = try await store.settle(due.map { $0.settled(at: at) }, at: at)
        }
        #expect(pushes <= 1)
    }

    @Test("an installation that registers again and again delays nobody else's check")
    func checks() async throws {
        let store = try await StoreEngine.sqlite.make()
        for _ in 0..<500 { _ = try await store.register(device("hostile"), at: noon) }
        _ = try await store.register(device("honest"), at: noon)
        let at = noon + .seconds(1)
        let due = try await store.claim(everything(limit: 10_000), at: at).deliveries
        #expect(due.contains { $0.device == "honest" && $0.purpose == .tokenCheck })
        #expect(due.count { $0.device == "hostile" } == 1)
    }

    @Test("a user has so many installations and no more, so that a message to the user and others does not fail")
    func installationsOfOneUser() async throws {
        let store = try await StoreEngine.sqlite.make()
        try await store.enrol(device("honest", user: "u1"), at: noon)
        for index in 0...StoreLimits.devicesPerUser * 2 {
            _ = try await store.register(device("x\(index)", user: "u2"), at: noon + .seconds(60))
        }
        let answer = try await store.accept(try message("m", to: .users(["u1", "u2"])), at: noon + .seconds(60))
        guard case .accepted(let accepted) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(accepted.devices == 1 + StoreLimits.devicesPerUser)
        #expect(try await store.device("x0")?.user == nil, "heard of least recently")
    }

    @Test("nothing is sent to an erased user's phone, however much was queued")
    func eraseManyQueued() async throws {
        let store = try await StoreEngine.sqlite.make()
        try await store.enrol(device("phone", user: "u1"), at: noon)
        for index in 0...StoreLimits.removalsPerSync {
            _ = try await store.accept(try message("m\(index)", to: .users(["u1", "u2"])), at: noon)
        }
        _ = try await store.erase(UserReference("u1", of: chime.number), at: noon)
        let due = try await store.claim(everything(limit: 1000), at: noon).deliveries
        #expect(due.count { $0.purpose == .show } == 0)
    }

    @Test("erasing a user empties what was sent to the user's installations by their ids")
    func eraseByDevice() async throws {
        let store = try await StoreEngine.sqlite.make()
        try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(
            try message("m", to: .devices(["phone"]), text: "personal", counts: false), at: noon)
        try await store.deliverAll()
        let erasure = try await store.erase(UserReference("u1", of: chime.number), at: noon)
        #expect(erasure.messages == 1)
    }

    @Test("users whose names differ in their bytes are two, whatever Unicode says")
    func normalisation() async throws {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        #expect(Audience.users([composed, decomposed]).fingerprint != Audience.users([composed]).fingerprint)
        let store = try await StoreEngine.sqlite.make()
        try await store.enrol(device("phone", user: composed), at: noon)
        _ = try await store.accept(try message("m", to: .users([composed])), at: noon)
        _ = try await store.register(device("phone", user: decomposed), at: noon)
        let due = try await store.claim(everything(), at: noon + .seconds(60)).deliveries
        #expect(!due.contains { $0.purpose == .show }, "a message for the former user")
    }

    @Test("users whose names differ in their bytes only are two members of one object, each with values of its own")
    func namesOfMembers() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            for (id, user) in [("a", "ren\u{e9}"), ("b", "rene\u{301}")] {
                try await service.enrol([device(id, user: user)], at: noon)
            }
            let body = """
                {"to": {"users": {"ren\u{e9}": {"n": "one"}, "rene\u{301}": {"n": "two"}}}, "id": "m",
                "payload": {"aps": {"alert": "{{n}}"}, "ren\u{e9}": 1, "rene\u{301}": 2}}
                """
            let answer = try await service.call("POST", "/v1/notifications", raw: Data(body.utf8))
            #expect(answer.status == 202 && answer.json["devices"] == 2, "\(answer.json)")
            for id in ["a", "b"] { _ = await watch.next(.accepted, of: "m", on: id) }
            let shown = service.sender.pushes.map(\.payload).filter { $0.contains("alert".utf8) }
            #expect(shown.count == 2)
            for text in ["one", "two"] { #expect(shown.count { $0.contains(text.utf8) } == 1, "\(text)") }
            for member in ["\"ren\u{e9}\":1", "\"rene\u{301}\":2"] {
                #expect(shown.allSatisfy { $0.contains(member.utf8) }, "\(member)")
            }
        }
    }

    @Test("control characters in what a phone reports do not come to those who read the timeline")
    func controlCharacters() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u1")
            _ = try await service.call(
                "POST", "/v1/notifications",
                body: ["to": ["user": "u1"], "id": "m", "keep_replies": true, "payload": ["aps": ["alert": "x"]]])
            _ = await watch.next(.accepted, of: "m", on: "phone")
            let receipt: JSONValue = [
                "id": "r", "message": "m", "event": "acted", "at": .int(service.clock.now.millisecondsSince1970),
                "detail": "re\u{1b}[2Jp\rl\u{9b}y\u{7f}", "reply": "one\r\ntwo\u{1b}[1m\tthree",
            ]
            let answer = try await service.call(
                "POST", "/v1/receipts", body: ["receipts": [receipt]], auth: phone.credentials)
            #expect(answer.status == 200, "\(answer.json)")
            let timeline = try await service.call("GET", "/v1/notifications/m/timeline")
            let events = timeline.json["devices"]?.arrayValue?.first?["events"]?.arrayValue ?? []
            let acted = events.first { $0["event"] == "acted" }
            #expect(acted?["detail"] == "re[2Jply", "\(events)")
            #expect(acted?["reply"] == "one\ntwo[1m\tthree", "\(events)")
        }
    }

    @Test("a batch with too many receipts is refused by their number, before one of them is read")
    func manyReceipts() async throws {
        try await RunningService.run { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register()
            let receipts = JSONValue.array([JSONValue](repeating: [:], count: ServiceLimits.receiptsPerBatch + 1))
            let answer = try await service.call(
                "POST", "/v1/receipts", body: ["receipts": receipts], auth: phone.credentials)
            #expect(answer.status == 422 && answer.json["pointer"] == "/receipts", "\(answer.json)")
            #expect(answer.json["detail"]?.stringValue?.contains("501 entries") == true, "\(answer.json)")
        }
    }

    @Test("a network of IPv6 has one share of registrations, not one for each of its addresses")
    func network() {
        var limiter = RegistrationLimiter(.init(perAddress: 2, perApp: nil))
        let admitted = (1...10).count { index in
            limiter.admit(from: IPAddress("2001:db8:0:1::\(index)"), to: chime.number, at: .zero) == nil
        }
        #expect(admitted == 2)
    }

    @Test("an installation that was signed out reads no more messages for its former user")
    func receiptsAfterSignOut() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            let phone = TestPhone("stolen", on: service)
            let other = TestPhone("other", on: service)
            for phone in [phone, other] { try await phone.register(user: "u1") }
            _ = try await service.call(
                "POST", "/v1/notifications",
                body: ["to": ["user": "u1"], "id": "m", "payload": ["aps": ["alert": "x"]]])
            _ = await watch.next(.accepted, of: "m", on: "stolen")
            #expect(try await service.call("DELETE", "/v1/devices/stolen/user").status == 200)
            try await phone.report(.opened, "m")
            #expect(try await other.sync().json["unread"] == 1)
        }
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
