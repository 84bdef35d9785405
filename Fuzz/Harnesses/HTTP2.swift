import CarillonCore
import Foundation
import NIOCore

@testable import CarillonAPNs

extension Harness {
    static let http2Harnesses = [frames, session, answer]

    /// The first byte says in what pieces the rest comes.
    private static let frames = Harness(name: "frames") { bytes in
        guard let first = bytes.first else { return }
        let content = bytes.dropFirst()
        let inPieces = read(content, piece: Int(first) + 1)
        demand(inPieces == read(content, piece: content.count), "what frames say does not depend on how they come")
        for case .headers(_, let block, _) in inPieces {
            demand(block.readableBytes <= ClientLimits.headerBlockByteLimit, "a header block keeps to its bound")
        }
    }

    private static func read(_ bytes: ArraySlice<UInt8>, piece: Int) -> [InboundFrame] {
        var reader = FrameReader()
        var frames: [InboundFrame] = []
        var rest = bytes
        do throws(HTTP2Violation) {
            while !rest.isEmpty {
                reader.append(ByteBuffer(bytes: rest.prefix(piece)))
                rest = rest.dropFirst(piece)
                while let frame = try reader.next() { frames.append(frame) }
            }
        } catch {
            demand(!error.description.isEmpty, "a violation says what it is")
        }
        return frames
    }

    /// A client with streams open whose bodies wait for window, and a server that says anything.
    private static let session = Harness(name: "session") { bytes in
        var session = HTTP2Session()
        guard let notification = notification() else { return }
        for stream in stride(from: 1, to: 20, by: 2) {
            session.open(stream, notification, authority: "a", authorization: nil)
        }
        // SETTINGS first, or nothing else is heard; the bytes may send more.
        session.append(ByteBuffer(bytes: [0, 0, 0, 4, 0, 0, 0, 0, 0]))
        session.append(ByteBuffer(bytes: bytes))
        while let event = try? session.next() {
            switch event {
            case .head(let stream, _, isLast: true), .body(let stream, _, isLast: true), .reset(let stream, _):
                demand(session.forget(stream) >= 0, "no body is longer than itself")
            default: break
            }
        }
        // Ten bodies and heads, and an answer of 17 bytes at most to each frame of at least 9.
        demand(session.outgoing.readableBytes <= 60_000 + 2 * bytes.count, "what is written follows from what is read")
    }

    private static func notification() -> APNsNotification? {
        guard let token = DeviceToken(hex: "0011223344") else { return nil }
        return APNsNotification(
            deviceToken: token, topic: "com.example.chime", pushType: .alert,
            payload: APNsPayload(Data(repeating: 0x61, count: 5000)), collapseID: nil,
            apnsID: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    }

    /// The body of an answer, and the debug data of a GOAWAY.
    private static let answer = Harness(name: "answer") { bytes in
        let error = APNsErrorBody(status: 410, body: ByteBuffer(bytes: bytes))
        demand(!error.reason.rawValue.isEmpty, "an error has a reason")
        let text = String(decoding: bytes, as: UTF8.self)
        if let id = UUID(headerText: text) { demand(UUID(uuidString: text) == id, "a UUID is read as Foundation does") }
    }
}
