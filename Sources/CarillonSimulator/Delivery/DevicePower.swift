/// A device's power state.
///
/// The state and a push's priority decide whether the push is delivered at once or waits.
public enum DevicePower: String, Sendable, Hashable, CaseIterable, Codable {
    /// Awake: every push goes through at once.
    case inUse = "in-use"
    /// Asleep: pushes with priority 1 wait, because they may not wake the device.
    case idle
    /// Saving power: pushes with priority 5 or 1 wait.
    case savingPower = "saving-power"

    /// Returns whether a push of this priority is delivered now.
    ///
    /// Apple describes the three priorities: 10 "send the notification immediately"; 5 "based on power considerations on the
    /// user's device"; 1 "prioritize the device's power considerations over all other factors for delivery, and prevent
    /// awakening the device".
    func admits(priority: Int) -> Bool {
        switch self {
        case .inUse: true
        case .idle: priority >= 5
        case .savingPower: priority >= 10
        }
    }
}
