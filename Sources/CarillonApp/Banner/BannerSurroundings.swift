import Foundation
import UIKit

/// What a banner must know of the person's settings.
@MainActor
public struct BannerSurroundings {
    public var isVoiceOverRunning: () -> Bool
    /// Then a banner fades instead of sliding.
    public var reducesMotion: () -> Bool
    /// Says a text through VoiceOver.
    public var announce: (String) -> Void

    public init(
        isVoiceOverRunning: @escaping () -> Bool, reducesMotion: @escaping () -> Bool,
        announce: @escaping (String) -> Void
    ) {
        self.isVoiceOverRunning = isVoiceOverRunning
        self.reducesMotion = reducesMotion
        self.announce = announce
    }

    /// The settings of the phone. Differs from iOS: the simulated phone has neither VoiceOver nor Reduce Motion.
    public static var system: BannerSurroundings {
        #if os(iOS)  // `UIAccessibility` is not part of the simulated UIKit.
            BannerSurroundings(
                isVoiceOverRunning: { UIAccessibility.isVoiceOverRunning },
                reducesMotion: { UIAccessibility.isReduceMotionEnabled },
                announce: { UIAccessibility.post(notification: .announcement, argument: $0) })
        #else
            BannerSurroundings(isVoiceOverRunning: { false }, reducesMotion: { false }, announce: { _ in })
        #endif
    }
}
