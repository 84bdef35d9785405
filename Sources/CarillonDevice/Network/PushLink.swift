import CarillonCore
import Foundation

/// The phone's connection to a push service: the only source of remote notifications.
///
/// `carillon` connects it to the APNs simulator; a test can write its own in a few lines, or hand pushes to the phone directly.
/// All calls come from the phone, one at a time.
public protocol PushLink: AnyObject, Sendable {
    /// Gets a device token for an app that calls `registerForRemoteNotifications`.
    ///
    /// An app keeps its token on a phone until it is deleted.
    ///
    /// - Parameter request: the app and the phone.
    /// - Returns: the token; apps must not rely on its length.
    /// - Throws: the error that the app receives in `didFailToRegisterForRemoteNotificationsWithError`.
    func deviceToken(for request: TokenRequest) async throws -> Data

    /// Invalidates a token, because its app was deleted or has unregistered.
    func invalidate(_ token: Data) async

    /// Connects a phone that has a network: pushes go to `deliver` until ``disconnect(phone:)``, stored ones first.
    ///
    /// - Parameters:
    ///   - phone: the phone's ID.
    ///   - deliver: takes a push, on any thread.
    func connect(phone: String, deliver: @escaping @Sendable (IncomingPush) -> Void) async

    /// Disconnects a phone that has lost its network: nothing is delivered after this returns.
    ///
    /// - Parameter phone: the phone's ID.
    func disconnect(phone: String) async
}

/// A phone's request for the device token of one app.
public struct TokenRequest: Sendable, Hashable {
    /// The phone's ID: unique among the phones of one push service.
    public var phone: String
    /// The app's bundle ID; with the suffix `.voip` for a token of its PushKit registry.
    public var topic: String
    /// The APNs environment of the token: sandbox or production.
    public var environment: APNsEnvironment

    package init(phone: String, topic: String, environment: APNsEnvironment) {
        self.phone = phone
        self.topic = topic
        self.environment = environment
    }
}
