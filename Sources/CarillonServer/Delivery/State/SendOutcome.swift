import CarillonAPNs
import CarillonCore
import Foundation

/// What came of sending one push; what follows from it is its ``verdict(tokenRegistered:tries:_:at:)``.
package enum SendOutcome: Sendable, Hashable {
    case accepted(apnsID: UUID)
    case rejected(APNsRejection)
    /// It was sent, or may have been, and the answer never came.
    case unanswered(String)
    /// It never left: there was no connection to APNs, for this reason.
    case unconnected(String)
    /// It never left: the server at APNs' address is not trusted, for this reason.
    case distrusted(String)
    /// It never left, for a reason that says nothing of the next push, such as a client that shuts down.
    case notSent(String)
    /// Its sender did not begin: its lease was about to end.
    case notBegun
    /// It never left: this process has no credential for the app.
    case noCredential(String)
    /// It can never leave: what is wrong with its payload.
    case unsendable(String)

    /// The reason for which no other push of the app may be sent either; `nil` where the outcome is this push's own.
    package var trouble: SendingTrouble? {
        switch self {
        case .accepted, .notSent, .notBegun, .unsendable: nil
        case .noCredential(let why): SendingTrouble(.missingCredential, why)
        case .distrusted(let why): SendingTrouble(.distrusted, why)
        case .unconnected(let why): SendingTrouble(.unreachable, why)
        case .unanswered: SendingTrouble(.unreachable, "APNs takes connections and does not answer")
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

    /// Whether APNs has accepted the app's credential, whatever it says of the push: it speaks of devices and payloads only
    /// after that.
    package var provesSending: Bool {
        switch self {
        case .accepted: true
        case .rejected: trouble == nil
        case .unanswered, .unconnected, .distrusted, .notSent, .notBegun, .noCredential, .unsendable: false
        }
    }

    package var isAccepted: Bool { if case .accepted = self { true } else { false } }

    /// Whether it was handed to APNs.
    package var hasLeft: Bool {
        switch self {
        case .accepted, .rejected, .unanswered: true
        case .unconnected, .distrusted, .notSent, .notBegun, .noCredential, .unsendable: false
        }
    }
}
