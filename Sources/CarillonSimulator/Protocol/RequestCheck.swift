/// The checks of a request, in the order in which the simulator makes them.
///
/// Apple documents no order; this order begins with the checks that need the least knowledge.
public enum RequestCheck: String, Sendable, Hashable, CaseIterable, Codable {
    /// The fault plan or a script has chosen this request.
    case fault
    /// `:path` is one of APNs' paths.
    case path
    /// `:method` is the one of this path.
    case method
    /// No header that APNs reads comes twice.
    case duplicateHeaders
    /// `apns-id` is a UUID.
    case messageID
    /// The client certificate, or the provider token in `authorization`.
    case credential
    /// `apns-push-type`, and whether the credential may send it.
    case pushType
    /// `apns-priority` is one that the push type allows.
    case priority
    /// `apns-expiration` is a number of seconds.
    case expiration
    /// `apns-collapse-id` has at most 64 bytes.
    case collapseID
    /// `apns-topic`, and whether the credential covers it.
    case topic
    /// The body: its size, and that it is a JSON dictionary with `aps`.
    case payload
    /// The device token is well-formed.
    case deviceToken
    /// Whether the device token is known and valid, for this app and environment; for a broadcast its channel.
    case registration
    /// The device token is within ``DeliveryRules/requestBudget``.
    case rate
}
