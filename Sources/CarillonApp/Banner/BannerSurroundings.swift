import Foundation
import UIKit

/// What a banner must know of the person's settings.
@MainActor
public struct BannerSurroundings {
    public var isVoiceOverRunning: () -> Bool
    /// Then a banner fades instead of sliding.
    public var reducesMotion: () -> Bool
    /// Whether people here read from right to left.
    public var isRightToLeft: () -> Bool
    /// The font for a style of text, as large as the person wants it (Dynamic Type).
    public var font: (UIFont.TextStyle) -> UIFont
    /// Says a text through VoiceOver.
    public var announce: (String) -> Void

    public init(
        isVoiceOverRunning: @escaping () -> Bool, reducesMotion: @escaping () -> Bool,
        isRightToLeft: @escaping () -> Bool, font: @escaping (UIFont.TextStyle) -> UIFont,
        announce: @escaping (String) -> Void
    ) {
        self.isVoiceOverRunning = isVoiceOverRunning
        self.reducesMotion = reducesMotion
        self.isRightToLeft = isRightToLeft
        self.font = font
        self.announce = announce
    }

    /// The settings of the phone.
    public static var system: BannerSurroundings {
        BannerSurroundings(
            isVoiceOverRunning: { UIAccessibility.isVoiceOverRunning },
            reducesMotion: { UIAccessibility.isReduceMotionEnabled },
            isRightToLeft: { UIView.userInterfaceLayoutDirection(for: .unspecified) == .rightToLeft },
            font: { UIFont.preferredFont(forTextStyle: $0) },
            announce: { UIAccessibility.post(notification: .announcement, argument: $0) })
    }
}
