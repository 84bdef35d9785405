import CarillonCore

/// A certificate whose end is near, or has passed.
package struct EndingCredential: Sendable, Hashable {
    /// Whose pushes it signs.
    package let app: AppID
    /// From then on APNs refuses it.
    package let end: Timestamp
    /// A sentence with the end and what to do.
    package let advice: String

    /// - Parameters:
    ///   - app: whose pushes it signs.
    ///   - end: from then on APNs refuses it.
    ///   - advice: what to do.
    package init(app: AppID, end: Timestamp, advice: String) {
        self.app = app
        self.end = end
        self.advice = advice
    }
}
