import CarillonAPNs
import CarillonCore

/// The topic of a push from the command line.
///
/// The value of the option `--topic` is the app's bundle id, or the whole topic with the push type's suffix.
package struct PushTopic: Sendable, Hashable {
    private let given: String
    private let pushType: PushType

    /// Makes a topic from the value of the option `--topic`.
    ///
    /// - Parameters:
    ///   - given: the app's bundle id, or the whole topic.
    ///   - pushType: the type of the push, which decides the suffix.
    package init(given: String, pushType: PushType) {
        self.given = given
        self.pushType = pushType
    }

    /// Whether the command-line option's value already ends with the push type's suffix.
    private var isWhole: Bool { !pushType.topicSuffix.isEmpty && given.hasSuffix(pushType.topicSuffix) }

    /// The topic that the push carries, with the push type's suffix.
    package var sent: String { isWhole ? given : APNsNotification.topic(bundleID: given, pushType: pushType) }

    /// The app's bundle id, without the push type's suffix.
    package var bundleID: String { isWhole ? String(given.dropLast(pushType.topicSuffix.count)) : given }

    /// Returns advice on a rejection that concerns the topic; `nil` for any other rejection.
    package func advice(on rejection: APNsRejection) -> String? {
        let reasons: [APNsReason] = [.topicDisallowed, .badTopic, .deviceTokenNotForTopic]
        guard reasons.contains(rejection.reason) else { return nil }
        if isWhole {
            return
                "The topic \(sent) was sent as it was given, since it ends with \(pushType.topicSuffix). If it is the app's "
                + "bundle id, give \(given)\(pushType.topicSuffix). \(rejection.remedy.advice)"
        }
        let others = PushType.allCases.filter { !$0.topicSuffix.isEmpty }
        if let other = others.first(where: { given.hasSuffix($0.topicSuffix) }) {
            return "The topic \(sent) has the suffix of the push type \(other.rawValue), and the push type was "
                + "\(pushType.rawValue): give --push-type \(other.rawValue), or the bundle id alone. \(rejection.remedy.advice)"
        }
        return "The topic was \(sent). \(rejection.remedy.advice)"
    }
}
