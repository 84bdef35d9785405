import CarillonCore

/// A version of a named message, which requests to send can name in the place of writing its content.
package struct MessageTemplate: Sendable, Hashable {
    package var name: String
    /// The version: 1 at first, and one more for each change.
    package var version: Int
    /// The members that the template adds to the body of `POST /v1/notifications`.
    package var message: JSONObject
    package var changed: Timestamp
    /// The key or program that has made this version.
    package var actor: String

    /// The entity tag of the version.
    var tag: String { "\"\(version)\"" }
}

/// The outcome of storing a template.
package enum TemplateStorage: Sendable, Hashable {
    case stored(MessageTemplate)
    /// The newest version has this content already.
    case unchanged(MessageTemplate)
    /// The app has ``StoreLimits/templatesPerApp`` templates already.
    case areTooMany
}
