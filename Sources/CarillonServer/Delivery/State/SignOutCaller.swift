import CarillonCore

/// The party that removes the binding of a device to its user.
///
/// The party determines which messages the phone may still show.
package enum SignOutCaller: Sendable, Hashable {
    /// The app signs the user out.
    ///
    /// The app's SDK has removed its messages from Notification Center. So only messages that the device has not reported may
    /// still be on their way.
    case app
    /// The backend signs the user out, or another user signs in.
    ///
    /// The phone may still show any message that was sent to it.
    case service
}

extension SignOutCaller {
    /// The reported events after which the device need not remove a message when its user signs out.
    var settled: ReceiptSet {
        switch self {
        case .app: ReceiptSet(ReceiptEvent.allCases)
        case .service: ReceiptSet([.opened, .dismissed, .expired, .recalled])
        }
    }
}
