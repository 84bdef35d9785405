import Foundation
import UIKit

/// What a person sets on the phone itself, by a switch or in Settings: what a new phone has are the defaults.
struct DeviceSettings: Sendable, Hashable {
    var isFocusOn = false
    /// Handles and identifiers of the people whom a Focus lets through.
    var peopleAllowedInFocus: Set<String> = []
    var isMuted = false
    var isLowPowerModeOn = false
    var isVoiceOverRunning = false
    var isReduceMotionOn = false
    var isDarkModeOn = false
    /// When the scheduled summary comes: full hours of the day.
    var summaryHours = IOSLimits.summaryHours
    /// Language and region.
    var locale: Locale

    var interfaceStyle: UIUserInterfaceStyle { isDarkModeOn ? .dark : .light }
}
