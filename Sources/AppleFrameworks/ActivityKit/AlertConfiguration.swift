import Foundation

/// The alert that accompanies an update of a Live Activity.
/// [AlertConfiguration](https://developer.apple.com/documentation/activitykit/alertconfiguration)
@available(iOS 16.1, *)
public struct AlertConfiguration: Equatable, Sendable {
    /// A sound. [AlertSound](https://developer.apple.com/documentation/activitykit/alertconfiguration/alertsound)
    public struct AlertSound: Equatable, Sendable {
        @_spi(Simulation) public let name: String

        /// The system's sound.
        public static var `default`: AlertConfiguration.AlertSound { AlertSound(name: "default") }

        /// A sound file of the app.
        public static func named(_ name: String) -> AlertConfiguration.AlertSound { AlertSound(name: name) }
    }

    /// A short title, which Apple Watch shows.
    public var title: LocalizedStringResource
    /// The text, which Apple Watch shows.
    public var body: LocalizedStringResource
    public var sound: AlertConfiguration.AlertSound

    public init(
        title: LocalizedStringResource, body: LocalizedStringResource, sound: AlertConfiguration.AlertSound
    ) {
        self.title = title
        self.body = body
        self.sound = sound
    }
}
