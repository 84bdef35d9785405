import CarillonAPNs
import CarillonCore
import Foundation

/// The outcome of sending one push; ``verdict(tokenRegistered:tries:_:at:)`` says what to do next.
package enum SendOutcome: Sendable, Hashable {
    case accepted(apnsID: UUID)
    case rejected(APNsRejection)
    /// APNs has rejected the push for its token, as it rejects most of the app's, so it says nothing of this token; the text is
    /// APNs' reason.
    case withheld(String)
    /// The push was sent, or may have been, and no answer came; the text is the reason.
    case unanswered(String)
    /// The push was not sent, because there was no connection to APNs; the text is the reason.
    case unconnected(String)
    /// The push was not sent, because the server at APNs' address is not trusted; the text is the reason.
    case distrusted(String)
    /// The push was not sent, for a reason that says nothing of the next push, such as a client that shuts down.
    case notSent(String)
    /// The sender did not begin, because its lease was about to end.
    case notBegun
    /// The push was not sent, because this process has no credential for the app; the text is the reason.
    case noCredential(String)
    /// The push can never be sent; the text says what is wrong with its payload.
    case unsendable(String)

    /// The trouble that keeps other pushes of the app from being sent too; `nil` if the outcome concerns this push alone.
    package var trouble: SendingTrouble? {
        switch self {
        case .accepted, .notSent, .notBegun, .unsendable: nil
        case .noCredential(let why): SendingTrouble(.missingCredential, why)
        case .distrusted(let why): SendingTrouble(.distrusted, why)
        case .withheld(let reason):
            SendingTrouble(.rejectedDevices, "APNs rejects most of the app's device tokens (\(reason))")
        case .unconnected(let why): SendingTrouble(.unreachable, why)
        case .unanswered: .silence
        case .rejected(let rejection):
            switch rejection.remedy {
            case .fixCredential: SendingTrouble(.refusedCredential, rejection.reason.rawValue)
            case .retryWithNewToken:
                SendingTrouble(
                    .failing,
                    "\(rejection.reason.rawValue): APNs rejects new provider tokens; check this machine's clock")
            case .replaceConnection, .retryLater: SendingTrouble(.failing, rejection.reason.rawValue)
            case .giveUp, .removeDeviceToken, .quarantineDeviceToken, .slowDown: nil
            }
        }
    }

    /// Whether the outcome proves that APNs accepts the app's credential.
    ///
    /// A rejection for the device or the payload proves it too, since APNs judges those only after the credential.
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

    /// Whether APNs has rejected the device's token as one that it does not know.
    package var rejectsToken: Bool {
        guard case .rejected(let rejection) = self else { return false }
        return rejection.remedy == .quarantineDeviceToken
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
