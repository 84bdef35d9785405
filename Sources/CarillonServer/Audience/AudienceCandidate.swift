import CarillonCore

/// The properties of a device that an audience's condition may test.
package struct AudienceCandidate: Sendable, Hashable {
    package var facts: DeviceFacts
    /// The APNs environment of its token.
    package var environment: String
    /// The time of its last request.
    package var seen: Timestamp
}
