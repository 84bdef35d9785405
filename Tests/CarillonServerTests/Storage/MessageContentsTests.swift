import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("The contents of messages that were sent lately")
struct MessageContentsTests {
    private struct Undone: Error {}

    private func name(_ id: Int, revision: Int = 1, fingerprint: String = "f") -> MessageContents.Name {
        MessageContents.Name(
            message: MessageReference(MessageID(test: "m\(id)"), of: chime.number), revision: revision,
            fingerprint: Data(fingerprint.utf8))
    }

    private func content(_ text: String, _ texts: MessageTexts = MessageTexts()) -> MessageContent {
        let payload = Payload(aps: Aps(alert: .text(text)))
        let original = ClaimedMessage(
            id: MessageID(test: "m"), mode: .visible, until: nil, payload: payload, badgeIsUnreadCount: false)
        return MessageContent(original, texts)
    }

    @Test("are kept under all that is in them, the ones in use longest")
    func kept() {
        let contents = MessageContents()
        let first = contents.content(name(0)) { content("first") }
        for other in [name(0, revision: 2), name(0, fingerprint: ""), name(1)] {
            #expect(contents.content(other) { content("other") } !== first)
        }
        var made = 0
        for number in 1...DeliveryLimits.keptContents * 3 {
            _ = contents.content(name(number)) { content("text \(number)") }
            let again = contents.content(name(0)) {
                made += 1
                return content("first")
            }
            #expect(again === first)
        }
        #expect(made == 0, "it is in use")
        for number in 1...DeliveryLimits.keptContents {
            _ = contents.content(name(number, revision: 9)) { content("text \(number)") }
        }
        #expect(contents.content(name(0)) { content("first") } !== first, "no more are kept than the limit says")
    }

    @Test("have each language once, and a recipient's values never")
    func variants() {
        let texts = MessageTexts(localized: ["de": LocalizedText(body: "Hallo {{name}}")], haveVariables: true)
        let content = content("Hello {{name}}", texts)
        #expect(content.message(in: "de") === content.message(in: "de"))
        #expect(content.message(in: "fr") === content.message(in: nil))
        for name in ["Ann", "Bob", "Ann"] {
            #expect(content.message(in: "de", values: ["name": name]).payload.aps.alert == .text("Hallo \(name)"))
            #expect(content.message(in: nil, values: ["name": name]).payload.aps.alert == .text("Hello \(name)"))
        }
        #expect(content.message(in: "de").payload.aps.alert == .text("Hallo {{name}}"))
    }

    @Test(
        "are never another message's, even one that was undone and had the same id and number",
        arguments: StoreEngine.allCases)
    func undone(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        let database = store
        try await store.enrol(device("d1", user: "u1"), at: noon)
        await #expect(throws: Undone.self) {
            try await database.write(at: noon) { session in
                _ = try Accepting(session).accept(try message("m", to: .users(["u1"]), text: "Undone"), nil)
                let messages = MessagesTable(session)
                let number = try messages.number(of: MessageReference(MessageID(test: "m"), of: chime.number))
                let read = try messages.message(try #require(number), in: nil, for: nil)
                #expect(read.payload.aps.alert == .text("Undone"))
                throw Undone()
            }
        }
        _ = try await store.accept(try message("m", to: .users(["u1"]), text: "Kept"), at: noon)
        let pushes = try await store.claim(everything(), at: noon).deliveries
        #expect(pushes.map { $0.message?.payload.aps.alert } == [.text("Kept")])
    }

    @Test("are not those of a message that was erased", arguments: StoreEngine.allCases)
    func erased(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        let database = store
        try await store.enrol(device("d1", user: "u1"), at: noon)
        _ = try await store.accept(try message("m", to: .users(["u1"]), text: "Secret"), at: noon)
        #expect(try await store.claim(everything(), at: noon).deliveries.count == 1)
        let alert = try await database.write(at: noon) { session in
            let messages = MessagesTable(session)
            let number = try messages.number(of: MessageReference(MessageID(test: "m"), of: chime.number))
            try messages.empty(try #require(number))
            return try messages.message(try #require(number), in: nil, for: nil).payload.aps.alert
        }
        #expect(alert == nil)
    }
}
