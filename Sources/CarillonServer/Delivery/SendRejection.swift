import CarillonCore

/// What APNs said when it did not take a push.
package struct SendRejection: Sendable, Hashable {
    var reason: APNsReason
    /// The HTTP status.
    var status: Int
    /// With 410: since when the token is not valid.
    var timestamp: Timestamp?

    package init(reason: APNsReason, status: Int, timestamp: Timestamp? = nil) {
        self.reason = reason
        self.status = status
        self.timestamp = timestamp
    }

    /// Whether it is the app's credential that APNs does not take.
    package var isAboutCredential: Bool { reason.remedy(status: status) == .fixCredential }
}
