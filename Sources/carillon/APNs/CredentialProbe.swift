import CarillonAPNs
import CarillonCore
import Foundation

/// Tries a credential against APNs with one push to a random device token, which no phone has.
enum CredentialProbe {
    /// Sends the push and judges the credential by the answer.
    ///
    /// - Parameters:
    ///   - topic: the topic that the credential must be valid for.
    ///   - client: a client with the credential.
    ///   - endpoint: the server's name in the verdict.
    /// - Returns: the verdict.
    static func verdict(on topic: String, with client: APNsClient, at endpoint: String) async -> CredentialVerdict {
        let result: Result<APNsOutcome, APNsError>
        do throws(APNsError) {
            result = .success(try await client.send(try push(to: topic)))
        } catch {
            result = .failure(error)
        }
        return CredentialVerdict(result, topic: topic, endpoint: endpoint)
    }

    private static func push(to topic: String) throws(APNsError) -> APNsNotification {
        let bytes = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
        guard let token = DeviceToken(bytes) else {
            throw APNsError(
                code: .invalidNotification, message: "No random device token could be made.", advice: "Try again.",
                mayHaveArrived: false)
        }
        let suffixed = PushType.allCases.filter { !$0.topicSuffix.isEmpty }
        let pushType = suffixed.first { topic.hasSuffix($0.topicSuffix) } ?? .alert
        return APNsNotification(
            deviceToken: token, topic: topic, pushType: pushType,
            payload: APNsPayload(Data(#"{"aps":{"alert":"Is this credential good?"}}"#.utf8)), priority: .considerate,
            expiration: .oneAttempt, apnsID: UUID())
    }
}
