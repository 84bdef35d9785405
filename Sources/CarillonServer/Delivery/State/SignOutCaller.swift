import CarillonCore

/// The party that signs a user out of a device: the app or the service.
///
/// The party determines which messages the phone may still show.
package enum SignOutCaller: Sendable, Hashable {
    /// The app signs the user out.
    ///
    /// The app's SDK has removed the app's messages from Notification Center. So the phone can still show only a message that was
    /// on its way and about which it has reported nothing.
    case app
    /// The backend signs the user out, or another user signs in.
    ///
    /// The phone may still show any message that was sent to it.
    case service
}

extension SignOutCaller {
    /// The reports after which the device need not remove a message when its user signs out.
    var settled: ReceiptSet {
        switch self {
        case .app: ReceiptSet(ReceiptEvent.allCases)
        case .service: ReceiptSet([.opened, .dismissed, .expired, .recalled])
        }
    }
}
