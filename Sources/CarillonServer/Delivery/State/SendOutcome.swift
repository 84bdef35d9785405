import CarillonAPNs
import CarillonCore
import Foundation

/// The outcome of sending one push.
///
/// ``verdict(tokenRegistered:tries:_:at:)`` decides what happens to the push after this outcome.
package enum SendOutcome: Sendable, Hashable {
    /// APNs accepted the push. The unique id is that of ``APNsOutcome/accepted(apnsID:uniqueID:)``.
    case accepted(apnsID: UUID, uniqueID: String? = nil)
    case rejected(APNsRejection)
    /// APNs rejected the device's token, but also rejects most other tokens of the app, so the rejection does not prove a bad
    /// token.
    ///
    /// The text is the reason that APNs gave.
    case withheld(String)
    /// APNs did not answer, and the push may have been sent.
    ///
    /// The text is the reason.
    case unanswered(String)
    /// The push was not sent, because there was no connection to APNs.
    ///
    /// The text is the reason.
    case unconnected(String)
    /// The push was not sent, because the server at APNs' address is not trusted.
    ///
    /// The text is the reason. The advice for the operator is `nil` if the server's certificate comes from an unknown authority;
    /// then the general advice applies.
    case distrusted(String, advice: String? = nil)
    /// The push was not sent, for a reason that does not concern the next push, for example because the APNs client shuts down.
    ///
    /// The text is the reason.
    case notSent(String)
    /// The push was not sent, because the sender's exclusive right to send it (``Lease``) was about to end.
    case notBegun
    /// The push was not sent, because this process has no credential for the app.
    ///
    /// The text is the reason.
    case noCredential(String)
    /// The push can never be sent.
    ///
    /// The text describes the fault of the payload.
    case unsendable(String)

    /// The cause of the outcome, if this cause affects all pushes of the app; otherwise `nil`.
    package var trouble: SendingTrouble? {
        switch self {
        case .accepted, .notSent, .notBegun, .unsendable: nil
        case .noCredential(let why): SendingTrouble(.missingCredential, why)
        case .distrusted(let why, let advice):
            SendingTrouble(
                .distrusted, why,
                advice: advice.map { "\(SendingTrouble.distrustedServer) \($0.droppedFullStop)" })
        case .withheld(let reason):
            SendingTrouble(.rejectedDevices, "APNs rejects most of the app's device tokens (\(reason))")
        case .unconnected(let why): SendingTrouble(.unreachable, why)
        case .unanswered: .silence
        case .rejected(let rejection):
            switch rejection.remedy {
            case .fixCredential: refusal(.refusedCredential, rejection, or: nil)
            case .retryWithNewToken:
                refusal(.failing, rejection, or: "APNs rejects new provider tokens; check this machine's clock")
            case .replaceConnection, .retryLater: SendingTrouble(.failing, rejection.reason.rawValue)
            case .giveUp, .removeDeviceToken, .quarantineDeviceToken, .slowDown: nil
            }
        }
    }

    /// Returns the trouble that follows from APNs' rejection of a push because of its provider token or its topic.
    ///
    /// If a wrong clock of this machine explains the rejection, the trouble says so.
    private func refusal(
        _ kind: SendingTrouble.Kind, _ rejection: APNsRejection, or note: String?
    ) -> SendingTrouble {
        let reason = rejection.reason.rawValue
        if let clockError = rejection.clockError {
            return SendingTrouble(kind, "\(reason): \(clockError)", advice: SendingTrouble.wrongClock)
        }
        guard rejection.reason == .topicDisallowed else {
            return SendingTrouble(kind, note.map { "\(reason): \($0)" } ?? reason)
        }
        return SendingTrouble(kind, reason, advice: SendingTrouble.wrongTopic)
    }

    /// Whether the outcome proves that APNs accepts the app's credential.
    ///
    /// A rejection of the device or the payload proves it too, because APNs checks the credential first.
    package var provesSending: Bool {
        switch self {
        case .accepted: true
        case .rejected: trouble == nil
        case .withheld, .unanswered, .unconnected, .distrusted, .notSent, .notBegun, .noCredential, .unsendable: false
        }
    }

    /// Whether APNs has answered.
    package var isAnswer: Bool {
        switch self {
        case .accepted, .rejected, .withheld: true
        case .unanswered, .unconnected, .distrusted, .notSent, .notBegun, .noCredential, .unsendable: false
        }
    }

    /// Whether APNs has rejected the push because the device's token is unknown to APNs.
    package var rejectsToken: Bool {
        guard case .rejected(let rejection) = self else { return false }
        return rejection.remedy == .quarantineDeviceToken
    }

    /// The least time before the push, or another push of the app, is tried again, as APNs asks; zero if APNs asks for none.
    var retryAfter: Duration {
        if case .rejected(let rejection) = self { rejection.retryAfter ?? .zero } else { .zero }
    }

    package var isAccepted: Bool { if case .accepted = self { true } else { false } }

    /// Whether the push was handed to APNs.
    package var hasLeft: Bool {
        switch self {
        case .accepted, .rejected, .withheld, .unanswered: true
        case .unconnected, .distrusted, .notSent, .notBegun, .noCredential, .unsendable: false
        }
    }
}

extension String {
    /// The sentence without its full stop.
    fileprivate var droppedFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
