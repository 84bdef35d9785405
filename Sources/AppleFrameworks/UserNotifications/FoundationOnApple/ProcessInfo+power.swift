import Foundation

extension ProcessInfo {
    /// Whether Low Power Mode is on, on the calling app's phone.
    @available(iOS 9, *)
    public var isLowPowerModeEnabled: Bool { SimulatedDevices.currentProcess?.isLowPowerModeEnabled ?? false }

    /// The thermal state of the phone.
    @available(iOS 11, *)
    public enum ThermalState: Int, Sendable {
        case nominal
        case fair
        case serious
        case critical
    }

    /// The thermal state of the calling app's phone.
    ///
    /// Differs from iOS: a simulated phone never grows warm.
    @available(iOS 11, *)
    public var thermalState: ThermalState { .nominal }
}

extension Notification.Name {
    /// Posted when Low Power Mode was turned on or off.
    @available(iOS 9, *)
    public static let NSProcessInfoPowerStateDidChange = Notification.Name(
        "NSProcessInfoPowerStateDidChangeNotification")
}
