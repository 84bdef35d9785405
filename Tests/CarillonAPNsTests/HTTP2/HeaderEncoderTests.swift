import CarillonCore
import Foundation
import NIOCore
import NIOHPACK
import Testing

@testable import CarillonAPNs

@Suite("Header blocks of a connection, read by NIO's HPACK")
struct HeaderEncoderTests {
    private static let authorization = "bearer " + String(repeating: "eyJ0", count: 60)

    private func expected(_ notification: APNsNotification, hasToken: Bool) -> [[String]] {
        var headers = [
            [":method", "POST"], [":scheme", "https"], [":authority", "localhost:2197"],
            [":path", "/3/device/" + notification.deviceToken.hex], ["apns-topic", notification.topic],
            ["apns-push-type", notification.pushType.rawValue], ["apns-priority", "\(notification.priority.rawValue)"],
        ]
        switch notification.expiration {
        case .unspecified: break
        case .oneAttempt: headers.append(["apns-expiration", "0"])
        case .at(let moment): headers.append(["apns-expiration", "\(moment.secondsSince1970)"])
        }
        if let collapseID = notification.collapseID { headers.append(["apns-collapse-id", collapseID]) }
        headers.append(["content-length", "\(notification.payload.byteCount)"])
        headers.append(["apns-id", notification.apnsID.uuidString.lowercased()])
        if hasToken { headers.append(["authorization", Self.authorization]) }
        return headers
    }

    private func random(_ number: Int, using generator: inout SeededGenerator) throws -> APNsNotification {
        var notification = try TestValues.notification(number: number)
        let byteCount = [1, 32, 33, 100, 256].randomElement(using: &generator) ?? 32
        let hex = (0..<byteCount).map { _ in String(format: "%02x", Int.random(in: 0...255, using: &generator)) }
            .joined()
        notification.deviceToken = DeviceToken(hex: hex) ?? notification.deviceToken
        notification.topic = "com.example.app\(Int.random(in: 0...60, using: &generator))"
        notification.pushType = PushType.allCases.randomElement(using: &generator) ?? .alert
        notification.priority = APNsPriority.allCases.randomElement(using: &generator) ?? .immediate
        let moment = TestValues.start + .seconds(Int.random(in: 0...2, using: &generator))
        notification.expiration =
            [.unspecified, .oneAttempt, .at(moment)].randomElement(using: &generator) ?? .oneAttempt
        if Bool.random(using: &generator) {
            let length = Int.random(in: 1...64, using: &generator)
            notification.collapseID = String(repeating: "c", count: length)
        }
        notification.payload = APNsPayload(Data(count: Int.random(in: 1...200, using: &generator)))
        return notification
    }

    @Test("a thousand random blocks are read as they were meant, whatever the size of the table does in between")
    func random() throws {
        for seed in UInt64(1)...20 {
            var generator = SeededGenerator(seed: seed)
            var encoder = HeaderEncoder()
            var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
            var former: APNsNotification?
            for number in 1...50 {
                if Int.random(in: 0..<8, using: &generator) == 0 {
                    for _ in 0...Int.random(in: 0...2, using: &generator) {
                        let size = [0, 40, 100, 500, 4096, 100_000].randomElement(using: &generator) ?? 0
                        encoder.allowTable(byteCount: size)
                    }
                }
                var notification = try random(number, using: &generator)
                if let former, Bool.random(using: &generator) {
                    // The same message to another device.
                    let (token, id) = (notification.deviceToken, notification.apnsID)
                    notification = former
                    (notification.deviceToken, notification.apnsID) = (token, id)
                }
                former = notification
                let hasToken = Bool.random(using: &generator)
                var block = ByteBuffer()
                encoder.encode(
                    notification, authority: "localhost:2197",
                    authorization: hasToken ? HeaderEncoder.authorizationField(Self.authorization) : nil, into: &block)
                let read = try decoder.decodeHeaders(from: &block).map { [$0.name, $0.value] }
                try #require(read == expected(notification, hasToken: hasToken), "seed \(seed), block \(number)")
            }
        }
    }

    @Test("from the third block on, a message to many devices costs a byte for each header that repeats")
    func size() throws {
        var encoder = HeaderEncoder()
        var sizes: [Int] = []
        for number in 1...3 {
            var block = ByteBuffer()
            encoder.encode(
                try TestValues.notification(number: number, collapseID: "news-1"), authority: "localhost:2197",
                authorization: nil, into: &block)
            sizes.append(block.readableBytes)
        }
        // Path 2 + 74, apns-id 9 + 37, eight headers of one byte.
        #expect(sizes[2] == 76 + 46 + 8)
        #expect(sizes[0] > sizes[1] && sizes[1] > sizes[2])
    }

