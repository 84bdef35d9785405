import CarillonAPNs
import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A composed push")
struct PushComposerTests {
    private func delivery(
        _ mode: DeliveryMode = .visible, purpose: PushPurpose = .show, payload: Payload? = nil, until: Timestamp? = nil,
        unread: Int? = 3, removals: [String] = [], more: Bool = false, attempt: Int = 1, badgeIsUnread: Bool = true,
        waiting: Bool = false
    ) throws -> ClaimedDelivery {
        let token = try #require(DeviceToken(hex: "aa"))
        let payload = payload ?? Payload(aps: Aps(alert: .text("Hello")), custom: ["link": "x"])
        let hasMessage = [.show, .fallback, .notice].contains(purpose)
        return ClaimedDelivery(
            number: 1, purpose: purpose, lease: Lease(sender: SenderNumber(rawValue: 1), epoch: 1), lane: .single,
            device: "phone", app: AppID(topic: topic, environment: .sandbox), token: token, revision: 1,
            attempt: attempt,
            message: hasMessage
                ? ClaimedMessage(
                    id: MessageID(test: "m1"), mode: mode, until: until, payload: payload,
                    badgeIsUnreadCount: badgeIsUnread,
                    notice: purpose == .notice ? RecallNotice(title: "Withdrawn", body: "It was a mistake.") : nil)
                : nil,
            unread: unread, removals: removals.map { Removal(MessageID(test: $0)) }, hasMoreRemovals: more,
            hasUnanswered: waiting)
    }

    @Test("visible: an alert push that the extension may change and the app may wake for")
    func visible() throws {
        let push = try PushComposer.compose(delivery(until: noon + .seconds(60)), at: noon)
        #expect(push.pushType == .alert)
        #expect(push.priority == .immediate)
        #expect(push.collapseID == "m1")
        #expect(push.expiration == .at(noon + .seconds(60)))
        #expect(push.json["aps"]?["alert"] == "Hello")
        #expect(push.json["aps"]?["mutable-content"] == 1)
        #expect(push.json["aps"]?["content-available"] == 1)
        #expect(push.json["aps"]?["badge"] == 3)
        #expect(push.json["link"] == "x")
        #expect(push.carillon?.id == MessageID(test: "m1"))
        #expect(push.carillon?.now == noon)
        #expect(push.carillon?.until == noon + .seconds(60))
    }

    @Test("a notice: quiet, in the message's place, with the message's end, and with its removal before all others")
    func notice() throws {
        let others = (1...20).map { "other-\($0)" }
        let push = try PushComposer.compose(
            delivery(
                purpose: .notice, payload: Payload(aps: Aps(alert: .text("All for 1 €"), sound: .named("bell"))),
                until: noon + .seconds(60), removals: others), at: noon)
        #expect(push.pushType == .alert && push.collapseID == "m1")
        #expect(push.expiration == .at(noon + .seconds(60)))
        let aps = push.json["aps"]
        #expect(aps?["alert"] == ["title": "Withdrawn", "body": "It was a mistake."])
        #expect(aps?["interruption-level"] == "passive" && aps?["sound"] == nil && aps?["mutable-content"] == 1)
        #expect(aps?["badge"] == nil, "0 may clear the list")
        #expect(push.carillon?.isNotice == true && push.carillon?.id == MessageID(test: "m1"))
        #expect(push.carillon?.removals.first == Removal(MessageID(test: "m1")))
        #expect(push.carillon?.removals.count == 21)
        #expect(try push.apnsID != PushComposer.compose(delivery(), at: noon).apnsID)
        let longest = RecallNotice(
            title: String(repeating: "t", count: DeliveryLimits.noticeTitleBytes),
            body: String(repeating: "b", count: DeliveryLimits.noticeBodyBytes))
        var wide = try delivery(purpose: .notice, removals: others)
        wide.message = wide.message?.with(longest)
        #expect(try PushComposer.compose(wide, at: noon).payload.count <= 4096)
    }

    @Test("without until there is no expiration, which is not the same as 0")
    func noExpiration() throws {
        #expect(try PushComposer.compose(delivery(), at: noon).expiration == .unspecified)
    }

    @Test("a number that the sender gave stays")
    func senderBadge() throws {
        let payload = Payload(aps: Aps(alert: .text("Hello"), badge: 7))
        let push = try PushComposer.compose(delivery(payload: payload, badgeIsUnread: false), at: noon)
        #expect(push.json["aps"]?["badge"] == 7)
    }

    @Test("silent: a background push of priority 5 that carries what the SDK is to show")
    func silent() throws {
        let push = try PushComposer.compose(delivery(.silent), at: noon)
        #expect(push.pushType == .background)
        #expect(push.priority == .considerate)
        #expect(push.json["aps"] == ["content-available": 1])
        #expect(push.carillon?.silent?["alert"] == "Hello")
        #expect(push.carillon?.badge == 3)
        #expect(push.json["link"] == "x")
    }

    @Test("assured: silent first, then a visible push with the same collapse id and another apns-id")
    func assured() throws {
        let first = try PushComposer.compose(delivery(.assured), at: noon)
        let second = try PushComposer.compose(delivery(.assured, purpose: .fallback), at: noon)
        #expect(first.pushType == .background)
        #expect(second.pushType == .alert)
        #expect(first.collapseID == second.collapseID)
        #expect(first.apnsID != second.apnsID)
    }

