import CarillonCore
import NIOCore
import Testing

@testable import CarillonAPNs

@Suite("Reasons and what to do about them")
struct ReasonTests {
    @Test(
        "a timestamp that is no time does not hide the reason",
        arguments: [
            ("1e300", nil), ("9223372036854775807", nil), ("-5", nil), ("\"soon\"", nil), ("null", nil), ("{}", nil),
            ("1700000000000", 1_700_000_000_000),
        ] as [(String, Int64?)])
    func oddTimestamp(text: String, milliseconds: Int64?) {
        let body = ByteBuffer(string: #"{"reason":"Unregistered","timestamp":\#(text)}"#)
        let error = APNsErrorBody(status: 410, body: body)
        #expect(error.reason == .unregistered)
        #expect(error.timestamp == milliseconds.map { Timestamp(millisecondsSince1970: $0) })
    }

    @Test("all of Apple's reasons are known, with their status")
    func table() {
        let byStatus: [Int: [String]] = [
            400: [
                "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic",
                "DeviceTokenNotForTopic", "DuplicateHeaders", "IdleTimeout", "InvalidPushType", "MissingDeviceToken",
                "MissingTopic", "PayloadEmpty", "TopicDisallowed", "BadChannelId", "BadRequestParams",
                "BadRequestPayload", "CannotCreateChannelConfig", "ChannelNotRegistered", "FeatureNotEnabled",
                "MissingChannelId", "MissingPushType",
            ],
            403: [
                "BadCertificate", "BadCertificateEnvironment", "ExpiredProviderToken", "Forbidden",
                "InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken",
                "TopicMismatch",
            ],
            404: ["BadPath"], 405: ["MethodNotAllowed"], 410: ["ExpiredToken", "Unregistered"],
            413: ["PayloadTooLarge"], 429: ["TooManyProviderTokenUpdates", "TooManyRequests"],
            500: ["InternalServerError"], 503: ["ServiceUnavailable", "Shutdown"],
        ]
        for (status, names) in byStatus {
            for name in names { #expect(APNsReason(rawValue: name).status == status, "\(name)") }
        }
        #expect(APNsReason.allDocumented.count == 41)
        #expect(Set(APNsReason.allDocumented.map(\.rawValue)) == Set(byStatus.values.joined()))
    }

    @Test("a reason that Apple adds later is carried through, and its status decides what to do")
    func unknown() {
        let reason = APNsReason(rawValue: "SomethingNew")
        #expect(!reason.isKnown && reason.status == nil && "\(reason)" == "SomethingNew")
        #expect(reason.remedy(status: 400) == .giveUp)
        #expect(reason.remedy(status: 403) == .fixCredential)
        #expect(reason.remedy(status: 410) == .removeDeviceToken)
        #expect(reason.remedy(status: 429) == .slowDown)
        #expect(reason.remedy(status: 502) == .retryLater)
    }

    @Test("the reason that APNs spells differently from its page is one and the same")
    func twoSpellings() {
        #expect(APNsReason(rawValue: "BadEnvironmentKeyInToken") == .badEnvironmentKeyIDInToken)
    }

    @Test("9: 410 says since when; a bad device token is set aside, not deleted")
    func deviceTokens() {
        let gone = APNsErrorBody(
            status: 410, body: ByteBuffer(string: #"{"timestamp":1700000000123,"reason":"Unregistered"}"#))
        #expect(gone.timestamp == Timestamp(millisecondsSince1970: 1_700_000_000_123))
        #expect(APNsReason.unregistered.remedy(status: 410) == .removeDeviceToken)
        #expect(APNsReason.badDeviceToken.remedy(status: 400) == .quarantineDeviceToken)
        #expect(APNsReason.deviceTokenNotForTopic.remedy(status: 400) == .quarantineDeviceToken)
    }

    @Test(
        "an answer without APNs' JSON is told by its status",
        arguments: ["", "<html>", "{}", "[]", #"{"reason":5}"#, #"{"reason":""}"#, #"{"reason":"#, "\u{0}"])
    func noJSON(body: String) {
        #expect(APNsErrorBody(status: 502, body: ByteBuffer(string: body)).reason.rawValue == "HTTP 502")
        #expect(APNsErrorBody(ByteBuffer(string: body)) == nil)
    }
}
