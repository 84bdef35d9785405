import CarillonAPNs
import CarillonCore
import CommandSupport

/// The result of checking a sender's credential, derived from APNs' answer to a push to a random device token.
struct CredentialVerdict: Sendable, Hashable {
    enum Outcome: String, Sendable {
        case good, refused, unknown
    }

    let topic: String
    let endpoint: String
    let outcome: Outcome
    /// The status and reason of APNs' answer; if there was no answer, the kind of error.
    let answer: String
    let explanation: String

    init(_ result: Result<APNsOutcome, APNsError>, topic: String, endpoint: String) {
        self.topic = topic
        self.endpoint = endpoint
        switch result {
        case .success(.accepted):
            (outcome, answer) = (.good, "200 accepted")
            explanation = "the credential is valid"
        case .success(.rejected(let rejection)):
            answer = "\(rejection.status) \(rejection.reason)"
            (outcome, explanation) = Self.explain(rejection)
        case .failure(let error):
            (outcome, answer, explanation) = (
                .unknown, error.code.description, "\(error.message) \(error.commandLineAdvice)"
            )
        }
    }

    private static func explain(_ rejection: APNsRejection) -> (Outcome, String) {
        switch rejection.reason {
        case .badDeviceToken, .deviceTokenNotForTopic, .unregistered, .expiredToken:
            (.good, "APNs rejects only the random device token: the credential is valid")
        case .topicDisallowed, .badTopic, .missingTopic:
            (.refused, "APNs knows the credential, but it is not valid for this topic: check the bundle id")
        case .invalidProviderToken:
            (
                .refused,
                rejection.clockError.map { "APNs rejects the provider token: \($0), by the Date of the answer" }
                    ?? "APNs does not know this key with this key id and team id: one of the three is wrong, or the key was revoked"
            )
        case .badEnvironmentKeyIDInToken, .badCertificateEnvironment:
            (.refused, "the credential is for the other environment")
        case .expiredProviderToken:
            (
                .refused,
                "APNs rejects a new provider token as too old: "
                    + (rejection.clockError.map { "\($0), by the Date of the answer" } ?? "check this machine's clock")
            )
        case .badCertificate, .forbidden, .unrelatedKeyIDInToken, .missingProviderToken:
            (.refused, "APNs rejects the credential: it may have expired or been revoked")
        default:
            rejection.status == 403
                ? (.refused, "APNs rejects the credential")
                : (.unknown, "the response says nothing about the credential: try again later")
        }
    }

    var text: String { "\(endpoint), \(topic): \(outcome.rawValue) (\(answer))\n  \(explanation)" }

    var json: JSONValue {
        [
            "topic": .string(topic), "endpoint": .string(endpoint), "judgement": .string(outcome.rawValue),
            "answer": .string(answer), "explanation": .string(explanation),
        ]
    }
}
