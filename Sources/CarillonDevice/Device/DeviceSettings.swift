import Foundation
import UIKit

/// The settings that a person changes on the phone itself, by a switch or in Settings.
///
/// The defaults are those of a new phone.
struct DeviceSettings: Sendable, Hashable {
    var isFocusOn = false
    /// The handles and identifiers of the people that a Focus lets through.
    var peopleAllowedInFocus: Set<String> = []
    var isMuted = false
    var isLowPowerModeOn = false
    var isVoiceOverRunning = false
    var isReduceMotionOn = false
    var isDarkModeOn = false
    /// The hours of the scheduled summary: full hours of the day.
    var summaryHours = IOSLimits.summaryHours
    /// Language and region.
    var locale: Locale

    var interfaceStyle: UIUserInterfaceStyle { isDarkModeOn ? .dark : .light }
}
