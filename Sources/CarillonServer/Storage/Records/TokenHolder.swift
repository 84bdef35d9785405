/// The device that holds a device token.
struct TokenHolder: Sendable, Hashable {
    var id: String
    var state: DeviceRecord.State
}
