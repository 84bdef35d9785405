import NIOCore

/// Writes the frames that a client sends.
extension ByteBuffer {
    /// The connection preface ([RFC 9113 §3.4](https://www.rfc-editor.org/rfc/rfc9113#section-3.4)).
    static let clientPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    mutating func writeFrameHead(length: Int, type: FrameType, flags: UInt8 = 0, stream: StreamID) {
        writeMultipleIntegers(
            UInt32(truncatingIfNeeded: length) << 8 | UInt32(type.rawValue), flags, UInt32(truncatingIfNeeded: stream))
    }

    /// Writes the length and type of a frame at `index`, after its payload has been written.
    mutating func completeFrame(at index: Int, type: FrameType) {
        let length = writerIndex - index - 9
        setInteger(UInt32(truncatingIfNeeded: length) << 8 | UInt32(type.rawValue), at: index)
    }

    mutating func writeSettings(_ settings: [Setting]) {
        writeFrameHead(length: settings.count * 6, type: .settings, stream: 0)
        for setting in settings { writeMultipleIntegers(setting.name.rawValue, setting.value) }
    }

    mutating func writeSettingsAcknowledgement() {
        writeFrameHead(length: 0, type: .settings, flags: FrameFlag.ack, stream: 0)
    }

    mutating func writeWindowUpdate(stream: StreamID, increment: Int) {
        writeFrameHead(length: 4, type: .windowUpdate, stream: stream)
        writeInteger(UInt32(truncatingIfNeeded: increment))
    }

    mutating func writePing(_ data: UInt64, isAcknowledgement: Bool) {
        writeFrameHead(length: 8, type: .ping, flags: isAcknowledgement ? FrameFlag.ack : 0, stream: 0)
        writeInteger(data)
    }

    mutating func writeReset(stream: StreamID, _ code: HTTP2Code) {
        writeFrameHead(length: 4, type: .reset, stream: stream)
        writeInteger(code.rawValue)
    }

    /// Writes GOAWAY.
    ///
    /// The frame's last stream id is always 0, because the server opens no streams to the client.
    mutating func writeGoAway(_ code: HTTP2Code) {
        writeFrameHead(length: 8, type: .goAway, stream: 0)
        writeMultipleIntegers(UInt32(0), code.rawValue)
    }
}
