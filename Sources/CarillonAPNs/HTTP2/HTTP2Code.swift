/// The error code that says why a stream or a connection ends ([RFC 9113
/// §7](https://www.rfc-editor.org/rfc/rfc9113#section-7)).
struct HTTP2Code: RawRepresentable, Sendable, Hashable {
    let rawValue: UInt32

    static let noError = Self(rawValue: 0x0)
    static let protocolError = Self(rawValue: 0x1)
    static let internalError = Self(rawValue: 0x2)
    static let flowControlError = Self(rawValue: 0x3)
    static let settingsTimeout = Self(rawValue: 0x4)
    static let streamClosed = Self(rawValue: 0x5)
    static let frameSizeError = Self(rawValue: 0x6)
    static let refusedStream = Self(rawValue: 0x7)
    static let cancel = Self(rawValue: 0x8)
    static let compressionError = Self(rawValue: 0x9)
    static let connectError = Self(rawValue: 0xA)
    static let enhanceYourCalm = Self(rawValue: 0xB)
    static let inadequateSecurity = Self(rawValue: 0xC)
    static let http11Required = Self(rawValue: 0xD)

    private static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]
}

extension HTTP2Code: CustomStringConvertible {
    /// The RFC's name of the code, or its number if the RFC does not define it.
    var description: String {
        Self.names.indices.contains(Int(rawValue)) ? Self.names[Int(rawValue)] : "error code \(rawValue)"
    }
}
