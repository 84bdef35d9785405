import CarillonCore

/// The party that signs a user out of a device: the app or the service.
///
/// The party determines which messages can still appear on the phone.
package enum SignOutCaller: Sendable, Hashable {
    /// The app signs the user out.
    ///
    /// The app's SDK has removed the app's messages from Notification Center. So a message can still appear on the phone only if
    /// it was on its way and the phone has sent no receipt for it.
    case app
    /// The backend signs the user out, or another user signs in.
    ///
    /// Any message that was sent to the phone can still be there, or appear later.
    case service
}

extension SignOutCaller {
    /// The receipts that make it needless for the device to remove a message when the user of the device signs out.
    var settled: ReceiptSet {
        switch self {
        case .app: ReceiptSet(ReceiptEvent.allCases)
        case .service: ReceiptSet([.opened, .dismissed, .expired, .recalled])
        }
    }
}
