import CarillonCore

/// The party that unbinds a device from its user.
///
/// The caller determines which messages the phone may still show.
package enum SignOutCaller: Sendable, Hashable {
    /// The app signs the user out.
    ///
    /// The app's SDK has removed its messages from Notification Center, so only messages without a report may still be on their
    /// way.
    case app
    /// The backend signs the user out, or another user signs in.
    ///
    /// The phone may still show any message that was sent to it.
    case service
}

extension SignOutCaller {
    /// The reports that make a removal unnecessary.
    var settled: ReceiptSet {
        switch self {
        case .app: ReceiptSet(ReceiptEvent.allCases)
        case .service: ReceiptSet([.opened, .dismissed, .expired, .recalled])
        }
    }
}
