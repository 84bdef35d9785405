import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A push that is encoded once")
struct PushTemplateTests {
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
            let template = try #require(PushTemplate(made(0)))
            for number in [0, 1, 42, 9999] {
                let moment = noon + .milliseconds(number)
                let composed = try PushComposer.compose(made(number), at: moment)
                #expect(template.push(for: made(number), at: moment) == composed)
                var delivery = made(number)
                delivery.template = template
                #expect(try PushComposer.compose(delivery, at: moment) == composed)
            }
            // Of one moment, whatever was made before.
            for number in [7, 8, 8, 7] {
                #expect(try template.push(for: made(number), at: noon) == PushComposer.compose(made(number), at: noon))
            }
        }
    }

    @Test("is kept from one claim to the next, under all that it says")
    func kept() throws {
        let templates = PushTemplates()
        let first = try #require(templates.template(for: delivery(1, unread: nil)))
        #expect(templates.template(for: delivery(2, unread: nil)) === first)
        var next = delivery(2, unread: nil)
        next.revision = 2
        for other in [next, delivery(2, unread: 3), delivery(2, unread: nil, text: "Goodbye")] {
            let template = try #require(templates.template(for: other))
            #expect(template !== first)
            #expect(try template.push(for: other, at: noon) == PushComposer.compose(other, at: noon))
        }
        for number in 0...DeliveryLimits.keptTemplates {
            _ = templates.template(for: delivery(1, unread: nil, text: "Text \(number)"))
        }
        #expect(templates.template(for: delivery(1, unread: nil)) !== first, "no more are kept than it says")
    }

    @Test("a text may contain any digits", arguments: ["8123456789012", "987654321", "876543219 and 9210987654321"])
    func digits(_ text: String) throws {
        let delivery = delivery(unread: 3, text: text)
        let composed = try PushComposer.compose(delivery, at: noon)
        if let template = PushTemplate(delivery) { #expect(template.push(for: delivery, at: noon) == composed) }
        var templated = delivery
        templated.template = PushTemplate(delivery)
        #expect(try PushComposer.compose(templated, at: noon) == composed)
    }

    @Test("who needs a push of its own gets one")
    func own() throws {
        let plain = delivery(unread: nil)
        let template = try #require(PushTemplate(plain))
        var (again, more, removing) = (plain, plain, plain)
        again.attempt = 2
        more.hasMoreRemovals = true
        removing.removals = [Removal(MessageID(test: "old"), revision: 1)]
        for other in [again, more, removing, delivery(unread: 1)] {
            #expect(template.push(for: other, at: noon) == nil)
            if other.unread == nil { #expect(PushTemplate(other) == nil) }
        }
    }
}
