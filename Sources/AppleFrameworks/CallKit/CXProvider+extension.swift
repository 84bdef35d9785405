import Foundation
@_spi(Simulation) import UserNotifications

/// A call that a service extension has found in a push, for instance after it has decrypted it.
extension CXProvider {
    /// Has the system launch the app and hand it the payload, as a VoIP push.
    ///
    /// - Parameters:
    ///   - dictionaryPayload: what JSON can hold. Differs from iOS: dates and data are refused (`unknown`).
    ///   - completion: with ``CXErrorCodeNotificationServiceExtensionError`` where the app does not get it.
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

/// A running extension, as CallKit sees it.
@_spi(Simulation) public protocol VoIPPushHost: SimulatedProcess {
    /// - Parameter payload: JSON.
    func report(voIPPush payload: Data, completion: @escaping @Sendable ((any Error)?) -> Void)
}
