import UserNotifications

/// The answer to an app that sets its badge.
struct BadgeAnswer {
    /// The error that the app gets; `nil` if the badge is set.
    let error: UNError?
    /// Whether the number on the icon goes although the app gets an error.
    ///
    /// An app that may have no badge can still clear the one that a reinstall brought back, as [reported by
    /// OneSignal](https://github.com/OneSignal/OneSignal-iOS-SDK/pull/939).
    let clears: Bool

    init(to count: Int, isAllowed: Bool) {
        clears = count == 0 && !isAllowed
        error = count < 0 ? UNError(.badgeInputInvalid) : isAllowed ? nil : UNError(.notificationsNotAllowed)
    }
}