    @Test(
        "every kind of push to a known device carries the device's removals",
        arguments: [PushPurpose.show, .fallback, .removal, .badge])
    func removals(_ purpose: PushPurpose) throws {
        let push = try PushComposer.compose(delivery(purpose: purpose, removals: ["b", "a"]), at: noon)
        #expect(push.carillon?.removals.map(\.message.rawValue) == ["b", "a"])
        #expect(push.carillon?.needsSync == false)
    }

    @Test("a new token is tried with a push that has no content, and that APNs does not keep")
    func tokenCheck() throws {
        let push = try PushComposer.compose(delivery(purpose: .tokenCheck), at: noon)
        #expect(push.json == ["aps": ["content-available": 1]])
        #expect(push.pushType == .background)
        #expect(push.priority == .considerate)
        #expect(push.expiration == .oneAttempt)
    }

    @Test("a claim's nonce names the installation that is to return it")
    func tokenClaim() throws {
        var delivery = try delivery(purpose: .tokenClaim)
        delivery.nonce = "n"
        let push = try PushComposer.compose(delivery, at: noon)
        #expect(push.carillon?.claim == TokenClaim(installation: delivery.device, nonce: "n"))
        #expect(push.pushType == .background)
    }

    @Test("removals share one collapse id, a badge push is an alert push with nothing but the number")
    func others() throws {
        let removal = try PushComposer.compose(delivery(purpose: .removal, removals: ["a"]), at: noon)
        #expect(removal.collapseID == "carillon-removals")
        #expect(removal.pushType == .background)
        #expect(removal.priority == .considerate)
        let badge = try PushComposer.compose(delivery(purpose: .badge), at: noon)
        #expect(badge.pushType == .alert)
        #expect(badge.json["aps"] == ["badge": 3])
    }

    @Test("a removal does not take the place of a message that waits at APNs for an offline phone")
    func leavesRoom() throws {
        let removal = try delivery(purpose: .removal, removals: ["a"], waiting: true)
        #expect(try PushComposer.compose(removal, at: noon).expiration == .oneAttempt)
        let alone = try delivery(purpose: .removal, removals: ["a"])
        #expect(try PushComposer.compose(alone, at: noon).expiration == .unspecified)
    }

    @Test("removals that do not fit are left out, and the device is told to ask")
    func overflow() throws {
        let text = String(repeating: "x", count: 3600)
        let removals = (0..<20).map { "removal-\($0)-" + String(repeating: "r", count: 40) }
        let payload = Payload(aps: Aps(alert: .text(text)))
        let push = try PushComposer.compose(delivery(payload: payload, removals: removals), at: noon)
        #expect(push.payload.count <= 4096)
        #expect(push.carillon?.needsSync == true)
        #expect((1..<20).contains(push.carillon?.removals.count ?? 0))
        #expect(push.carillon?.removals.first?.message.rawValue == removals[0])
    }

    @Test("the apns-id is the same for every attempt and another for every push")
    func identifiers() throws {
        let first = try PushComposer.compose(delivery(), at: noon)
        let again = try PushComposer.compose(delivery(attempt: 4), at: noon + .seconds(9))
        #expect(first.apnsID == again.apnsID)
        #expect(again.carillon?.attempt == 4)
        var other = try delivery()
        other.revision = 2
        #expect(try PushComposer.compose(other, at: noon).apnsID != first.apnsID)
    }

    @Test("a UUID of version 5 is the one that RFC 9562 gives as its example")
    func version5() {
        let dns: [UInt8] = [
            0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8,
        ]
        let uuid = PushIdentifier.uuid(name: "www.example.com", namespace: dns)
        #expect(uuid.lowercased == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
    }

    @Test(
        "a payload that is taken without being measured fits, in every mode and dialect",
        arguments: [MessageDialect.carillon, .pushwoosh, .infobip], [DeliveryMode.visible, .silent, .assured])
    func surelyFits(_ dialect: MessageDialect, _ mode: DeliveryMode) throws {
        // What takes more room the second time, if anything does: escapes, and texts that a dialect repeats.
        for character in ["a", "\"", "\\", "\u{1}", "é", "🔔"] {
            var text = ""
            var payload = Payload()
            while true {
                let alert = Alert.parts(Alert.Parts(title: text, subtitle: text, body: text))
                let longer = Payload(aps: Aps(alert: alert, sound: .named("bell"), threadID: text, category: "c"))
                guard try longer.encoded().count <= ServiceLimits.surelyFittingPayload else { break }
                (payload, text) = (longer, text + character)
            }
            let message = ClaimedMessage(
                id: try MessageID(String(repeating: "m", count: MessageID.byteLimit)), mode: mode,
                until: Timestamp(millisecondsSince1970: 9_999_999_999_999), payload: payload,
                badgeIsUnreadCount: true, dialect: dialect, keepsReplies: true)
            #expect(try PushComposer.largestPush(of: message, device: "device", topic: "com.example.app") < 4096)
        }
    }
}
