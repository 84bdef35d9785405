import CarillonCore
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// Writes pushes to one admin client: the pushes of all devices that this client has brought online.
///
/// Pushes that come while the event loop is busy are written together.
final class PushWriter: Sendable {
    private struct State {
        var text = ByteBuffer()
        /// The number of pushes in `text`; the event loop has not written these pushes yet.
        var count = 0
        /// The number of pushes that the writer has accepted and the client's connection has not yet sent.
        var outstanding = 0
        var isScheduled = false
        var lastPayload = Data()
        /// The JSON of `lastPayload`, kept because many devices get equal payloads.
        var lastShown = ByteBuffer()
    }

    private let channel: any Channel
    private let limit: Int
    private let state = Mutex(State())

    /// Makes a writer for one admin client.
    ///
    /// - Parameters:
    ///   - channel: the NIO channel of the client's connection.
    ///   - limit: the greatest number of accepted pushes that the connection has not yet sent; one more closes the
    ///     connection.
    init(channel: any Channel, limit: Int) {
        self.channel = channel
        self.limit = limit
    }

    /// Adds a push to the text that the event loop writes as soon as it is free.
    func send(_ push: SimulatorPush) {
        enum Step { case nothing, schedule, cut }
        let step = state.withLock { state -> Step in
            guard state.outstanding < limit else { return .cut }
            state.outstanding += 1
            state.count += 1
            if state.lastShown.readableBytes == 0 || state.lastPayload != push.payload {
                state.lastPayload = push.payload
                state.lastShown = ByteBuffer(bytes: (try? push.payload.shown.encoded()) ?? Data("null".utf8))
            }
            push.writeEvent(payload: state.lastShown, into: &state.text)
            defer { state.isScheduled = true }
            return state.isScheduled ? .nothing : .schedule
        }
        switch step {
        case .nothing: break
        case .schedule: channel.eventLoop.execute { self.flush() }
        case .cut: channel.close(promise: nil)
        }
    }

    private func flush() {
        let (text, count) = state.withLock { state in
            defer {
                state.text = ByteBuffer()
                state.count = 0
                state.isScheduled = false
            }
            return (state.text, state.count)
        }
        channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(text))).whenComplete { [self] _ in
            state.withLock { $0.outstanding -= count }
        }
    }
}

extension SimulatorPush {
    /// Appends the push to a text as a server-sent event, whose data has the same bytes as the encoded ``json``.
    ///
    /// Writing the bytes directly is faster than building JSON values and encoding them.
    ///
    /// - Parameters:
    ///   - payload: the push's payload as JSON.
    ///   - text: the buffer that the event is appended to.
    func writeEvent(payload: ByteBuffer, into text: inout ByteBuffer) {
        text.writeStaticString("data: {\"apns_id\":\"")
        text.writeString(apnsID.uuidString)
        text.writeStaticString("\",\"bundle_id\":")
        text.writeJSON(bundleID)
        if let channelID {
            text.writeStaticString(",\"channel\":")
            text.writeJSON(channelID)
        }
        if let collapseID {
            text.writeStaticString(",\"collapse_id\":")
            text.writeJSON(collapseID)
        }
        text.writeStaticString(",\"device\":")
        text.writeJSON(device)
        switch expiration {
        case .unspecified: break
        case .oneAttempt: text.writeStaticString(",\"expiration\":0")
        case .at(let moment): text.writeString(",\"expiration\":\(moment.secondsSince1970)")
        }
        text.writeStaticString(",\"payload\":")
        text.writeImmutableBuffer(payload)
        text.writeString(",\"priority\":\(priority),\"push_type\":\"\(pushType.rawValue)\"")
        if let token { text.writeString(",\"token\":\"\(token.hex)\"") }
        text.writeStaticString(",\"topic\":")
        text.writeJSON(topic)
        text.writeStaticString("}\n\n")
    }
}

extension ByteBuffer {
    /// Writes a text as a JSON string, with quotation marks and escapes.
    fileprivate mutating func writeJSON(_ string: String) {
        let isPlain = string.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
        guard isPlain else {
            writeBytes((try? JSONValue.string(string).encoded()) ?? Data("\"\"".utf8))
            return
        }
        writeInteger(UInt8(ascii: "\""))
        writeString(string)
        writeInteger(UInt8(ascii: "\""))
    }
}
