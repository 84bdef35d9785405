import ArgumentParser
import CarillonAPNs
import CarillonCore

/// What one push to a made-up device token tells about a credential.
///
/// APNs looks at the credential and the topic before it looks at the token, so that BadDeviceToken is the good news.
struct CredentialCheck {
    enum Verdict: String {
        case good, refused, unknown
    }

    let verdict: Verdict
    /// What APNs said, or why nothing was heard.
    let finding: String
    /// What follows from it, as a sentence.
    let meaning: String

    init(_ outcome: APNsOutcome, topic: String) {
        switch outcome {
        case .accepted:
            self.init(.good, "200", "It may send for \(topic).")
        case .rejected(let rejection):
            let finding = "\(rejection.status) \(rejection.reason)"
            switch rejection.remedy {
            case .quarantineDeviceToken, .removeDeviceToken, .slowDown:
                self.init(
                    .good, finding,
                    "It may send for \(topic): only the made-up device token was refused, as it must be.")
            case .fixCredential where rejection.reason == .badEnvironmentKeyIDInToken:
                self.init(.refused, finding, "The key is good, but for the other environment only.")
            case .fixCredential, .giveUp, .retryWithNewToken, .replaceConnection:
                self.init(
                    .refused, finding, rejection.reason.credentialMeaning(topic: topic) ?? rejection.remedy.advice)
            case .retryLater:
                self.init(.unknown, finding, "APNs is in trouble; check again later.")
            }
        }
    }

    init(_ error: APNsError) { self.init(.unknown, "\(error.code)", "\(error.message) \(error.advice)") }

    private init(_ verdict: Verdict, _ finding: String, _ meaning: String) {
        (self.verdict, self.finding, self.meaning) = (verdict, finding, meaning)
    }

    func printed(asJSON: Bool, topic: String, host: String) throws -> String {
        guard asJSON else { return "\(host): \(verdict.rawValue) (\(finding))\n\(meaning)" }
        let json: JSONValue = [
            "verdict": .string(verdict.rawValue), "answer": .string(finding), "meaning": .string(meaning),
            "topic": .string(topic), "host": .string(host),
        ]
        return String(decoding: try json.encoded(), as: UTF8.self)
    }

    var exitCode: ExitCode {
        switch verdict {
        case .good: .success
        case .refused: .failure
        case .unknown: ExitCode(2)
        }
    }
}

extension APNsReason {
    /// What a refusal says about the credential itself; `nil` for a reason that is not about it.
    fileprivate func credentialMeaning(topic: String) -> String? {
        switch self {
        case .invalidProviderToken:
            "The key, its id or the team's id is wrong, or the key was revoked: the three must belong together."
        case .expiredProviderToken:
            "This machine's clock is more than an hour slow, or the key is not accepted any more."
        case .topicDisallowed, .unrelatedKeyIDInToken, .badTopic:
            "It is known, but it may not send for \(topic): is that the app's bundle id, of this team?"
        case .badCertificate: "The certificate is not, or no longer, a push certificate of Apple's."
        case .badCertificateEnvironment: "The certificate is good, but for the other environment only."
        default: nil
        }
    }
}
