import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A push in another service's words")
struct DialectTests {
    private func push(
        _ dialect: MessageDialect, _ mode: DeliveryMode, _ purpose: PushPurpose = .show,
        custom: JSONObject = [:]
    ) throws -> ComposedPush {
        let parts = Alert.Parts(title: "News", body: "Text")
        let message = ClaimedMessage(
            id: MessageID(test: "m1"), mode: mode, until: noon + .seconds(60),
            payload: Payload(aps: Aps(alert: .parts(parts), sound: .default), custom: custom),
            badgeIsUnreadCount: false,
            dialect: dialect)
        let delivery = ClaimedDelivery(
            number: 1, purpose: purpose, lease: Lease(sender: SenderNumber(rawValue: 1), epoch: 1), lane: .single,
            device: "phone", app: AppID(topic: topic, environment: .sandbox),
            token: try #require(DeviceToken(hex: "aa")), revision: 1, attempt: 1, message: message, unread: nil,
            removals: [Removal(message.id)], hasMoreRemovals: false, hasUnanswered: false)
        return try PushComposer.compose(delivery, at: noon)
    }

    @Test("Pushwoosh: created with crt and title, deleted with dlt, by the article's identifier")
    func pushwoosh() throws {
        let silent = try push(.pushwoosh, .silent)
        #expect(silent.json["crt"] == "m1" && silent.json["title"] == "News" && silent.json["body"] == "Text")
        #expect(silent.collapseID == "com.pushwoosh.notification.m1")
        #expect(silent.carillon?.id == MessageID(test: "m1"))
        let visible = try push(.pushwoosh, .assured, .fallback)
        #expect(visible.json["crt"] == nil, "an old app would make a second notification of it")
        #expect(visible.collapseID == "com.pushwoosh.notification.m1")
        #expect(visible.carillon?.attempt == 2)
        let removal = try push(.pushwoosh, .silent, .removal)
        #expect(removal.json["dlt"] == "m1" && removal.pushType == .background)
        #expect(removal.carillon?.id == nil && removal.carillon?.removals.count == 1)
    }

    @Test("Infobip: messageId, the silent notification, and its validity in milliseconds")
    func infobip() throws {
        let silent = try push(.infobip, .silent)
        #expect(silent.json["messageId"] == "m1" && silent.collapseID == "m1")
        #expect(silent.json["internalData"]?["silent"]?["title"] == "News")
        #expect(silent.json["internalData"]?["silent"]?["sound"] == "default")
        #expect(silent.json["internalData"]?["validUntil"]?.intValue == 1_800_000_060_000)
        let visible = try push(.infobip, .visible)
        #expect(visible.json["internalData"]?["silent"] == nil)
        #expect(visible.json["internalData"]?["validUntil"]?.intValue == 1_800_000_060_000)
    }

    @Test(
        "Infobip: inAppDetails of the sender's own stand beside what the dialect adds, and the phone makes no notification"
    )
    func inApp() throws {
        let own: JSONValue = ["inAppDetails": ["clickUrl": "https://example.org/"], "silent": ["title": "Mine"]]
        let json = try push(.infobip, .silent, custom: ["internalData": own, "messageId": "mine"]).json
        #expect(json["internalData"]?["inAppDetails"]?["clickUrl"] == "https://example.org/")
        #expect(json["internalData"]?["silent"] == ["title": "Mine"], "what the sender says stays as it is")
        #expect(json["internalData"]?["validUntil"]?.intValue == 1_800_000_060_000)
        #expect(json["messageId"] == "mine")
    }
}
