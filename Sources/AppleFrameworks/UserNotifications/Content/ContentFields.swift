import Foundation

/// The sixteen properties of a notification's content, as a value: what copying, comparing and archiving work on.
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
    var userInfo: [AnyHashable: Any] = [:]
    var summaryArgument = ""
    var summaryArgumentCount = 1
    var targetContentIdentifier: String?
    var interruptionLevel = UNNotificationInterruptionLevel.active
    var relevanceScore = 0.0
    var filterCriteria: String?

    /// `userInfo` holds property-list values and `NSNull`, which `NSDictionary` knows how to compare.
    static func == (left: Self, right: Self) -> Bool {
        left.texts == right.texts && left.attachments == right.attachments && left.badge == right.badge
            && left.sound == right.sound && left.summaryArgumentCount == right.summaryArgumentCount
            && left.interruptionLevel == right.interruptionLevel && left.relevanceScore == right.relevanceScore
            && NSDictionary(dictionary: left.userInfo).isEqual(to: right.userInfo)
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
