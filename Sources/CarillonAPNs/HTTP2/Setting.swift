/// The numbers of the parameters in a SETTINGS frame ([RFC 9113
/// §6.5.2](https://www.rfc-editor.org/rfc/rfc9113#section-6.5.2)).
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
