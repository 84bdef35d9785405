import CarillonCore

/// What an audience asks of a device.
package struct AudienceCandidate: Sendable, Hashable {
    package var facts: DeviceFacts
    /// APNs' environment of its token.
    package var environment: String
    /// When it was last heard of.
    package var seen: Timestamp
}
