import Foundation
@_spi(Simulation) import UserNotifications

/// Calls that a service extension finds in a push, for instance after decrypting it.
extension CXProvider {
    /// Makes the system launch the app and deliver the payload as a VoIP push.
    ///
    /// - Parameters:
    ///   - dictionaryPayload: a value that JSON can express. Differs from iOS: dates and data are refused (`unknown`).
    ///   - completion: called with ``CXErrorCodeNotificationServiceExtensionError`` if the app does not get the payload.
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

/// A running extension, from CallKit's point of view.
@_spi(Simulation) public protocol VoIPPushHost: SimulatedProcess {
    /// Delivers a VoIP push that the extension has found.
    ///
    /// - Parameter payload: JSON.
    func report(voIPPush payload: Data, completion: @escaping @Sendable ((any Error)?) -> Void)
}
