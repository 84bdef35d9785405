import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("Texts by language and by recipient, over HTTP", .timeLimit(.minutes(3)))
struct TextTests {
    private static let good: [String: JSONValue] = [
        "to": ["users": ["u1": ["name": "Ada", "count": 3]]],
        "payload": ["aps": ["alert": ["title": "Hello {{name}}", "body": "{{ count }} new \\{{x}}"]]],
        "localized": ["de": ["title": "Hallo {{name}}"]],
    ]
    private static let long = JSONValue.string(String(repeating: "x", count: 3900))

    /// Changes to a good body, each with the problem's pointer and a word of its detail.
    private static let bodies: [(change: [String: JSONValue], pointer: String, word: String)] = [
        (["localized": []], "/localized", "an object"),
        (["localized": .object([:])], "/localized", "1 to 100"),
        (["localized": ["german": ["title": "x"]]], "/localized/german", "pt-BR"),
        (["localized": ["de": .object([:])]], "/localized/de", "says nothing"),
        (["localized": ["de": ["titel": "x"]]], "/localized/de/titel", "did you mean \"title\""),
        (["localized": ["de": "x"]], "/localized/de", "an object"),
        (["localized": ["pt-BR": ["title": "x"], "pt_br": ["title": "y"]]], "/localized/pt_br", "again"),
        (["localized": ["de": ["title": "{{nme}}"]]], "/to/users/u1", "did you mean \"name\""),
        (["localized": ["de": ["body": "{{first name}}"]]], "/localized/de/body", "{{first name}}"),
        (["payload": ["aps": ["alert": "{{"]]], "/payload/aps/alert", #"\{{"#),
        (["payload": ["aps": ["sound": "x"]]], "/localized", "alert"),
        (["to": ["users": ["u1"]]], "/payload/aps/alert/title", "{{name}}"),
        (["to": ["everyone": true]], "/payload/aps/alert/title", "nobody has a value"),
        (["to": ["users": ["u1": ["name": "A", "count": 1], "u/2": ["name": "B"]]]], "/to/users/u~12", "\"count\""),
        (["to": ["users": .object([:])]], "/to/users", "1 to 1000"),
        (["to": ["users": ["u1": ["name": true]]]], "/to/users/u1/name", "boolean"),
        (["to": ["users": ["u1": ["first name": "A"]]]], "/to/users/u1/first name", "letters"),
        (["to": ["users": ["u1": "Ada"]]], "/to/users/u1", "an object"),
        (["to": ["users": ["": ["name": "A"]]]], "/to/users", "1 to 128"),
        (["localized": ["de": ["body": long]]], "/localized/de", "4096"),
        (
            ["to": ["users": ["u1": ["name": "A", "count": 1], "u2": ["name": long, "count": 1]]]], "/payload",
            "user u2"
        ),
    ]

    @Test("are refused with where and what, before anything is sent", arguments: bodies.indices)
    func refused(_ index: Int) async throws {
        let (change, pointer, word) = Self.bodies[index]
        try await RunningService.run { service in
            let answer = try await service.call(
                "POST", "/v1/notifications", body: .object(Self.good.merging(change) { _, new in new }))
            #expect(answer.status == 422, "\(answer.json)")
            #expect(answer.json["pointer"]?.stringValue == pointer, "\(answer.json)")
            #expect(answer.json["detail"]?.stringValue?.contains(word) == true, "\(answer.json)")
        }
    }

    @Test("reach the phone and the inbox in its language, with its user's values")
    func sent() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u1")
            let change: JSONValue = ["locale": "de_AT"]
            _ = try await service.call("PATCH", "/v1/devices/phone", body: change, auth: phone.credentials)
            var body = Self.good
            body["id"] = "m1"
            let answer = try await service.call("POST", "/v1/notifications", body: .object(body))
            #expect(answer.status == 202 && answer.json["devices"] == 1, "\(answer.json)")
            _ = await watch.next(.accepted, of: "m1")
            let alert: JSONValue = ["title": "Hallo Ada", "body": "3 new {{x}}"]
            let push = try #require(service.sender.pushes.last { $0.collapseID == "m1" })
            #expect(push.json["aps"]?["alert"] == alert)
            let inbox = try await service.call("GET", "/v1/devices/phone/inbox", auth: phone.credentials)
            #expect(inbox.json["messages"]?.arrayValue?.first?["payload"]?["aps"]?["alert"] == alert, "\(inbox.json)")
        }
    }

    @Test("without recipients' values a text is shown as it is, without the backslash")
    func escaped() async throws {
        try await RunningService.run(roles: [.api]) { service in
            try await service.enrol([device("phone")], at: noon)
            let body: JSONValue = [
                "to": ["everyone": true], "payload": ["aps": ["alert": "\\{{name}} {x}"]],
                "localized": ["de": ["body": "\\{{Name}}"]],
            ]
            #expect(try await service.call("POST", "/v1/notifications", body: body).status == 202)
            let claimed = try await service.store.claim(everything(), at: noon).deliveries
            #expect(claimed.compactMap { $0.message?.payload.aps.alert } == [.text("{{name}} {x}")])
        }
    }
}
