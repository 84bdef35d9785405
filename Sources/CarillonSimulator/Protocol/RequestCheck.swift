/// The checks of a request, in the order in which the simulator makes them.
///
/// Apple documents no order; this one begins with what needs the least knowledge.
public enum RequestCheck: String, Sendable, Hashable, CaseIterable, Codable {
    /// The fault plan or a script.
    case fault
    /// `:path` is one of APNs'.
    case path
    /// `:method` is the path's.
    case method
    /// No header that APNs reads comes twice.
    case duplicateHeaders
    /// `apns-id` is a UUID.
    case messageID
    /// The client certificate, or the provider token in `authorization`.
    case credential
    /// `apns-push-type`, and whether the credential may send it.
    case pushType
    /// `apns-priority`.
    case priority
    /// `apns-expiration`.
    case expiration
    /// `apns-collapse-id`.
    case collapseID
    /// `apns-topic`, and whether the credential covers it.
    case topic
    /// The body: its size, and that it is a JSON dictionary with `aps`.
    case payload
    /// The device token's form.
    case deviceToken
    /// Whether the device token is known and valid, for this app and environment; for a broadcast its channel.
    case registration
    /// ``DeliveryRules/requestBudget``.
    case rate
}
