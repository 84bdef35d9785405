import CarillonAPNs
import CarillonCore

/// What APNs' answer to a push for a made-up device says about the credential that it was sent with.
struct CredentialVerdict: Sendable, Hashable {
    enum Outcome: String, Sendable {
        case good, refused, unknown
    }

    let topic: String
    let endpoint: String
    let outcome: Outcome
    /// APNs' reason, or the kind of error.
    let answer: String
    let explanation: String

    init(_ result: Result<APNsOutcome, APNsError>, topic: String, endpoint: String) {
        self.topic = topic
        self.endpoint = endpoint
        switch result {
        case .success(.accepted):
            (outcome, answer) = (.good, "200 accepted")
            explanation = "the credential is good"
        case .success(.rejected(let rejection)):
            answer = "\(rejection.status) \(rejection.reason)"
            (outcome, explanation) = Self.explain(rejection)
        case .failure(let error):
            (outcome, answer, explanation) = (.unknown, error.code.description, error.description)
        }
    }

    private static func explain(_ rejection: APNsRejection) -> (Outcome, String) {
        switch rejection.reason {
        case .badDeviceToken, .deviceTokenNotForTopic, .unregistered, .expiredToken:
            (.good, "APNs objects only to the made-up device token: the credential is good")
        case .topicDisallowed, .badTopic, .missingTopic:
            (.refused, "APNs knows the credential, but it may not send for this topic: is the bundle id right?")
        case .invalidProviderToken:
            (
                .refused,
                "APNs does not know this key with this key id and team id: one of the three is wrong, or it was revoked"
            )
        case .badEnvironmentKeyIDInToken, .badCertificateEnvironment:
            (.refused, "the credential is for the other environment")
        case .expiredProviderToken:
            (.refused, "APNs finds a new token too old: this machine's clock is wrong")
        case .badCertificate, .forbidden, .unrelatedKeyIDInToken, .missingProviderToken:
            (.refused, "APNs does not accept the credential: has it expired, or was it revoked?")
        default:
            rejection.status == 403
                ? (.refused, "APNs does not accept the credential")
                : (.unknown, "this says nothing about the credential; try again later")
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
