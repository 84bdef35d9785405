import CarillonCore
import Foundation

/// The phone's connection to a push service: the only way in for remote notifications.
///
/// `carillon` joins it to the APNs simulator; a test can write its own in a few lines, or hand pushes to the phone
/// directly. All calls come from the phone, one at a time.
public protocol PushLink: AnyObject, Sendable {
    /// A device token for an app on this phone, as `registerForRemoteNotifications` asks for it. The same app on the
    /// same phone gets the same token until it is deleted.
    func deviceToken(for request: TokenRequest) async throws -> Data

    /// The app was deleted or has unregistered: its token is no longer valid.
    func invalidate(_ token: Data) async

    /// The phone has a network: what was kept for it, then what arrives, goes to `deliver` until ``disconnect(phone:)``.
    func connect(phone: String, deliver: @escaping @Sendable (IncomingPush) -> Void) async

    /// The phone has no network any more: nothing is delivered after this returns.
    func disconnect(phone: String) async
}
