/// The demands of APNs on a push of each type: the table "apns-push-type" of
/// [Sending notification requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).
///
/// This table is the simulator's own, separate from the one that senders use.
struct PushTypeRule: Sendable, Hashable {
    enum Credential: Sendable { case any, tokenOnly, certificateOnly }

    /// The suffix that the topic must have after the app's bundle id.
    var topicSuffix = ""
    var payloadByteLimit = 4096
    var credential = Credential.any
    /// Whether the payload must have an `aps` with content.
    ///
    /// A device-management push has an `mdm` key instead of `aps`. A location push has an empty one, as Apple shows it. The
    /// app behind a complication, a call or a file provider asks its own server.
    var needsAps = true
    /// Whether priority 10 is allowed; for background pushes "specifying 10 is an error".
    var allowsImmediatePriority = true

    static let liveActivitySuffix = ".push-type.liveactivity"

    static let byName: [String: PushTypeRule] = [
        "alert": PushTypeRule(),
        "background": PushTypeRule(allowsImmediatePriority: false),
        "complication": PushTypeRule(topicSuffix: ".complication", needsAps: false),
        "controls": PushTypeRule(topicSuffix: ".push-type.controls"),
        "fileprovider": PushTypeRule(topicSuffix: ".pushkit.fileprovider", needsAps: false),
        "liveactivity": PushTypeRule(topicSuffix: liveActivitySuffix),
        "location": PushTypeRule(topicSuffix: ".location-query", credential: .tokenOnly, needsAps: false),
        "mdm": PushTypeRule(credential: .certificateOnly, needsAps: false),
        "pushtotalk": PushTypeRule(topicSuffix: ".voip-ptt", needsAps: false),
        "voip": PushTypeRule(topicSuffix: ".voip", payloadByteLimit: 5120, needsAps: false),
        "widgets": PushTypeRule(topicSuffix: ".push-type.widgets"),
    ]
}
