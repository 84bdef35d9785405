import CarillonCore

/// The properties of a device that a condition may test.
package struct AudienceCandidate: Sendable, Hashable {
    package var facts: DeviceFacts
    /// The APNs environment of the device's token.
    package var environment: String
    /// The time of the device's last request.
    package var seen: Timestamp
}
