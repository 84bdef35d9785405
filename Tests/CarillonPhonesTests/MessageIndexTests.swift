import CarillonCore
import CarillonSimulator
import Foundation
import Testing

@testable import CarillonPhones

@Suite("What the page knows of messages")
struct MessageIndexTests {
    private let message = MessageIndexTests.id("news-1")

    private static func id(_ text: String) -> MessageID {
        guard let id = try? MessageID(text) else { preconditionFailure("\(text) is a good id") }
        return id
    }

    @Test("a push names a message that has text, in the alert or in the silent one")
    func texts() {
        #expect(hasText(#"{"aps":{"alert":{"title":"T","body":"B"}},"carillon":{"v":1,"id":"news-1"}}"#) == true)
        #expect(hasText(#"{"aps":{"alert":"B"},"carillon":{"v":1,"id":"news-1"}}"#) == true)
        #expect(
            hasText(
                #"{"aps":{"content-available":1},"carillon":{"v":1,"id":"news-1","silent":{"alert":{"title":"S"}}}}"#)
                == true)
        #expect(hasText(#"{"aps":{"content-available":1},"carillon":{"v":1,"id":"news-1"}}"#) == false)
        #expect(hasText(#"{"aps":{"content-available":1},"carillon":{"v":1,"rm":["news-1"]}}"#) == nil)
        #expect(hasText("no JSON") == nil)
    }

    private func hasText(_ payload: String) -> Bool? { PushedMessage(Data(payload.utf8))?.hasText }

    @Test("a reason stands until it no longer holds")
    func reasons() {
        var index = MessageIndex()
        index.note(message)
        index.note("APNs keeps it.", from: .apns, for: message, on: "phone-1")
        #expect(index.why(message, isNotOn: "phone-1") == "APNs keeps it.")
        #expect(index.why(message, isNotOn: "phone-2") == nil)
        index.note(nil, from: .apns, for: message, on: "phone-1")
        #expect(index.why(message, isNotOn: "phone-1") == nil)
    }

    @Test("a forgotten message comes back when the service accepts its id again, and not by a late event")
    func forgotten() {
        var index = MessageIndex()
        index.note(message)
        index.note("APNs keeps it.", from: .apns, for: message, on: "phone-1")
        index.forget()
        index.note(message)
        #expect(index.messages.isEmpty)
        #expect(index.hasForgotten(message))
        index.accepted(message)
        #expect(index.messages == [message] && !index.hasForgotten(message))
        #expect(index.why(message, isNotOn: "phone-1") == nil)
    }

    @Test("what was forgotten once stays so after a second reset, as do messages that were not on the page")
    func forgottenTwice() {
        var index = MessageIndex()
        index.note(message)
        index.forget([Self.id("displaced")])
        index.forget()
        for id in [message, Self.id("displaced")] { index.note(id) }
        #expect(index.messages.isEmpty)
    }

    @Test("what the phone says stands, whatever APNs does before or after")
    func phoneBeforeAPNs() {
        var index = MessageIndex()
        index.note(message)
        index.note("APNs keeps it.", from: .apns, for: message, on: "phone-1")
        index.note("It was force-quit.", from: .phone, for: message, on: "phone-1")
        index.note(nil, from: .apns, for: message, on: "phone-1")
        #expect(index.why(message, isNotOn: "phone-1") == "It was force-quit.")
    }

    @Test("a phone that is faster than the service's events is heard all the same, and adds no message by itself")
    func early() {
        var index = MessageIndex()
        let isListed = index.note("It was force-quit.", from: .phone, for: message, on: "phone-1")
        #expect(!isListed && index.messages.isEmpty)
        index.note(message)
        #expect(index.why(message, isNotOn: "phone-1") == "It was force-quit.")
    }

    @Test("the oldest message is forgotten first, and the newest is listed first")
    func limit() {
        var index = MessageIndex()
        for number in 0...PhonesLimits.messages { index.note(Self.id("m-\(number)")) }
        #expect(index.messages.count == PhonesLimits.messages)
        #expect(index.messages.first == Self.id("m-\(PhonesLimits.messages)"))
        #expect(!index.messages.contains(Self.id("m-0")))
    }

    @Test("a short id is the end of the id, because ids of one minute begin alike")
    func shortIDs() {
        #expect("01a21684-0000-7000-8000-00001234abcd".shortened == "…1234abcd")
        #expect("news-1".shortened == "news-1")
    }
}
