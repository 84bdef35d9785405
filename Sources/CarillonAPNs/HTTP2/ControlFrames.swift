import NIOCore

/// Parses the frames of fixed form: RST_STREAM, SETTINGS, PING, GOAWAY and WINDOW_UPDATE.
enum ControlFrames {
    static func read(
        _ type: FrameType?, _ head: FrameReader.Head, _ payload: ByteBuffer
    ) throws(HTTP2Violation) -> InboundFrame {
        var payload = payload
        return switch type {
        case .reset: try reset(head, &payload)
        case .settings: try settings(head, &payload)
        case .ping: try ping(head, &payload)
        case .goAway: try goAway(head, &payload)
        case .windowUpdate: try windowUpdate(head, &payload)
        default: .nothing
        }
    }

    private static func reset(
        _ head: FrameReader.Head, _ payload: inout ByteBuffer
    ) throws(HTTP2Violation) -> InboundFrame {
        guard head.length == 4, let code = payload.readInteger(as: UInt32.self) else {
            throw wrongLength("RST_STREAM", head)
        }
        guard head.stream != 0 else { throw HTTP2Violation(.protocolError, "the server reset stream 0") }
        return .reset(head.stream, HTTP2Code(rawValue: code))
    }

    private static func settings(
        _ head: FrameReader.Head, _ payload: inout ByteBuffer
    ) throws(HTTP2Violation) -> InboundFrame {
        guard head.stream == 0 else { throw wrongStream("SETTINGS", head) }
        if head.has(FrameFlag.ack) {
            guard head.length == 0 else { throw wrongLength("an acknowledgement of SETTINGS", head) }
            return .settingsAcknowledged
        }
        guard head.length.isMultiple(of: 6) else { throw wrongLength("SETTINGS", head) }
        var settings: [Setting] = []
        while let (number, value) = payload.readMultipleIntegers(as: (UInt16, UInt32).self) {
            // Ignores unknown settings (RFC 9113 §6.5.2).
            if let name = SettingName(rawValue: number) { settings.append(Setting(name: name, value: value)) }
        }
        return .settings(settings)
    }

    private static func ping(
        _ head: FrameReader.Head, _ payload: inout ByteBuffer
    ) throws(HTTP2Violation) -> InboundFrame {
        guard head.stream == 0 else { throw wrongStream("PING", head) }
        guard head.length == 8, let data = payload.readInteger(as: UInt64.self) else { throw wrongLength("PING", head) }
        return head.has(FrameFlag.ack) ? .pong(data) : .ping(data)
    }

    private static func goAway(
        _ head: FrameReader.Head, _ payload: inout ByteBuffer
    ) throws(HTTP2Violation) -> InboundFrame {
        guard head.stream == 0 else { throw wrongStream("GOAWAY", head) }
        guard let (last, code) = payload.readMultipleIntegers(as: (UInt32, UInt32).self) else {
            throw wrongLength("GOAWAY", head)
        }
        return .goAway(
            lastStream: StreamID(last & 0x7FFF_FFFF), HTTP2Code(rawValue: code), debugData: payload)
    }

    private static func windowUpdate(
        _ head: FrameReader.Head, _ payload: inout ByteBuffer
    ) throws(HTTP2Violation) -> InboundFrame {
        guard head.length == 4, let increment = payload.readInteger(as: UInt32.self) else {
            throw wrongLength("WINDOW_UPDATE", head)
        }
        return .windowUpdate(head.stream, increment: Int(increment & 0x7FFF_FFFF))
    }

    private static func wrongLength(_ name: String, _ head: FrameReader.Head) -> HTTP2Violation {
        HTTP2Violation(.frameSizeError, "the server sent \(name) of \(head.length) bytes")
    }

    private static func wrongStream(_ name: String, _ head: FrameReader.Head) -> HTTP2Violation {
        HTTP2Violation(.protocolError, "the server sent \(name) on stream \(head.stream)")
    }
}
