/// The frame types of [RFC 9113 §6](https://www.rfc-editor.org/rfc/rfc9113#section-6), and their flags.
enum FrameType: UInt8, Sendable {
    case data = 0x0
    case headers = 0x1
    case priority = 0x2
    case reset = 0x3
    case settings = 0x4
    case pushPromise = 0x5
    case ping = 0x6
    case goAway = 0x7
    case windowUpdate = 0x8
    case continuation = 0x9
}

enum FrameFlag {
    static let endStream: UInt8 = 0x1
    static let ack: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4
    static let padded: UInt8 = 0x8
    static let priority: UInt8 = 0x20
}

/// The parameters of SETTINGS, [RFC 9113 §6.5.2](https://www.rfc-editor.org/rfc/rfc9113#section-6.5.2).
enum SettingName: UInt16, Sendable {
    case headerTableSize = 0x1
    case enablePush = 0x2
    case maxConcurrentStreams = 0x3
    case initialWindowSize = 0x4
    case maxFrameSize = 0x5
    case maxHeaderListSize = 0x6
}

struct Setting: Sendable, Hashable {
    let name: SettingName
    let value: UInt32
}
