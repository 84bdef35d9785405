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

/// Who asks for a device token.
public struct TokenRequest: Sendable, Hashable {
    /// The phone's id: unique among the phones of one push service.
    public var phone: String
    /// The app's bundle id.
    public var topic: String
    public var environment: APNsEnvironment

    public init(phone: String, topic: String, environment: APNsEnvironment) {
        self.phone = phone
        self.topic = topic
        self.environment = environment
    }
}

/// A push as it comes over the air.
public struct IncomingPush: Sendable, Hashable {
    public var topic: String
    public var pushType: PushType
    /// The JSON as it was sent, byte for byte.
    public var payload: Data
    public var collapseID: String?
    public var apnsID: UUID
    /// 10, 5 or 1.
    public var priority: Int

    public init(
        topic: String, pushType: PushType, payload: Data, collapseID: String? = nil, apnsID: UUID, priority: Int = 10
    ) {
        self.topic = topic
        self.pushType = pushType
        self.payload = payload
        self.collapseID = collapseID
        self.apnsID = apnsID
        self.priority = priority
    }
}
