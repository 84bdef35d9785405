import CarillonAPNs
import CarillonCore
import Foundation

/// What came of sending one push; what follows from it is its ``verdict(tokenRegistered:tries:_:at:)``.
package enum SendOutcome: Sendable, Hashable {
    case accepted(apnsID: UUID)
    case rejected(APNsRejection)
    /// It was sent, or may have been, and the answer never came.
    case unanswered(String)
    /// It never left: no connection, shutting down.
    case notSent(String)
    /// Its sender did not begin: its lease was about to end.
    case notBegun
    /// It never left: this process has no credential for the app.
    case noCredential(String)
    /// It can never leave: what is wrong with its payload.
    case unsendable(String)

    /// Why nothing of the app can be sent, when that is what the outcome says; whether APNs refuses the credential or there
    /// is none.
    package var credentialProblem: (reason: String, isMissing: Bool)? {
        switch self {
        case .noCredential(let why): (why, true)
        case .rejected(let rejection) where rejection.remedy == .fixCredential: (rejection.reason.rawValue, false)
        case .accepted, .rejected, .unanswered, .notSent, .notBegun, .unsendable: nil
        }
    }

    /// Whether APNs has accepted the app's credential, whatever it says of the push: of devices and payloads it speaks only
    /// after that.
    package var provesCredential: Bool {
        switch self {
        case .accepted: true
        case .rejected(let rejection):
            switch rejection.remedy {
            case .giveUp, .removeDeviceToken, .quarantineDeviceToken: true
            case .fixCredential, .retryWithNewToken, .replaceConnection, .slowDown, .retryLater: false
            }
        case .unanswered, .notSent, .notBegun, .noCredential, .unsendable: false
        }
    }

    package var isAccepted: Bool { if case .accepted = self { true } else { false } }

    /// Whether it was handed to APNs.
    package var hasLeft: Bool {
        switch self {
        case .accepted, .rejected, .unanswered: true
        case .notSent, .notBegun, .noCredential, .unsendable: false
        }
    }
}
