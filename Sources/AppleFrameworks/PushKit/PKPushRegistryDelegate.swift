import Foundation
@_spi(Simulation) import UserNotifications

/// The methods by which an app receives tokens and pushes. Only `pushRegistry(_:didUpdate:for:)` is required.
/// [PKPushRegistryDelegate](https://developer.apple.com/documentation/pushkit/pkpushregistrydelegate)
public protocol PKPushRegistryDelegate: NSObjectProtocol {
    /// Called with a new token, including the first one.
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType)

    /// Called for a push. A push for a call must be reported to CallKit: otherwise the system terminates the app.
    @available(iOS 11, *)
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping @Sendable () -> Void)
    /// Called for a push: the async form of the method that has the parameter `completion`.
    ///
    /// A method in the form of iOS 8 to 10, with neither `completion` nor `async`, also implements this requirement.
    @available(iOS 11, *)
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType) async

    /// Called when a token becomes invalid: pushes to this token no longer arrive.
    func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType)
}

extension PKPushRegistryDelegate {
    @available(iOS 11, *)
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        let call = UncheckedPush(delegate: self, registry: registry, payload: payload)
        OptionalMethod("didReceiveIncomingPushWith", of: self).completionFormIsMissing {
            await call.delegate.pushRegistry(call.registry, didReceiveIncomingPushWith: call.payload, for: type)
            completion()
        } neither: {
            completion()
        }
    }

    @available(iOS 11, *)
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType
    ) async {
        _ = await OptionalMethod("didReceiveIncomingPushWith", of: self).asyncFormIsMissing { answer in
            pushRegistry(registry, didReceiveIncomingPushWith: payload, for: type) { answer(true) }
        }
    }

    public func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {}
}

/// The arguments of a delegate method, passed into a task.
///
/// `@unchecked`: Apple's PushKit, too, passes these objects to another thread although they are not Sendable.
private struct UncheckedPush: @unchecked Sendable {
    let delegate: any PKPushRegistryDelegate
    let registry: PKPushRegistry
    let payload: PKPushPayload
}
