import CarillonDevice

/// A rule of iOS that Apple's documentation leaves open, with a switch under Developer in a phone's Settings.
enum PageRule: String, CaseIterable, Sendable {
    case fetchAgain = "rule-fetch-again"
    case olderMethod = "rule-older-method"
    case fallBack = "rule-fall-back"
    case throttle = "rule-throttle"

    /// The greatest number of silent pushes that wake an app within an hour while ``throttle`` is on, as Apple advises senders.
    private static let silentWakesPerHour = 2

    var title: String {
        switch self {
        case .fetchAgain: "A tap calls the fetch handler again"
        case .olderMethod: "A tap calls the older method"
        case .fallBack: "In front without willPresent: the fetch handler"
        case .throttle: "Two silent pushes an hour"
        }
    }

    func isOn(in rules: PhoneRules) -> Bool {
        switch self {
        case .fetchAgain: rules.openingCallsFetchHandlerAgain
        case .olderMethod: rules.openingCallsOlderMethod
        case .fallBack: rules.plainAlertFallsBackWithoutWillPresent
        case .throttle: rules.silentWakesPerHour != nil
        }
    }

    func set(_ isOn: Bool, in rules: inout PhoneRules) {
        switch self {
        case .fetchAgain: rules.openingCallsFetchHandlerAgain = isOn
        case .olderMethod: rules.openingCallsOlderMethod = isOn
        case .fallBack: rules.plainAlertFallsBackWithoutWillPresent = isOn
        case .throttle: rules.silentWakesPerHour = isOn ? Self.silentWakesPerHour : nil
        }
    }
}
