import CarillonCore

/// The properties of a device that a condition may test.
package struct AudienceCandidate: Sendable, Hashable {
    package let facts: DeviceFacts
    /// The APNs environment of the device's token.
    package let environment: String
    /// The time of the device's last request.
    package let seen: Timestamp
    /// The locale in its normal spelling (``AudienceTest/locale(_:)``), so that it is converted once for all tests.
    let locale: String?
    /// The app's version as numbers, so that it is read once for all tests.
    let version: AppVersion?

    package init(facts: DeviceFacts, environment: String, seen: Timestamp) {
        (self.facts, self.environment, self.seen) = (facts, environment, seen)
        locale = facts.locale.map(AudienceTest.locale)
        version = facts.appVersion.flatMap(AppVersion.init)
    }
}

extension AudienceCandidate {
    /// Makes a candidate with only one known property, for a condition that tests no other property.
    ///
    /// - Parameters:
    ///   - field: the property.
    ///   - value: its value; `nil` if it is unknown too.
    init(_ field: ComparedField, _ value: String?) {
        var facts = DeviceFacts(permission: .notDetermined)
        switch field {
        case .locale: facts.locale = value
        case .timeZone: facts.timeZone = value
        case .version: facts.appVersion = value
        }
        self.init(facts: facts, environment: "", seen: Timestamp(millisecondsSince1970: 0))
    }
}