    @Test("ids that change with every notification do not push out what repeats")
    func changing() throws {
        var encoder = HeaderEncoder()
        var last = 0
        for number in 1...200 {
            var block = ByteBuffer()
            encoder.encode(
                try TestValues.notification(number: number, collapseID: "message-\(1000 + number)"),
                authority: "localhost:2197", authorization: nil, into: &block)
            last = block.readableBytes
        }
        // As above, but for the collapse id: its name and itself, spelled out.
        #expect(last == 76 + 46 + 7 + (2 + 16) + (1 + 12))
    }

    @Test("ids are written as Apple wants them and read in either case; nothing else is an id")
    func uuids() {
        for seed in UInt64(1)...100 {
            var generator = SeededGenerator(seed: seed)
            let uuid = UUID.random(using: &generator)
            var buffer = ByteBuffer()
            uuid.writeHeaderText(into: &buffer)
            let text = String(buffer: buffer)
            #expect(text == uuid.uuidString.lowercased(), "seed \(seed)")
            #expect(UUID(headerText: text) == uuid && UUID(headerText: text.uppercased()) == uuid, "seed \(seed)")
            var bytes = Array(text.utf8)
            bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8(ascii: "g")
            #expect(UUID(headerText: String(decoding: bytes, as: UTF8.self)) == nil, "seed \(seed)")
            #expect(UUID(headerText: String(text.dropLast())) == nil && UUID(headerText: text + "0") == nil)
        }
    }

    @Test("requests about channels and broadcasts are read as they were meant, between pushes and over resized tables")
    func channels() throws {
        var encoder = HeaderEncoder()
        var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
        let authorization = HeaderEncoder.authorizationField(Self.authorization)
        for size in [4096, 0, 100] {
            encoder.allowTable(byteCount: size)
            for (method, name) in [(ChannelRequest.Method.get, "GET"), (.post, "POST"), (.delete, "DELETE")] {
                let request = ChannelRequest(
                    method: method, path: "/1/apps/com.example.chime/channels",
                    fields: [(name: "apns-channel-id", value: "dHN0LXNyY2gtY2hubA==")],
                    body: method == .post ? ByteBuffer(string: "{}") : ByteBuffer(), id: TestValues.uuid(0xAB))
                var block = ByteBuffer()
                encoder.encode(request, authority: "localhost:2197", authorization: authorization, into: &block)
                let length = method == .post ? [["content-length", "2"]] : []
                #expect(
                    try decoder.decodeHeaders(from: &block).map { [$0.name, $0.value] }
                        == [
                            [":method", name], [":scheme", "https"], [":authority", "localhost:2197"],
                            [":path", request.path], ["apns-channel-id", "dHN0LXNyY2gtY2hubA=="],
                        ] + length + [
                            ["apns-request-id", request.id.uuidString.lowercased()],
                            ["authorization", Self.authorization],
                        ])
                var push = ByteBuffer()
                let notification = try TestValues.notification()
                encoder.encode(
                    notification, authority: "localhost:2197", authorization: authorization, into: &push)
                let headers = try decoder.decodeHeaders(from: &push).map { [$0.name, $0.value] }
                #expect(headers == expected(notification, hasToken: true))
            }
        }
    }

    @Test("what a message repeats is written anew when something else has entered the table")
    func movedTable() throws {
        var encoder = HeaderEncoder()
        var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
        for number in 1...12 {
            if number.isMultiple(of: 4) {
                let request = ChannelRequest(
                    method: .get, path: "/", fields: [], body: ByteBuffer(), id: TestValues.uuid(number))
                var block = ByteBuffer()
                encoder.encode(request, authority: "other:\(number)", authorization: nil, into: &block)
                _ = try decoder.decodeHeaders(from: &block)
            }
            let notification = try TestValues.notification(number: number, collapseID: "news-1")
            var block = ByteBuffer()
            encoder.encode(notification, authority: "localhost:2197", authorization: nil, into: &block)
            let headers = try decoder.decodeHeaders(from: &block).map { [$0.name, $0.value] }
            #expect(headers == expected(notification, hasToken: false), "block \(number)")
        }
    }
}

extension UUID {
    fileprivate static func random(using generator: inout SeededGenerator) -> UUID {
        var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).uuid
        withUnsafeMutableBytes(of: &uuid) { bytes in
            for index in bytes.indices { bytes[index] = UInt8.random(in: .min ... .max, using: &generator) }
        }
        return UUID(uuid: uuid)
    }
}
