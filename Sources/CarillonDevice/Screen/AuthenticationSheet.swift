/// The phone asks its owner to unlock it, because a notification's action needs that.
public struct AuthenticationSheet: Sendable, Hashable {
    /// The method by which the phone recognises its owner.
    public enum Method: String, Sendable, Hashable, Codable {
        case faceID = "Face ID"
        case touchID = "Touch ID"
    }

    /// The app whose notification it is.
    public let bundleID: String
    /// The identifier of the notification's request.
    public let notificationID: String
    /// The identifier of the action that waits.
    public let actionID: String
    /// The title of the action that waits.
    public let actionTitle: String
    /// The method: Touch ID on a phone with a home button, else Face ID.
    public let method: Method
    /// The text that the person has typed into a text action.
    let text: String?
}
