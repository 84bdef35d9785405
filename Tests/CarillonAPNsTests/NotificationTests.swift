import CarillonCore
import Foundation
import NIOCore
import NIOHPACK
import Testing

@testable import CarillonAPNs

@Suite("A notification and its header block, as another HPACK reads it")
struct NotificationTests {
    private func block(_ notification: APNsNotification, usesTokens: Bool) throws -> HPACKHeaders {
        try NotificationRules.check(notification, usesTokens: usesTokens)
        var encoder = HeaderEncoder()
        var buffer = ByteBuffer()
        encoder.encode(
            notification, authority: "api.push.apple.com:443",
            authorization: usesTokens ? HeaderEncoder.authorizationField("bearer e30") : nil, into: &buffer)
        var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
        return try decoder.decodeHeaders(from: &buffer)
    }

    @Test("every push type has Apple's topic suffix and name", arguments: PushType.allCases)
    func pushTypes(type: PushType) throws {
        let suffixes: [PushType: String] = [
            .accessory: ".push-type.accessory", .alert: "", .background: "", .complication: ".complication",
            .controls: ".push-type.controls",
            .fileprovider: ".pushkit.fileprovider", .liveactivity: ".push-type.liveactivity",
            .location: ".location-query", .mdm: "", .pushtotalk: ".voip-ptt", .voip: ".voip",
            .widgets: ".push-type.widgets",
        ]
        var notification = try TestValues.notification()
        notification.pushType = type
        notification.priority = .considerate
        notification.topic = APNsNotification.topic(bundleID: "com.example", pushType: type)
        let block = try block(notification, usesTokens: true)
        #expect(block.first(name: "apns-topic") == "com.example" + (suffixes[type] ?? "missing"))
        #expect(block.first(name: "apns-push-type") == type.rawValue)
        #expect(suffixes.count == 12)
    }

    @Test("an absent expiration is no header, zero is 0, a moment is whole seconds")
    func expiration() throws {
        var notification = try TestValues.notification()
        #expect(try block(notification, usesTokens: true).first(name: "apns-expiration") == nil)
        notification.expiration = .oneAttempt
        #expect(try block(notification, usesTokens: true).first(name: "apns-expiration") == "0")
        notification.expiration = .at(Timestamp(millisecondsSince1970: 1_900_000_000_999))
        #expect(try block(notification, usesTokens: true).first(name: "apns-expiration") == "1900000000")
    }

    @Test("priorities are 10, 5 and 1; a background push has 5 unless told otherwise, and 10 is refused")
    func priority() throws {
        #expect(APNsPriority.allCases.map(\.rawValue) == [10, 5, 1])
        let first = try TestValues.notification()
        var background = APNsNotification(
            deviceToken: first.deviceToken, topic: first.topic, pushType: .background, payload: first.payload,
            apnsID: first.apnsID)
        #expect(background.priority == .considerate)
        background.priority = .immediate
        #expect(throws: APNsError.self) { try block(background, usesTokens: true) }
    }

    @Test("a collapse id of 64 bytes passes, of 65 bytes does not; characters are not bytes")
    func collapseID() throws {
        var notification = try TestValues.notification(collapseID: String(repeating: "a", count: 64))
        #expect(throws: Never.self) { try block(notification, usesTokens: true) }
        notification.collapseID = String(repeating: "a", count: 65)
        #expect(throws: APNsError.self) { try block(notification, usesTokens: true) }
        notification.collapseID = String(repeating: "ä", count: 33)
        #expect(throws: APNsError.self) { try block(notification, usesTokens: true) }
    }

    @Test(
        "what cannot be a header value, or would break out of one, is refused",
        arguments: ["", " ", "a\r\nb", "a\u{0}", "\ta", "a ", "a\u{7F}", String(repeating: "t", count: 1025)])
    func injection(text: String) throws {
        var notification = try TestValues.notification()
        notification.topic = text
        let error = #expect(throws: APNsError.self) { try block(notification, usesTokens: true) }
        #expect(error?.code == .invalidNotification)
    }

    @Test("a payload may have 4096 bytes, with voip 5120, and not none")
    func size() throws {
        var notification = try TestValues.notification()
        for (type, limit) in [(PushType.alert, 4096), (.voip, 5120)] {
            notification.pushType = type
            notification.payload = APNsPayload(Data(count: limit))
            #expect(throws: Never.self) { try block(notification, usesTokens: true) }
            notification.payload = APNsPayload(Data(count: limit + 1))
            #expect(throws: APNsError.self) { try block(notification, usesTokens: true) }
        }
        notification.payload = APNsPayload(Data())
        #expect(throws: APNsError.self) { try block(notification, usesTokens: true) }
    }

    @Test("location pushes need a signing key")
    func location() throws {
        var notification = try TestValues.notification()
        notification.pushType = .location
        #expect(throws: Never.self) { try block(notification, usesTokens: true) }
        #expect(throws: APNsError.self) { try block(notification, usesTokens: false) }
    }

    @Test("the path and the id are never put into a table, and the token may not be by anybody")
    func indexing() throws {
        let block = try block(try TestValues.notification(collapseID: "m"), usesTokens: true)
        let unknown = ["apns-collapse-id", "content-length"]
        for (name, _, indexing) in block {
            switch name {
            case "authorization": #expect(indexing == .neverIndexed)
            case ":path", "apns-id": #expect(indexing == .nonIndexable)
            case _ where unknown.contains(name): #expect(indexing == .nonIndexable, "nobody knows yet that it repeats")
            default: #expect(indexing == .indexable, "\(name)")
            }
        }
    }

    @Test("8: what is sent again keeps apns-id and collapse id: they belong to the notification")
    func stableIDs() throws {
        let notification = try TestValues.notification(number: 5, collapseID: "m-5")
        let first = try block(notification, usesTokens: true)
        let second = try block(notification, usesTokens: true)
        #expect(first.first(name: "apns-id") == "00000000-0000-4000-8000-000000000005")
        #expect(first == second)
    }

    @Test("11: a push that clears another one is a background push with the other's id, and can be sent")
    func clearing() throws {
        let shown = try TestValues.notification(collapseID: "m-1")
        let clearing = APNsNotification(
            deviceToken: shown.deviceToken, topic: shown.topic, pushType: .background,
            payload: APNsPayload(Data(#"{"aps":{"content-available":1},"remove":["m-1"]}"#.utf8)),
            collapseID: "removals", apnsID: TestValues.uuid(2))
        let block = try block(clearing, usesTokens: true)
        #expect(block.first(name: "apns-priority") == "5")
        #expect(block.first(name: "apns-collapse-id") == "removals")
    }
}
