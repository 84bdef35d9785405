import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A store gives each device its texts", .serialized)
struct StoreTextTests {
    private static let localized = [
        "de": LocalizedText(title: "Neu", body: "Hallo {{name}}"), "pt": LocalizedText(body: "Olá {{name}}"),
    ]

    private func device(_ id: String, _ locale: String?, user: String? = nil) -> NewDevice {
        var new = CarillonServerTests.device(id, user: user)
        new.facts.locale = locale
        return new
    }

    private func texts(_ deliveries: [ClaimedDelivery]) -> [String: Alert?] {
        Dictionary(uniqueKeysWithValues: deliveries.map { ($0.device, $0.message?.payload.aps.alert) })
    }

    @Test("by its locale, as it is when the push goes out", arguments: StoreEngine.allCases)
    func locales(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol(
            [device("a", "de_AT"), device("b", "pt-BR"), device("c", "en"), device("d", nil)], at: noon)
        var new = try message("m", to: .everyone, text: "Hello")
        new.texts.localized = ["de": LocalizedText(title: "Neu"), "pt": LocalizedText(body: "Olá")]
        _ = try await store.accept(new, at: noon)
        _ = try await store.change("d", DeviceUpdate(facts: ["locale": "de"], nonce: "n"), at: noon)
        let claimed = try await store.claim(everything(), at: noon).deliveries
        let german = Alert.parts(Alert.Parts(title: "Neu", body: "Hello"))
        #expect(texts(claimed) == ["a": german, "b": .text("Olá"), "c": .text("Hello"), "d": german])
        new.texts = MessageTexts()
        new.fingerprint = Data("other".utf8)
        _ = try await store.settle(claimed.map { $0.settled() }, at: noon)
        _ = try await store.accept(new, at: noon)
        let again = try await store.claim(everything(), at: noon).deliveries
        #expect(Set(texts(again).values) == [.text("Hello")], "an earlier revision's languages are gone")
    }

    private func named(_ id: String, _ values: [String: [String: String]]) throws -> NewMessage {
        var new = try message(id, to: .users(values.keys.sorted()), text: "Hello {{name}}")
        new.texts = MessageTexts(localized: Self.localized, haveVariables: true)
        new.variables = Dictionary(uniqueKeysWithValues: values.map { (ExactText($0), $1) })
        return new
    }

    @Test("with the values of its user, in the push and in the inbox", arguments: StoreEngine.allCases)
    func variables(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol(
            [device("a", "de", user: "u1"), device("b", "en", user: "u2"), device("a2", "pt", user: "u1")], at: noon)
        _ = try await store.accept(try named("m", ["u1": ["name": "Ada"], "u2": ["name": "{{name}} \"é\""]]), at: noon)
        let claimed = try await store.claim(everything(), at: noon).deliveries
        #expect(
            texts(claimed) == [
                "a": .parts(Alert.Parts(title: "Neu", body: "Hallo Ada")), "a2": .text("Olá Ada"),
                "b": .text("Hello {{name}} \"é\""),
            ])
        func inbox(_ user: String, _ locale: String?) async throws -> [Alert?] {
            try await store.inbox(
                user: UserReference(user, of: chime.number), in: locale, before: nil, limit: 10, at: noon
            ).map(\.payload.aps.alert)
        }
        #expect(try await inbox("u1", "pt-BR") == [.text("Olá Ada")])
        #expect(try await inbox("u1", nil) == [.text("Hello Ada")])
        #expect(try await inbox("u2", "fr") == [.text("Hello {{name}} \"é\"")])
        #expect(try await title("m", for: "u1", in: store) == "Hello Ada")
    }

    private func title(_ id: String, for user: String, in store: Store) async throws -> String? {
        try await store.messages.title(
            of: MessageReference(MessageID(test: id), of: chime.number), for: UserReference(user, of: chime.number))
    }

    @Test("a message is named by its title, otherwise by its body", arguments: StoreEngine.allCases)
    func titles(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol([device("a", "de", user: "u1")], at: noon)
        _ = try await store.accept(try message("m", to: .users(["u1"]), text: "Hello"), at: noon)
        #expect(try await title("m", for: "u1", in: store) == "Hello")
        var titled = try message("m", to: .users(["u1"]), text: "Else")
        titled.payload = try Payload(aps: Aps(alert: .parts(Alert.Parts(title: "Zoë", body: "Else")))).encoded()
        titled.texts.localized = ["de": LocalizedText(title: "Neu")]
        _ = try await store.accept(titled, at: noon)
        #expect(try await title("m", for: "u1", in: store) == "Zoë", "of the newest revision, as the payload has it")
        #expect(try await title("other", for: "u1", in: store) == nil)
    }

    @Test("an erased user's values are gone, those of others are not", arguments: StoreEngine.allCases)
    func erasure(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol([device("a", "de", user: "u1"), device("b", "de", user: "u2")], at: noon)
        _ = try await store.accept(try named("m", ["u1": ["name": "Ada"], "u2": ["name": "Bob"]]), at: noon)
        _ = try await store.accept(try named("own", ["u1": ["name": "Ada"]]), at: noon)
        let erasure = try await store.erase(UserReference("u1", of: chime.number), at: noon)
        #expect(erasure.remaining == 0)
        let database = store
        let kept = try await database.read {
            try $0.rows("SELECT user FROM message_variables").map { try $0["user"] as String }
        }
        #expect(kept == ["u2"])
        let texts = try await database.read { try $0.integer("SELECT count(*) FROM messages WHERE texts IS NOT NULL") }
        #expect(texts == 1)
        let claimed = try await store.claim(everything(), at: noon).deliveries.filter { $0.purpose == .show }
        #expect(self.texts(claimed) == ["b": .parts(Alert.Parts(title: "Neu", body: "Hallo Bob"))])
        #expect(try await store.purge(before: noon + .seconds(1), limit: 10) >= 1)
    }
}
