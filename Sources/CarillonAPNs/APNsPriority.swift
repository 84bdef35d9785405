/// `apns-priority`: the urgency of a push's delivery.
public enum APNsPriority: Int, Sendable, Hashable, CaseIterable, Codable {
    /// 10: at once.
    case immediate = 10
    /// 5: at a time that suits the device's power state.
    case considerate = 5
    /// 1: never wakes the device.
    case conserving = 1
}
