/// The checks of a request, in the order in which the simulator makes them.
///
/// Apple documents no order. This order begins with the checks that need the least information.
public enum RequestCheck: String, Sendable, Hashable, CaseIterable, Codable {
    /// Checks that no fault of the plan or of a script applies to the request.
    case fault
    /// Checks that `:path` is one of APNs' paths.
    case path
    /// Checks that `:method` is allowed for the path.
    case method
    /// Checks that no header that APNs reads occurs twice.
    case duplicateHeaders
    /// Checks that `apns-id` is a UUID.
    case messageID
    /// Checks the client certificate, or the provider token in `authorization`.
    case credential
    /// Checks that `apns-push-type` is valid, and that the credential may send this type.
    case pushType
    /// Checks that the push type allows the value of `apns-priority`.
    case priority
    /// Checks that `apns-expiration` is a number of seconds.
    case expiration
    /// Checks that `apns-collapse-id` has at most 64 bytes.
    case collapseID
    /// Checks that `apns-topic` is valid, and that the credential may send to this topic.
    case topic
    /// Checks that the body has an allowed size and is a JSON dictionary with `aps`.
    case payload
    /// Checks that the device token is well-formed.
    case deviceToken
    /// Checks that the device token is known, and valid for this app and environment.
    ///
    /// For a broadcast, the check is that the channel is known and belongs to this app.
    case registration
    /// Checks that the requests for the device token are within ``DeliveryRules/requestBudget``.
    case rate
}
