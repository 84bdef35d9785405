import CarillonCore
import Foundation

/// A connection to a simulated APNs, from which a phone gets device tokens and pushes.
///
/// The program `carillon` connects its phones to the APNs simulator. A test can write a connection of its own in a few lines,
/// or deliver pushes with ``Phone/receive(_:)``. Only the phone calls these methods.
public protocol PushLink: AnyObject, Sendable {
    /// Gets a device token for an app that calls `registerForRemoteNotifications`, or a token of another kind.
    ///
    /// The phone expects an equal token for each request of an app, until the phone invalidates the token, unless the request asks
    /// for a new token (``TokenRequest/isNew``).
    ///
    /// - Parameter request: the app and the phone.
    /// - Returns: the token; apps must not rely on its length.
    /// - Throws: the error that the app receives in `didFailToRegisterForRemoteNotificationsWithError`.
    func deviceToken(for request: TokenRequest) async throws -> Data

    /// Makes a phone's app follow these broadcast channels and no others.
    ///
    /// - Parameters:
    ///   - channels: the channels' IDs; empty to follow none.
    ///   - bundleID: the app.
    ///   - phone: the phone's ID.
    /// - Throws: an error that says why the app cannot follow one of the channels. The phone notes it in its trace.
    func follow(_ channels: [String], of bundleID: String, phone: String) async throws

    /// Invalidates a token after its app was deleted or has unregistered.
    func invalidate(_ token: Data) async

    /// Connects a phone that has a network, and delivers pushes, stored ones first, until ``disconnect(phone:)``.
    ///
    /// - Parameters:
    ///   - phone: the phone's ID.
    ///   - deliver: called with each push, on any thread.
    func connect(phone: String, deliver: @escaping @Sendable (IncomingPush) -> Void) async

    /// Disconnects a phone that has lost its network; the phone receives no push after this method has returned.
    ///
    /// - Parameter phone: the phone's ID.
    func disconnect(phone: String) async
}

/// A phone's request for the device token of one app.
public struct TokenRequest: Sendable, Hashable {
    /// The phone's ID, unique among the phones of one simulated APNs.
    public var phone: String
    /// The app's bundle ID, followed by `.voip` in a request for a VoIP token.
    ///
    /// In a request for the token of a Live Activity, of widgets or of a control, the suffix of the push type follows.
    public var topic: String
    /// The APNs environment of the token: sandbox or production.
    public var environment: APNsEnvironment
    /// Whether the token must be new although the app has one for this topic: each Live Activity has a token of its own.
    public var isNew: Bool

    package init(phone: String, topic: String, environment: APNsEnvironment, isNew: Bool = false) {
        self.phone = phone
        self.topic = topic
        self.environment = environment
        self.isNew = isNew
    }
}
