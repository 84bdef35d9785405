import Foundation

/// The sixteen properties of a notification's content, as a value for copying, comparing and archiving.
struct ContentFields: Hashable {
    var attachments: [UNNotificationAttachment] = []
    var badge: NSNumber?
    var body = ""
    var categoryIdentifier = ""
    var launchImageName = ""
    var sound: UNNotificationSound?
    var subtitle = ""
    var threadIdentifier = ""
    var title = ""
    var userInfo: [AnyHashable: Any] {
        get { carried.value }
        set { carried = CarriedUserInfo(made: newValue) }
    }
    private var carried = CarriedUserInfo.none
    var summaryArgument = ""
    var summaryArgumentCount = 1
    var targetContentIdentifier: String?
    var interruptionLevel = UNNotificationInterruptionLevel.active
    var relevanceScore = 0.0
    var filterCriteria: String?
    /// The sender and the recipients that an intent has given to the content; `nil` if no intent was applied.
    var communication: Communication?

    static func == (left: Self, right: Self) -> Bool {
        left.texts == right.texts && left.attachments == right.attachments && left.badge == right.badge
            && left.sound == right.sound && left.summaryArgumentCount == right.summaryArgumentCount
            && left.interruptionLevel == right.interruptionLevel && left.relevanceScore == right.relevanceScore
            && left.communication == right.communication
            && isSame(left.userInfo, right.userInfo)
    }

    /// Sets `userInfo` to the result of `make`, which is called at the first access.
    mutating func promiseUserInfo(_ make: @escaping @Sendable () -> [AnyHashable: Any]) {
        carried = CarriedUserInfo(promised: make)
    }

    /// Returns whether two values of a `userInfo` are equal.
    ///
    /// `NSDictionary.isEqual` is not used: on Linux, it treats a Swift dictionary or number as different from Foundation's
    /// dictionary or number with equal contents.
    private static func isSame(_ left: Any, _ right: Any) -> Bool {
        switch (left, right) {
        case (let left as [AnyHashable: Any], let right as [AnyHashable: Any]):
            left.count == right.count
                && left.allSatisfy { key, value in right[key].map { isSame(value, $0) } ?? false }
        case (let left as [Any], let right as [Any]):
            left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
        case (let left as String, let right as String): left == right
        case (let left as NSNumber, let right as NSNumber): left == right
        case (let left as AnyHashable, let right as AnyHashable): left == right
        default: false
        }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(texts)
        hasher.combine(badge)
        hasher.combine(userInfo.count)
    }

    private var texts: [String?] {
        [
            body, categoryIdentifier, launchImageName, subtitle, threadIdentifier, title, summaryArgument,
            targetContentIdentifier, filterCriteria,
        ]
    }
}
