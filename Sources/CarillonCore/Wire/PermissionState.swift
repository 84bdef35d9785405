/// What the person has allowed, as the service needs to know it
/// ([UNAuthorizationStatus](https://developer.apple.com/documentation/usernotifications/unauthorizationstatus)).
public enum PermissionState: String, Sendable, Hashable, CaseIterable, Codable {
    /// The person has not been asked yet.
    case notDetermined = "not-determined"
    /// The person has refused, or has switched notifications off in Settings.
    case denied
    /// The person has agreed.
    case authorized
    /// Notifications go quietly to the list until the person decides.
    case provisional
    /// An App Clip may notify for a limited time.
    case ephemeral
}
