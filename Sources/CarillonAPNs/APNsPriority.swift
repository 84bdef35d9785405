/// `apns-priority`: the urgency of a push's delivery.
public enum APNsPriority: Int, Sendable, Hashable, CaseIterable, Codable {
    /// Priority 10: APNs delivers the push at once.
    case immediate = 10
    /// Priority 5: APNs delivers the push at a time that suits the device's power state.
    case considerate = 5
    /// Priority 1: the push never wakes the device.
    case conserving = 1
}
