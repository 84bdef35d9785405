import Foundation
@_spi(Simulation) import UserNotifications

/// A generator of haptics, which the phone records.
/// [UIFeedbackGenerator](https://developer.apple.com/documentation/uikit/uifeedbackgenerator)
@MainActor @preconcurrency open class UIFeedbackGenerator: NSObject {
    open func prepare() {}

    func note(_ haptic: String) {
        let process = SimulatedDevices.currentProcess as? any SimulatedAppProcess
        process?.application.backend.noticed(.haptic(haptic))
    }
}

@MainActor @preconcurrency public class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum FeedbackType: Int, Sendable {
        case success = 0
        case warning = 1
        case error = 2
    }

    public func notificationOccurred(_ notificationType: FeedbackType) { note("notification \(notificationType)") }
}

@MainActor @preconcurrency public class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum FeedbackStyle: Int, Sendable {
        case light = 0
        case medium = 1
        case heavy = 2
        case soft = 3
        case rigid = 4
    }

    private let style: FeedbackStyle

    public init(style: FeedbackStyle) { self.style = style }

    public override convenience init() { self.init(style: .medium) }

    public func impactOccurred() { note("impact \(style)") }
    /// Plays haptic feedback in the generator's style; the phone only records it.
    ///
    /// - Parameter intensity: the strength of the haptic, 0…1.
    public func impactOccurred(intensity: CGFloat) { note("impact \(style) \(intensity)") }
}

@MainActor @preconcurrency public class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    public func selectionChanged() { note("selection") }
}
