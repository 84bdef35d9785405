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

    /// Called for a VoIP push in the place of the methods above. The app must report a call if the metadata says so: otherwise the
    /// system terminates the app.
    /// [Apple's page](https://developer.apple.com/documentation/pushkit/pkpushregistrydelegate/pushregistry(_:didreceiveincomingvoippushwith:metadata:withcompletionhandler:))
    @available(iOS 26.4, *)
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata, withCompletionHandler completion: @escaping @Sendable () -> Void)
    /// Called for a VoIP push: the async form of the method that has the parameter `completion`.
    @available(iOS 26.4, *)
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload, metadata: PKVoIPPushMetadata
    ) async

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

    @available(iOS 26.4, *)
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata, withCompletionHandler completion: @escaping @Sendable () -> Void
    ) {
        let call = UncheckedPush(delegate: self, registry: registry, payload: payload)
        OptionalMethod("didReceiveIncomingVoIPPushWith", of: self).completionFormIsMissing {
            let methods = OptionalMethod.Call(of: call.delegate)
            await OptionalMethod.$call.withValue(methods) {
                await call.delegate.pushRegistry(
                    call.registry, didReceiveIncomingVoIPPushWith: call.payload, metadata: metadata)
            }
            // The older method calls the handler.
            guard !methods.isMissing("didReceiveIncomingVoIPPushWith") else { return metadata.isUnimplemented() }
            completion()
        } neither: {
        }
    }

    @available(iOS 26.4, *)
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload, metadata: PKVoIPPushMetadata
    ) async {
        _ = await OptionalMethod("didReceiveIncomingVoIPPushWith", of: self).asyncFormIsMissing { answer in
            pushRegistry(registry, didReceiveIncomingVoIPPushWith: payload, metadata: metadata) { answer(true) }
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
