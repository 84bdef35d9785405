import Foundation
@_spi(Simulation) import UserNotifications

/// The state of assistive technologies, and the notifications for them.
/// [UIAccessibility](https://developer.apple.com/documentation/uikit/uiaccessibility)
@MainActor @preconcurrency public enum UIAccessibility {
    public struct Notification: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public static let screenChanged = Self(rawValue: 1000)
        public static let layoutChanged = Self(rawValue: 1001)
        public static let announcement = Self(rawValue: 1008)
    }

    public static var isVoiceOverRunning: Bool { backend?.isVoiceOverRunning ?? false }
    public static var isReduceMotionEnabled: Bool { backend?.isReduceMotionOn ?? false }

    /// Posts a notification. The phone records announcements. Other notifications have no effect, because the phone has no
    /// VoiceOver focus.
    public static func post(notification: Notification, argument: Any?) {
        guard notification == .announcement, let text = argument as? String else { return }
        backend?.noticed(.announcement(text))
    }

    public nonisolated static let voiceOverStatusDidChangeNotification = Foundation.Notification.Name(
        "UIAccessibilityVoiceOverStatusDidChangeNotification")

    public nonisolated static let reduceMotionStatusDidChangeNotification = Foundation.Notification.Name(
        "UIAccessibilityReduceMotionStatusDidChangeNotification")

    private static var backend: (any ApplicationBackend)? {
        (SimulatedDevices.currentProcess as? any SimulatedAppProcess)?.application.backend
    }
}
