import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("What an installation may do, and what may be done with it", .timeLimit(.minutes(3)))
struct InstallationRightsTests {
    /// Makes `newcomer` the holder of its token, as a phone does that gets the nonce by push.
    private func takeOver(_ newcomer: TestPhone, _ service: RunningService) async throws {
        // New tokens are tried, and nonces pushed, one after the other.
        service.clock.advance(by: .seconds(1))
        for await push in service.sender.stream {
            guard let claim = push.carillon?.claim else { continue }
            let answer = try await service.call(
                "POST", "/v1/devices/\(claim.installation)/token", body: ["nonce": .string(claim.nonce)],
                auth: newcomer.credentials)
            #expect(answer.status == 200)
            return
        }
    }

    @Test("a superseded installation reads nothing of its former user, nor anything else")
    func superseded() async throws {
        try await RunningService.run { service in
            let old = TestPhone("old", on: service, token: "aa")
            let new = TestPhone("new", on: service, token: "aa")
            try await old.register(user: "u1")
            let claimed = try await new.register(user: "u2")
            #expect(claimed.json["awaits_token"] == true)
            #expect(try await old.sync().status == 200, "until the nonce is back the former stays")
            try await takeOver(new, service)
            for (method, path) in [
                ("GET", "/v1/devices/old/inbox"), ("GET", "/v1/devices/old/sync"), ("GET", "/v1/devices/old"),
                ("DELETE", "/v1/devices/old/user"), ("DELETE", "/v1/devices/old"),
            ] {
                #expect(try await service.call(method, path, auth: old.credentials).status == 401, "\(method) \(path)")
            }
            #expect(try await old.report(.opened, "m").status == 401)
            let change = try await service.call(
                "PATCH", "/v1/devices/old", body: ["locale": "de"], auth: old.credentials)
            #expect(change.status == 401)
            #expect(try await new.register().json["awaits_token"] == nil)
        }
    }

    @Test("a wrong nonce is refused and changes nothing")
    func wrongNonce() async throws {
        try await RunningService.run { service in
            let old = TestPhone("old", on: service, token: "aa")
            let new = TestPhone("new", on: service, token: "aa")
            try await old.register()
            try await new.register()
            let answer = try await service.call(
                "POST", "/v1/devices/new/token", body: ["nonce": "00"], auth: new.credentials)
            #expect(answer.status == 409 && answer.json["pointer"] == "/nonce")
            #expect(try await old.sync().status == 200)
        }
    }

    @Test("changes that come at the same time are all kept")
    func concurrentChanges() async throws {
        try await RunningService.run { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u1")
            for round in 0..<20 {
                let changes: [JSONValue] = [
                    ["locale": .string("l\(round)")], ["time_zone": .string("z\(round)")],
                    ["app_version": .string("v\(round)")], ["tags": [.string("t\(round)")]],
                ]
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for change in changes {
                        group.addTask {
                            try await service.call(
                                "PATCH", "/v1/devices/phone", body: change, auth: phone.credentials
                            ).status
                        }
                    }
                    for try await status in group { #expect(status == 200) }
                }
                let facts = try #require(try await service.store.device("phone")).facts
                #expect(facts.locale == "l\(round)" && facts.timeZone == "z\(round)")
                #expect(facts.appVersion == "v\(round)" && facts.tags == ["t\(round)"])
            }
        }
    }

    @Test("a change of the environment onto a token that another holds is no error of the service's")
    func environment() async throws {
        try await RunningService.run { service in
            let phone = TestPhone("phone", on: service, token: "aa")
            let other = TestPhone("other", on: service, token: "aa", environment: "production")
            for phone in [phone, other] { try await phone.register() }
            let answer = try await service.call(
                "PATCH", "/v1/devices/other", body: ["environment": "sandbox"], auth: other.credentials)
            #expect(answer.status == 200 && answer.json["awaits_token"] == true)
        }
    }

    @Test("the backend looks up, unbinds and deletes an installation")
    func backend() async throws {
        try await RunningService.run { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u1")
            let found = try await service.call("GET", "/v1/devices/phone")
            #expect(found.json["user"] == "u1" && found.json["state"] == "active")
            #expect(found.data.range(of: Data(phone.token.utf8)) == nil, "the token stays here")
            // Its token may have been confirmed in between.
            let own = try await service.call("GET", "/v1/devices/phone", auth: phone.credentials).json
            for field in ["installation", "user", "state", "topic", "environment", "token_registered_at"] {
                #expect(own[field] == found.json[field], "\(field)")
            }
            let devices = try await service.call("GET", "/v1/users/u1/devices")
            #expect(devices.json["devices"]?.arrayValue?.map { $0["installation"] } == ["phone"])
            #expect(try await service.call("DELETE", "/v1/devices/phone/user").status == 200)
            #expect(try await service.call("GET", "/v1/devices/phone").json["user"] == nil)
            #expect(try await service.call("DELETE", "/v1/devices/phone").status == 204)
            #expect(try await service.call("GET", "/v1/devices/phone").status == 404)
            #expect(try await phone.sync().status == 401)
            #expect(try await phone.register(user: "u1").status == 200, "it may come again")
        }
    }

    @Test("a key without the scope users neither unbinds, deletes, signs out nor erases")
    func scope() async throws {
        try await RunningService.run { service in
            try await TestPhone("phone", on: service).register(user: "u1")
            let key = try await service.keys.make(name: "sender", scopes: [.send, .read], apps: [chime]).key
            for (method, path) in [
                ("DELETE", "/v1/devices/phone"), ("DELETE", "/v1/devices/phone/user"),
                ("POST", "/v1/users/u1/sign-out"), ("DELETE", "/v1/users/u1"),
            ] {
                #expect(try await service.call(method, path, auth: key).status == 403, "\(method) \(path)")
            }
        }
    }

    @Test("a user is signed out everywhere with one call")
    func signOutEverywhere() async throws {
        try await RunningService.run { service in
            let phones = ["a", "b", "c"].map { TestPhone($0, on: service) }
            for phone in phones { try await phone.register(user: phone.id == "c" ? "u2" : "u1") }
            #expect(try await service.call("POST", "/v1/users/u1/sign-out").json == ["devices": 2])
            #expect(try await phones[0].sync().json["unread"] == nil)
            #expect(try await service.store.device("c")?.user == "u2")
        }
    }

    @Test("receipts happen neither before their message nor in the future")
    func clamped() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u1")
            _ = try await service.call(
                "POST", "/v1/notifications",
                body: ["to": ["user": "u1"], "payload": ["aps": ["alert": "x"]], "id": "m"])
            _ = await watch.next(.accepted, of: "m")
            for (event, at) in [("shown", "1970-01-01T00:00:00Z"), ("opened", "9999-01-01T00:00:00Z")] {
                let receipt: JSONValue = [
                    "id": .string(event), "message": "m", "event": .string(event), "at": .string(at),
                ]
                _ = try await service.call(
                    "POST", "/v1/receipts", body: ["receipts": [receipt]], auth: phone.credentials)
            }
            let timeline = try await service.call("GET", "/v1/notifications/m/timeline")
            let events = timeline.json["devices"]?.arrayValue?.first?["events"]?.arrayValue ?? []
            let times = events.filter { ["shown", "opened"].contains($0["event"]) }.map { $0["at"]?.stringValue }
            #expect(times == [noon.description, noon.description])
        }
    }
}
