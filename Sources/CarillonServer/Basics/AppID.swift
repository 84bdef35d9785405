import CarillonCore

/// An app in one of APNs' two environments, development and production.
///
/// An app has a separate credential for each environment.
package struct AppID: Sendable, Hashable, CustomStringConvertible {
    /// The app's bundle id.
    package var topic: String
    package var environment: APNsEnvironment

    package init(topic: String, environment: APNsEnvironment) {
        self.topic = topic
        self.environment = environment
    }

    package var description: String { "\(topic) (\(environment.rawValue))" }
}
