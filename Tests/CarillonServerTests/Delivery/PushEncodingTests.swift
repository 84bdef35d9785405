import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A push that is encoded once")
struct PushEncodingTests {
    private func delivery(
        _ number: Int = 0, unread: Int?, mode: DeliveryMode = .visible, badgeIsAuto: Bool = true, text: String = "Hello"
    ) -> ClaimedDelivery {
        let message = ClaimedMessage(
            id: MessageID(test: "m"), mode: mode, until: noon + .seconds(60),
            payload: Payload(aps: Aps(alert: .text(text)), custom: ["own": .int(5)]),
            badgeIsUnreadCount: badgeIsAuto)
        return ClaimedDelivery(
            number: Int64(number), purpose: .show, lease: Lease(sender: SenderNumber(rawValue: 1), epoch: 1),
            lane: .bulk,
            device: "d\(number)", app: AppID(topic: topic, environment: .production),
            token: testToken("0\(number % 10)"), revision: 1, attempt: 1, message: message, unread: unread,
            removals: [],
            hasMoreRemovals: false, hasUnanswered: false)
    }

    @Test(
        "is, byte for byte, what is composed for each device",
        arguments: [DeliveryMode.visible, .silent], [true, false])
    func sameBytes(_ mode: DeliveryMode, _ badgeIsAuto: Bool) throws {
        for hasUnread in [true, false] {
            func made(_ number: Int) -> ClaimedDelivery {
                delivery(number, unread: hasUnread ? number * 7 : nil, mode: mode, badgeIsAuto: badgeIsAuto)
            }
            let encoding = try #require(PushEncoding(made(0)))
            for number in [0, 1, 42, 9999] {
                let moment = noon + .milliseconds(number)
                let composed = try PushComposer.compose(made(number), at: moment)
                #expect(encoding.push(for: made(number), at: moment) == composed)
                var delivery = made(number)
                delivery.encoding = encoding
                #expect(try PushComposer.compose(delivery, at: moment) == composed)
            }
            // Of one moment, whatever was made before.
            for number in [7, 8, 8, 7] {
                #expect(try encoding.push(for: made(number), at: noon) == PushComposer.compose(made(number), at: noon))
            }
        }
    }

    @Test("is made for the first push of its kind, and shared by all others")
    func shared() throws {
        let first = try #require(delivery(1, unread: nil).message)
        func made(_ number: Int, unread: Int?) -> ClaimedDelivery {
            var push = delivery(number, unread: unread)
            push.message = first
            return push
        }
        let encoding = try #require(first.encoding(for: made(1, unread: nil)))
        #expect(first.encoding(for: made(2, unread: nil)) === encoding)
        let counted = try #require(first.encoding(for: made(2, unread: 3)))
        #expect(counted !== encoding && first.encoding(for: made(3, unread: 7)) === counted)
        let payloads = try (4...5).map { try PushComposer.compose(encoded(made($0, unread: nil)), at: noon).payload }
        #expect(payloads[0] == payloads[1])
        func encoded(_ push: ClaimedDelivery) -> ClaimedDelivery {
            var push = push
            push.encoding = first.encoding(for: push)
            return push
        }
    }

    @Test("a text may contain any digits", arguments: ["8123456789012", "987654321", "876543219 and 9210987654321"])
    func digits(_ text: String) throws {
        let delivery = delivery(unread: 3, text: text)
        let composed = try PushComposer.compose(delivery, at: noon)
        if let encoding = PushEncoding(delivery) { #expect(encoding.push(for: delivery, at: noon) == composed) }
        var encoded = delivery
        encoded.encoding = PushEncoding(delivery)
        #expect(try PushComposer.compose(encoded, at: noon) == composed)
    }

    @Test("who needs a push of its own gets one")
    func own() throws {
        let plain = delivery(unread: nil)
        let encoding = try #require(PushEncoding(plain))
        var (again, more, removing) = (plain, plain, plain)
        again.attempt = 2
        more.hasMoreRemovals = true
        removing.removals = [Removal(MessageID(test: "old"), revision: 1)]
        var (fallback, newer) = (plain, plain)
        (fallback.purpose, newer.revision) = (.fallback, 2)
        for other in [fallback, newer] { #expect(encoding.push(for: other, at: noon) == nil) }
        for other in [again, more, removing, delivery(unread: 1)] {
            #expect(encoding.push(for: other, at: noon) == nil)
            if other.unread == nil { #expect(PushEncoding(other) == nil) }
        }
    }
}
