import CarillonMessaging
import Foundation
import UIKit

/// The person's accessibility and language settings that a banner needs.
///
/// Each closure reads its setting anew, because people change settings while an app runs. A test passes closures of its own; an
/// app passes ``system``.
@MainActor
package struct BannerSurroundings {
    /// Returns whether VoiceOver runs; if so, a banner is announced and stays longer.
    package var isVoiceOverRunning: () -> Bool
    /// Returns whether Reduce Motion is on; if so, a banner fades instead of sliding.
    package var reducesMotion: () -> Bool
    /// Returns whether the interface runs from right to left; if so, ``BannerCard`` is mirrored.
    package var isRightToLeft: () -> Bool
    /// Returns the font for a text style, in the size that the person has chosen (Dynamic Type).
    package var font: (UIFont.TextStyle) -> UIFont
    /// Returns the identifier of the phone's language, such as `de-AT`; the banner shows the word "now" in this language.
    package var language: () -> String
    /// Speaks a text through VoiceOver.
    package var announce: (String) -> Void
    /// Makes VoiceOver move its focus to the app's screen; called when the focused banner is gone.
    package var returnFocus: () -> Void

    /// Makes settings from closures, all called on the main thread.
    ///
    /// - Parameters:
    ///   - isVoiceOverRunning: returns whether VoiceOver runs.
    ///   - reducesMotion: returns whether Reduce Motion is on.
    ///   - isRightToLeft: returns whether the interface runs from right to left.
    ///   - font: returns the font for a text style.
    ///   - language: returns the identifier of the phone's language.
    ///   - announce: speaks a text through VoiceOver.
    ///   - returnFocus: makes VoiceOver move its focus to the app's screen.
    package init(
        isVoiceOverRunning: @escaping () -> Bool, reducesMotion: @escaping () -> Bool,
        isRightToLeft: @escaping () -> Bool, font: @escaping (UIFont.TextStyle) -> UIFont,
        language: @escaping () -> String, announce: @escaping (String) -> Void, returnFocus: @escaping () -> Void
    ) {
        self.isVoiceOverRunning = isVoiceOverRunning
        self.reducesMotion = reducesMotion
        self.isRightToLeft = isRightToLeft
        self.font = font
        self.language = language
        self.announce = announce
        self.returnFocus = returnFocus
    }

    /// The settings of the phone, read from UIKit.
    package static var system: BannerSurroundings {
        BannerSurroundings(
            isVoiceOverRunning: { UIAccessibility.isVoiceOverRunning },
            reducesMotion: { UIAccessibility.isReduceMotionEnabled },
            isRightToLeft: { UIView.userInterfaceLayoutDirection(for: .unspecified) == .rightToLeft },
            font: { UIFont.preferredFont(forTextStyle: $0) },
            language: { AppPlatform.current(appGroup: nil).language() },
            announce: { UIAccessibility.post(notification: .announcement, argument: $0) },
            returnFocus: { UIAccessibility.post(notification: .layoutChanged, argument: nil) })
    }

    /// The word "now" in the phone's language, as iOS writes it.
    var now: String {
        Date.RelativeFormatStyle(
            presentation: .named, unitsStyle: .wide, locale: Locale(identifier: language()),
            calendar: Calendar(identifier: .gregorian), capitalizationContext: .standalone
        ).format(Date(timeIntervalSinceNow: 0))
    }
}
