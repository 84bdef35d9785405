import Foundation
import UIKit

/// The person's accessibility and language settings that a banner needs.
///
/// Each setting is read anew at each use, because people change settings while an app runs. A test passes closures of its own;
/// an app passes ``system``.
@MainActor
package struct BannerSurroundings {
    /// Whether VoiceOver runs: then a banner is announced and stays longer.
    package var isVoiceOverRunning: () -> Bool
    /// Whether Reduce Motion is on: then a banner fades instead of sliding.
    package var reducesMotion: () -> Bool
    /// Whether the interface runs from right to left: then ``BannerCard`` is mirrored.
    package var isRightToLeft: () -> Bool
    /// The font for a text style, in the size that the person has chosen (Dynamic Type).
    package var font: (UIFont.TextStyle) -> UIFont
    /// Speaks a text through VoiceOver.
    package var announce: (String) -> Void

    /// Makes settings from closures, all called on the main thread.
    ///
    /// - Parameters:
    ///   - isVoiceOverRunning: whether VoiceOver runs.
    ///   - reducesMotion: whether Reduce Motion is on.
    ///   - isRightToLeft: whether the interface runs from right to left.
    ///   - font: the font for a text style.
    ///   - announce: speaks a text through VoiceOver.
    package init(
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

    /// The settings of the phone, read from UIKit.
    package static var system: BannerSurroundings {
        BannerSurroundings(
            isVoiceOverRunning: { UIAccessibility.isVoiceOverRunning },
            reducesMotion: { UIAccessibility.isReduceMotionEnabled },
            isRightToLeft: { UIView.userInterfaceLayoutDirection(for: .unspecified) == .rightToLeft },
            font: { UIFont.preferredFont(forTextStyle: $0) },
            announce: { UIAccessibility.post(notification: .announcement, argument: $0) })
    }
}
