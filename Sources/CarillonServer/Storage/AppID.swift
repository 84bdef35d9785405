import CarillonCore

/// One app in one of Apple's two worlds: what a credential is good for.
package struct AppID: Sendable, Hashable, CustomStringConvertible {
    package var topic: String
    package var environment: APNsEnvironment

    package init(topic: String, environment: APNsEnvironment) {
        self.topic = topic
        self.environment = environment
    }

    package var description: String { "\(topic) (\(environment.rawValue))" }
}
