import Foundation
@_spi(Simulation) import UserNotifications

/// Lets a service extension report an incoming call that a push announces, for instance after decrypting the push.
extension CXProvider {
    /// Makes the system launch the app and deliver the payload as a VoIP push.
    ///
    /// - Parameters:
    ///   - dictionaryPayload: the payload, of values that JSON can express. Differs from iOS: dates and data are refused with
    ///     the error `unknown`.
    ///   - completion: called with ``CXErrorCodeNotificationServiceExtensionError`` if the payload does not reach the app.
    @available(iOS 14.5, *)
    @preconcurrency public class func reportNewIncomingVoIPPushPayload(
        _ dictionaryPayload: [AnyHashable: Any], completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        guard let host = SimulatedDevices.currentProcess as? any VoIPPushHost else {
            completion?(CXErrorCodeNotificationServiceExtensionError(.invalidClientProcess))
            return
        }
        let members = dictionaryPayload.reduce(into: [String: Any]()) { members, member in
            members[member.key as? String ?? "\(member.key)"] = member.value
        }
        guard JSONSerialization.isValidJSONObject(members),
            let payload = try? JSONSerialization.data(withJSONObject: members)
        else {
            completion?(CXErrorCodeNotificationServiceExtensionError(.unknown))
            return
        }
        host.report(voIPPush: payload) { completion?($0) }
    }

    @available(iOS 14.5, *)
    public class func reportNewIncomingVoIPPushPayload(_ dictionaryPayload: [AnyHashable: Any]) async throws {
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            reportNewIncomingVoIPPushPayload(dictionaryPayload) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }
}

/// The process of a running service extension, which forwards the extension's reports of incoming calls to the phone.
@_spi(Simulation) public protocol VoIPPushHost: SimulatedProcess {
    /// Delivers a payload from the extension to the app, as a VoIP push.
    ///
    /// - Parameter payload: the payload, as JSON.
    func report(voIPPush payload: Data, completion: @escaping @Sendable ((any Error)?) -> Void)
}
