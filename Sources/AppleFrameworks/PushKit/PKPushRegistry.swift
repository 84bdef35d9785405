import Foundation
import Synchronization
@_spi(Simulation) import UserNotifications

/// The object through which an app requests and receives pushes that bypass the notification center.
/// [PKPushRegistry](https://developer.apple.com/documentation/pushkit/pkpushregistry)
///
/// Differs from iOS: only tokens and pushes for calls (`voIP`) are supported.
open class PKPushRegistry: NSObject {
    /// The queue on which the delegate is called; `nil` means the main queue.
    private let queue: DispatchQueue?
    private weak let host: (any PushRegistryHost)?
    private let desired = Mutex<Set<PKPushType>?>(nil)

    open weak var delegate: (any PKPushRegistryDelegate)?

    /// The kinds of push that the app requests.
    ///
    /// Adding a kind requests a token for it, and the delegate receives the token. After a kind is removed, its pushes no
    /// longer arrive.
    open var desiredPushTypes: Set<PKPushType>? {
        get { desired.withLock { $0 } }
        set {
            desired.withLock { $0 = newValue }
            host?.desiresChanged(of: self)
        }
    }

    /// Makes a registry that requests no pushes yet.
    ///
    /// - Parameter queue: the queue on which the delegate is called; `nil` means the main queue.
    public init(queue: DispatchQueue?) {
        self.queue = queue
        host = SimulatedDevices.currentProcess as? any PushRegistryHost
        super.init()
        host?.made(self)
    }

    /// Returns the newest token for a type.
    ///
    /// - Returns: `nil` if the type is not requested, or has no token.
    open func pushToken(for type: PKPushType) -> Data? {
        guard desiredPushTypes?.contains(type) ?? false else { return nil }
        return host?.pushToken(for: type)
    }

    /// Calls the delegate on the registry's queue.
    ///
    /// - Parameter missing: called instead if the delegate no longer exists.
    @_spi(Simulation) public func callDelegate(
        _ body: @escaping (any PKPushRegistryDelegate, PKPushRegistry) -> Void, missing: @escaping () -> Void = {}
    ) {
        let call = UncheckedCall { [self] in
            if let delegate { body(delegate, self) } else { missing() }
        }
        if let queue { queue.async { call.body() } } else { call.body() }
    }
}

/// A callback into the app's code, which runs on the queue that the app has chosen.
///
/// `@unchecked`: Apple's PushKit, too, runs callbacks that are not Sendable on that queue.
private struct UncheckedCall: @unchecked Sendable {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
}
