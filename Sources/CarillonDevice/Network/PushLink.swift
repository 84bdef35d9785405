import CarillonCore
import Foundation

/// The phone's connection to a push service: the only way in for remote notifications.
///
/// `carillon` joins it to the APNs simulator; a test can write its own in a few lines, or hand pushes to the phone
/// directly. All calls come from the phone, one at a time.
public protocol PushLink: AnyObject, Sendable {
    /// Gets a device token for an app, as `registerForRemoteNotifications` asks for it.
    ///
    /// An app keeps its token on a phone until it is deleted.
    ///
    /// - Parameter request: the app and the phone.
    /// - Returns: the token; apps must not count on any length.
    /// - Throws: the error that the app is told by `didFailToRegisterForRemoteNotificationsWithError`.
    func deviceToken(for request: TokenRequest) async throws -> Data

    /// Takes back a token: its app was deleted or has unregistered.
    func invalidate(_ token: Data) async

    /// Connects a phone that has a network: pushes go to `deliver` until ``disconnect(phone:)``, kept ones first.
    ///
    /// - Parameters:
    ///   - phone: the phone's ID.
    ///   - deliver: takes a push, from any thread.
    func connect(phone: String, deliver: @escaping @Sendable (IncomingPush) -> Void) async

    /// Disconnects a phone that has lost its network: nothing is delivered after this returns.
    ///
    /// - Parameter phone: the phone's ID.
    func disconnect(phone: String) async
}
