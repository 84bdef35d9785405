/// The checks of a request, in the order in which the simulator makes them.
///
/// Apple documents no order. This order begins with the checks that depend on the fewest facts.
public enum RequestCheck: String, Sendable, Hashable, CaseIterable, Codable {
    /// No fault of the plan or a script applies to the request.
    case fault
    /// `:path` is one of APNs' paths.
    case path
    /// The path allows `:method`.
    case method
    /// No header that APNs reads occurs twice.
    case duplicateHeaders
    /// `apns-id` is a UUID.
    case messageID
    /// The client certificate, or the provider token in `authorization`, is valid.
    case credential
    /// `apns-push-type` is valid, and the credential may send it.
    case pushType
    /// The push type allows `apns-priority`.
    case priority
    /// `apns-expiration` is a number of seconds.
    case expiration
    /// `apns-collapse-id` has at most 64 bytes.
    case collapseID
    /// `apns-topic` is valid, and the credential covers it.
    case topic
    /// The body has an allowed size and is a JSON dictionary with `aps`.
    case payload
    /// The device token is well-formed.
    case deviceToken
    /// The device token is known and valid for this app and environment.
    ///
    /// For a broadcast, its channel is known and belongs to this app.
    case registration
    /// The device token is within ``DeliveryRules/requestBudget``.
    case rate
}
